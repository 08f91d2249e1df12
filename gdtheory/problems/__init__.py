"""The inputs of the claims, one record each. Tokens are columns, as in the papers."""

from gdtheory.problems.attention import Attention, TargetAttention
from gdtheory.problems.contextual import ContextualBlock, PreLNBlock, PromptedBlock, SkipBlock, TokenStream
from gdtheory.problems.cot import ChainOfThought, Generation, NoiselessGeneration
from gdtheory.problems.regression import Regression, RegressionSteps, ShiftedWeights

__all__ = [
    "Attention",
    "ChainOfThought",
    "ContextualBlock",
    "Generation",
    "NoiselessGeneration",
    "PreLNBlock",
    "PromptedBlock",
    "Regression",
    "RegressionSteps",
    "ShiftedWeights",
    "SkipBlock",
    "TargetAttention",
    "TokenStream",
]
