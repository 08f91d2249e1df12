"""The inputs of the claims, one record each. Tokens are columns, as in the papers."""

from gdtheory.problems.attention import Attention, TargetAttention
from gdtheory.problems.contextual import ContextualBlock, PreLNBlock, PromptedBlock, SkipBlock, TokenStream
from gdtheory.problems.cot import ChainOfThought, Generation, NoiselessGeneration
from gdtheory.problems.dampening import DampenedTask
from gdtheory.problems.gdpp import (
    EigenvalueAndGammas,
    EndsAndGammas,
    ExtremeSingularValues,
    FallingGammas,
    GDPlusPlus,
    GDPlusPlusSteps,
    IntervalAndGamma,
    Spectrum,
    TransformedRegression,
)
from gdtheory.problems.merging import (
    SeparateRegression,
    SeparateTokens,
    SoftmaxCopy,
    SoftmaxRegression,
)
from gdtheory.problems.population import CurvatureTasks, LearningRate, RandomTasks, ShiftedTasks, TwoLayers
from gdtheory.problems.regression import Regression, RegressionSteps, ShiftedWeights
from gdtheory.problems.rescaling import RescaledAttention, RescaledRegression
from gdtheory.problems.softmax_heads import EqualTargets, ManyHeads, OppositeHeads, SoftmaxHead
from gdtheory.problems.token_maps import (
    FeatureRegression,
    KernelRegression,
    KernelRegressionSteps,
    KernelSmoothing,
    ResidualRegression,
)

__all__ = [
    "Attention",
    "ChainOfThought",
    "ContextualBlock",
    "CurvatureTasks",
    "DampenedTask",
    "EigenvalueAndGammas",
    "EndsAndGammas",
    "EqualTargets",
    "ExtremeSingularValues",
    "FallingGammas",
    "FeatureRegression",
    "GDPlusPlus",
    "GDPlusPlusSteps",
    "Generation",
    "IntervalAndGamma",
    "KernelRegression",
    "KernelRegressionSteps",
    "KernelSmoothing",
    "LearningRate",
    "ManyHeads",
    "NoiselessGeneration",
    "OppositeHeads",
    "PreLNBlock",
    "PromptedBlock",
    "RandomTasks",
    "Regression",
    "RegressionSteps",
    "RescaledAttention",
    "RescaledRegression",
    "ResidualRegression",
    "SeparateRegression",
    "SeparateTokens",
    "ShiftedTasks",
    "ShiftedWeights",
    "SkipBlock",
    "SoftmaxCopy",
    "SoftmaxHead",
    "SoftmaxRegression",
    "Spectrum",
    "TargetAttention",
    "TokenStream",
    "TransformedRegression",
    "TwoLayers",
]
