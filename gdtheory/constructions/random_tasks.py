"""Layers on random regression tasks: their errors for every teacher and every query at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real

from gdtheory.arguments import listed
from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.errors import ArgumentError, DTypeError, ShapeError, shown
from gdtheory.matrices import matrices, number_like
from gdtheory.namespace import Array, Scalar, namespace


def coordinate_errors(
    X: Array, x_query: Array, layers: Sequence[LSAWeights], *, teacher_scale: Scalar = 1
) -> Array:
    """Return what the layers' predictions miss, for the d teachers that read one coordinate each.

    A teacher w misses the w-weighted sum of the rows. So the mean of its squared error over w ~ N(0, I) is
    the sum of the squares of all rows.

    Parameters
    ----------
    X : array, shape (d, N)
        The inputs of the context; the targets of the d teachers are X times their scale.
    x_query : array, shape (d, n_queries)
        Queries, each on its own; their tokens start with zero targets.
    layers : sequence of LSAWeights
        Of width 2 d, that is with N_y = d, such as gdpp_step_weights(np.zeros((d, d)), ...); context
        and queries go through all of them.
    teacher_scale : number
        What the teachers are multiplied by: τ.

    Returns
    -------
    array, shape (d, n_queries)
        The targets less the predictions.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError
        If inputs and layers do not fit together or hold no finite numbers.
    """
    X, x_query = matrices(X=(X, "d", "N"), x_query=(x_query, "d", "n_queries"))
    if not isinstance(layers, Sequence):
        raise DTypeError("layers", expected="a list of LSAWeights", got=type(layers).__name__)
    tau = number_like("teacher_scale", teacher_scale, X)
    xp, d = namespace(X), X.shape[0]
    _require_width(layers, 2 * d)
    context, queries = xp.block([[X], [X * tau]]), xp.block([[x_query], [x_query * 0]])
    for depth, weights in enumerate(layers, start=1):
        queries = lsa_layer(queries, context, weights)
        if depth < len(layers):  # no query reads the context after the last layer
            context = lsa_layer(context, context, weights)
    return x_query * tau + xp.split(queries, (d, d))[1]


def mean_squared_error(
    contexts: Iterable[tuple[Scalar, Array]],
    layers: Sequence[LSAWeights],
    m_2: Scalar,
    *,
    mean: Scalar = 0,
    teacher_scale: Scalar = 1,
) -> Scalar:
    """Return the squared error of the layers, averaged over teachers, contexts and queries.

    Parameters
    ----------
    contexts : iterable of (probability, array of shape (d, N))
        Every context X, after its probability.
    layers : sequence of LSAWeights
        Of width 2 d, that is with N_y = d, such as gdpp_step_weights(np.zeros((d, d)), ...).
    m_2, mean : number
        The mean square and the mean of an entry of the query. A query x enters the error linearly, so that
        E x xᵀ = (m_2 - mean²) I + mean² 1 1ᵀ is all that counts.
    teacher_scale : number
        What the teachers are multiplied by: τ.

    Returns
    -------
    number
        For teachers τ w with w ~ N(0, I), and for any others with E w wᵀ = I; the mean of the squared error
        itself, without the half of the loss.

    Raises
    ------
    ShapeError, DTypeError, NonFiniteError, ArgumentError
        If contexts and layers do not fit together or hold no finite numbers, there is no context, or no law
        has these moments.
    """
    pairs = listed("contexts", contexts, "one context or more")
    if not pairs:
        raise ShapeError("contexts", expected="one context or more", got=shown(contexts))
    total = 0
    for probability, X in pairs:
        xp, d = namespace(X), X.shape[0]
        errors = coordinate_errors(X, xp.eye(d), layers, teacher_scale=teacher_scale)
        along, across = _moments_like(X, m_2, mean)
        square = xp.squared_norm(errors) * across + xp.squared_norm(errors @ xp.ones(d, 1)) * along
        total = total + square * probability
    return total


def _require_width(layers: Sequence[LSAWeights], width: int) -> None:
    """Refuse layers for tokens that do not hold d inputs and the targets of d teachers."""
    for weights in layers:
        if not isinstance(weights, LSAWeights):
            raise DTypeError("layers", expected="a list of LSAWeights", got=f"{type(weights).__name__} in it")
        if weights.W_K.shape[0] != width:
            raise ShapeError("layers", expected=f"width 2 d = {width}", got=weights.W_K.shape[0])


def _moments_like(X: Array, m_2: Scalar, mean: Scalar) -> tuple[Scalar, Scalar]:
    """Return mean² and the variance m_2 - mean²."""
    m_2, mean = number_like("m_2", m_2, X), number_like("mean", mean, X)
    variance = m_2 - mean**2
    if isinstance(variance, Real) and variance < 0:
        raise ArgumentError("m_2", expected="at least the square of the mean", got=m_2)
    return mean**2, variance
