"""The exceptions of gdtheory: types with fields, and a message built from the fields."""

from __future__ import annotations

from collections.abc import Callable


class GDTheoryError(Exception):
    """Base of every exception that gdtheory raises on purpose."""


class ArgumentError(GDTheoryError, ValueError):
    """An argument is not what the function takes.

    Attributes
    ----------
    argument : str
        Name of the offending argument.
    expected : str
        What is allowed.
    got : str
        What came.
    """

    def __init__(self, argument: str, *, expected: object, got: object) -> None:
        self.argument = argument
        self.expected = str(expected)
        self.got = _short(str, got)
        super().__init__(argument, self.expected, self.got)

    def __str__(self) -> str:
        return f"{self.argument}: expected {self.expected}, got {self.got}"


LONGEST = 400
"""An error shows this many characters of what came, and an integer of at most 200 bits."""


def shown(value: object) -> str:
    """Return the repr of what came, short enough for a message."""
    return _short(repr, value)


def _short(written: Callable[[object], str], value: object) -> str:
    if isinstance(value, int) and (bits := value.bit_length()) > 200:
        return f"an integer of {bits} bits"
    try:
        text = written(value)
    except ValueError:  # Python refuses to write out very long integers
        return f"a {type(value).__name__} with very long integers"
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


class ShapeError(ArgumentError):
    """An array has the wrong shape, or a count or a set of keys the wrong size."""


class DTypeError(ArgumentError):
    """An array holds a kind of number that the function does not take."""


class NonFiniteError(ArgumentError):
    """An array holds NaN or infinity, or the result left the range of its dtype."""


class DegenerateContextError(ArgumentError):
    """A contextual layer's output is the zero vector, so no weight update can replace a context."""


class ConventionError(ArgumentError):
    """Weights that another paper's convention for attention cannot express."""


class RepeatedScaleError(ArgumentError):
    """Two heads have one scale, so no weights tell their orders apart."""


class MomentDoesNotExistError(ArgumentError):
    """A moment that is infinite or undefined."""


class UndecidedError(ArgumentError):
    """Two enclosures overlap too widely to tell their order."""


class UnknownClaimError(ArgumentError):
    """No claim has this id or file stem."""


class ClaimDefinitionError(GDTheoryError, ValueError):
    """A claim file is not a well-formed claim.

    Attributes
    ----------
    claim : str
        Id, or file stem where there is no id yet.
    reason : str
        What is wrong and how to mend it.
    """

    def __init__(self, claim: str, reason: str) -> None:
        self.claim = claim
        self.reason = reason
        super().__init__(claim, reason)

    def __str__(self) -> str:
        return f"{self.claim}: {self.reason}"
