"""The knowls of a source: the numbered statements of its digest, which claims refer to.

What of them no claim can hold, because it is measured on trained models, says so in `left`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Knowl:
    """One statement of a source's digest.

    Attributes
    ----------
    title : str
        What it states.
    left : str
        What of it is an experiment; empty where claims can hold all of it.
    """

    title: str
    left: str = ""


KNOWLS: dict[str, dict[int, Knowl]] = {
    "vonoswald2023transformers": {
        1: Knowl("Single-head linear self-attention equals one step of gradient descent"),
        2: Knowl("GD++: in-context gradient descent with iterative curvature correction"),
        3: Knowl("In-context kernel regression by transformer blocks with MLPs"),
        4: Knowl("Token merging and task construction by self-attention copying"),
        5: Knowl("Two-head softmax self-attention approximates linear gradient descent"),
        6: Knowl(
            "A trained single layer converges to gradient descent; linear mode connectivity",
            left="the weights, sensitivities and curves of trained layers",
        ),
        7: Knowl(
            "Trained deep and recurrent transformers align with GD++",
            left="the training of 2, 5, 10 and 12 layers; non-uniform inputs at test time",
        ),
        8: Knowl(
            "MLP transformer blocks match meta-learned MLPs on sine waves",
            left="all of it, as it is training on sines",
        ),
        9: Knowl(
            "Induction-like copying emerges in multi-layer attention",
            left="all of it, as it is the sensitivities of two layers while they train",
        ),
        10: Knowl(
            "Online meta-learning protocol for in-context regression",
            left="how training is set up",
        ),
    },
}
"""By key of the bibliography and number."""
