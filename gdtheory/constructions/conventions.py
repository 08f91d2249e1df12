r"""Linear attention layers as three later papers write them.

Tokens are columns, the query token is the last. All three let a layer be two matrices and divide by
the length of the context; they differ in whether the query sees itself and in the sign of the read-out:

=================  ====================================================  ===========  ==========
paper              layer                                                 query        prediction
=================  ====================================================  ===========  ==========
Zhang et al. 2024  E + W^{PV} E (Eᵀ W^{KQ} E) / ρ                        sees itself  + y-part
Ahn et al. 2023    Z + P Z M (Zᵀ Q Z) / n, with M = diag(I_n, 0)         masked       − y-part
Huang et al. 2025  Z + V Z (Zᵀ W Z) / n                                  sees itself  + last token
=================  ====================================================  ===========  ==========
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gdtheory.arguments import whole_number
from gdtheory.matrices import matrices
from gdtheory.namespace import Array, namespace


@dataclass(frozen=True, slots=True, eq=False)
class ZhangWeights:
    """The layer of Zhang et al. (2024): E + W_PV E (Eᵀ W_KQ E) / rho; claim GDT-0007.

    W_PV and W_KQ have shape (D, D). Tokens that do not fit are refused with a ShapeError.
    """

    W_PV: Array
    W_KQ: Array
    rho: Any

    def layer(self, E: Array) -> Array:
        """Return all tokens after the layer; E has shape (D, N + 1)."""
        _, _, E = matrices(W_PV=(self.W_PV, "D", "D"), W_KQ=(self.W_KQ, "D", "D"), E=(E, "D", "N + 1"))
        return E + self.W_PV @ (E @ (E.T @ (self.W_KQ @ E))) / self.rho

    def predict(self, E: Array, N_y: int = 1) -> Array:
        """Return the y-part of the last token after the layer, shape (N_y, 1)."""
        return y_part(last_token(self.layer(E)), N_y)


@dataclass(frozen=True, slots=True, eq=False)
class AhnWeights:
    """The layer of Ahn et al. (2023): Z + P Z M (Zᵀ Q Z) / n, where M masks the query; claim GDT-0006.

    P and Q have shape (D, D). Tokens that do not fit are refused with a ShapeError.
    """

    P: Array
    Q: Array

    def layer(self, Z: Array) -> Array:
        """Return all tokens after the layer; Z has shape (D, n + 1)."""
        _, _, Z = matrices(P=(self.P, "D", "D"), Q=(self.Q, "D", "D"), Z=(Z, "D", "n + 1"))
        n = whole_number("n", Z.shape[1] - 1, 1)
        context, _ = namespace(Z).split(Z, (n, 1), axis=1)
        return Z + self.P @ (context @ (context.T @ (self.Q @ Z))) / n

    def predict(self, Z: Array, N_y: int = 1) -> Array:
        """Return minus the y-part of the last token after the layer, shape (N_y, 1)."""
        return -y_part(last_token(self.layer(Z)), N_y)


@dataclass(frozen=True, slots=True, eq=False)
class HuangWeights:
    """The layer of Huang et al. (2025), eq. (3): Z + V Z (Zᵀ W Z) / n; claims GDT-0007 to GDT-0010.

    V and W have shape (D, D). Z holds n examples and further tokens; n is all but the last token unless
    given. Tokens that do not fit are refused with a ShapeError.
    """

    V: Array
    W: Array

    def layer(self, Z: Array, n: Any = None) -> Array:
        """Return all tokens after the layer; Z has shape (D, number of tokens)."""
        Z, n = self._fitting(Z, n)
        return Z + self.V @ (Z @ (Z.T @ (self.W @ Z))) / n

    def next_token(self, Z: Array, n: Any = None) -> Array:
        """Return the last token after the layer, eq. (4): what a chain of thought appends to Z."""
        Z, n = self._fitting(Z, n)
        last = last_token(Z)
        return last + self.V @ (Z @ (Z.T @ (self.W @ last))) / n

    def _fitting(self, Z: Array, n: Any) -> tuple[Array, Any]:
        _, _, Z = matrices(V=(self.V, "D", "D"), W=(self.W, "D", "D"), Z=(Z, "D", "tokens"))
        return Z, whole_number("n", Z.shape[1] - 1 if n is None else n, 1)

    def predict(self, Z: Array, N_y: int = 1) -> Array:
        """Return the last N_y entries of the next token, shape (N_y, 1)."""
        return y_part(self.next_token(Z), N_y)


def last_token(tokens: Array) -> Array:
    """Return the last column of the tokens, shape (D, 1)."""
    T = whole_number("number of tokens", tokens.shape[1], 1)
    return namespace(tokens).split(tokens, (T - 1, 1), axis=1)[1]


def y_part(token: Array, N_y: int) -> Array:
    """Return the last N_y entries of one token, shape (N_y, 1)."""
    N_y = whole_number("N_y", N_y, 1)
    whole_number("number of inputs, D - N_y", token.shape[0] - N_y, 1)
    return namespace(token).split(token, (token.shape[0] - N_y, N_y))[1]
