"""The inputs of the claims, one record each. Tokens are columns, as in the papers."""

from gdtheory.problems.attention import Attention, TargetAttention
from gdtheory.problems.contextual import ContextualBlock, PreLNBlock, PromptedBlock, SkipBlock, TokenStream
from gdtheory.problems.cot import ChainOfThought, Generation, NoiselessGeneration
from gdtheory.problems.dampening import DampenedTask
from gdtheory.problems.merging import (
    SeparateRegression,
    SeparateTokens,
    SoftmaxCopy,
    SoftmaxRegression,
)
from gdtheory.problems.regression import Regression, RegressionSteps, ShiftedWeights
from gdtheory.problems.rescaling import RescaledAttention, RescaledRegression

__all__ = [
    "Attention",
    "ChainOfThought",
    "ContextualBlock",
    "DampenedTask",
    "Generation",
    "NoiselessGeneration",
    "PreLNBlock",
    "PromptedBlock",
    "Regression",
    "RegressionSteps",
    "RescaledAttention",
    "RescaledRegression",
    "SeparateRegression",
    "SeparateTokens",
    "ShiftedWeights",
    "SkipBlock",
    "SoftmaxCopy",
    "SoftmaxRegression",
    "TargetAttention",
    "TokenStream",
]
