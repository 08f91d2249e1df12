"""Attention weights and layers: the left-hand sides of the claims, one file per layer."""

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.constructions.conventions import AhnWeights, HuangWeights, ZhangWeights
from gdtheory.constructions.cot import append_token, cot_weights, prompt
from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.constructions.softmax_heads import (
    derivative_weights,
    heads_update,
    softmax_gd_heads,
    softmax_head,
)
from gdtheory.constructions.token_maps import (
    mapped_tokens,
    nadaraya_watson_weights,
    residual_mlp,
    smoothing_tokens,
)

__all__ = [
    "AhnWeights",
    "HuangWeights",
    "LSAWeights",
    "ZhangWeights",
    "append_token",
    "cot_weights",
    "derivative_weights",
    "gd_step_weights",
    "gdpp_step_weights",
    "heads_update",
    "lsa_layer",
    "lsa_layer_folded",
    "mapped_tokens",
    "nadaraya_watson_weights",
    "prompt",
    "regression_tokens",
    "residual_mlp",
    "smoothing_tokens",
    "softmax_gd_heads",
    "softmax_head",
    "weight_transfer",
]
