"""Attention weights and layers: the left-hand sides of the claims, one file per layer."""

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.constructions.conventions import AhnWeights, HuangWeights, ZhangWeights
from gdtheory.constructions.cot import append_token, cot_weights, prompt
from gdtheory.constructions.lsa import (
    LSAWeights,
    gd_step_weights,
    lsa_layer,
    lsa_layer_folded,
    regression_tokens,
)

__all__ = [
    "AhnWeights",
    "HuangWeights",
    "LSAWeights",
    "ZhangWeights",
    "append_token",
    "cot_weights",
    "gd_step_weights",
    "lsa_layer",
    "lsa_layer_folded",
    "prompt",
    "regression_tokens",
    "weight_transfer",
]
