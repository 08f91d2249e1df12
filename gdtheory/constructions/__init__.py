"""Attention weights and layers: the left-hand sides of the claims."""

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.constructions.conventions import AhnWeights, HuangWeights, ZhangWeights
from gdtheory.constructions.cot import append_token, cot_weights, prompt
from gdtheory.constructions.gdpp import gdpp_step_weights
from gdtheory.constructions.kernel_smoothing import nadaraya_watson_weights, smoothing_tokens
from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)
from gdtheory.constructions.merging import (
    clearing_head,
    copying_head,
    pairing_heads,
    separate_tokens,
    successors,
)
from gdtheory.constructions.multi_head import multi_head_layer
from gdtheory.constructions.random_tasks import coordinate_errors, mean_squared_error
from gdtheory.constructions.rescaling import midpoint, rescaled, score_scale
from gdtheory.constructions.softmax import softmax_layer, softmax_weights
from gdtheory.constructions.softmax_heads import (
    derivative_weights,
    heads_update,
    softmax_gd_heads,
    softmax_head,
)
from gdtheory.constructions.token_maps import mapped_tokens, residual_mlp

__all__ = [
    "AhnWeights",
    "HuangWeights",
    "LSAWeights",
    "ZhangWeights",
    "append_token",
    "clearing_head",
    "coordinate_errors",
    "copying_head",
    "cot_weights",
    "derivative_weights",
    "gd_step_weights",
    "gdpp_step_weights",
    "heads_update",
    "lsa_layer",
    "lsa_layer_folded",
    "mapped_tokens",
    "mean_squared_error",
    "midpoint",
    "multi_head_layer",
    "nadaraya_watson_weights",
    "pairing_heads",
    "prompt",
    "regression_tokens",
    "rescaled",
    "residual_mlp",
    "score_scale",
    "separate_tokens",
    "smoothing_tokens",
    "softmax_gd_heads",
    "softmax_head",
    "softmax_layer",
    "softmax_weights",
    "successors",
    "weight_transfer",
]
