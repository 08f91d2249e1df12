"""Layers on random regression tasks: their errors for every teacher and every query at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gdtheory.constructions.lsa import LSAWeights, lsa_layer
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, Scalar, namespace


def coordinate_errors(X: Array, x_query: Array, layers: Sequence[LSAWeights]) -> Array:
    """Return what the layers' predictions miss, for the d teachers that read one coordinate each.

    A teacher w misses the w-weighted sum of the rows. So the mean of its squared error over w ~ N(0, I) is
    the sum of the squares of all rows.

    Parameters
    ----------
    X : array, shape (d, N)
        The inputs of the context; the targets of the d teachers are X itself.
    x_query : array, shape (d, n_queries)
        Queries, each on its own; their tokens start with zero targets.
    layers : sequence of LSAWeights
        Of width 2 d; context and queries go through all of them.

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
    xp, d = namespace(X), X.shape[0]
    context, queries = xp.block([[X], [X]]), xp.block([[x_query], [x_query * 0]])
    for depth, weights in enumerate(layers, start=1):
        queries = lsa_layer(queries, context, weights)
        if depth < len(layers):  # no query reads the context after the last layer
            context = lsa_layer(context, context, weights)
    return x_query + xp.split(queries, (d, d))[1]


def mean_squared_error(
    contexts: Iterable[tuple[Scalar, Array]], layers: Sequence[LSAWeights], m_2: Scalar
) -> Scalar:
    """Return the squared error of the layers, averaged over teachers, contexts and queries.

    Parameters
    ----------
    contexts : iterable of (probability, array of shape (d, N))
        Every context X, after its probability.
    layers : sequence of LSAWeights
        Of width 2 d.
    m_2 : number
        The mean square of an entry of the query. A query x enters the error linearly, so that its mean
        E x xᵀ = m_2 I is all that counts.

    Returns
    -------
    number
        For teachers w ~ N(0, I), and for any others with E w wᵀ = I.
    """
    errors = (
        namespace(X).squared_norm(coordinate_errors(X, namespace(X).eye(X.shape[0]), layers)) * probability
        for probability, X in contexts
    )
    return sum(errors, start=m_2 * 0) * m_2
