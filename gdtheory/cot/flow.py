r"""Gradient flow on the population chain-of-thought loss: dV/dt = -∂L/∂V and dW/dt = -∂L/∂W.

From a small start the flow of Huang et al. (2025), Theorem 4.1, has two stages. While W is small, V moves to
the plateau where the loss for W = 0 is least,

.. math:: V = -\frac{1}{c} I = -\frac{\eta^*}{k + 1} I, \qquad \eta^* = \frac{n}{n + d + 1},

then W grows, and V follows. The one minimum among multiples of I is known in closed form, see
`gdtheory.cot.scalar_minimiser`. Flows from small starts were seen to end there at η = 2/5; but where it is a
saddle in skew directions (GDT-0097), as for small rates, a flow with any skew part runs off.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gdtheory.arguments import FloatArray, Rate, boolean, float_array, plain_count, require_finite
from gdtheory.cot import eigenvalues, population
from gdtheory.cot.coefficients import Coefficients, loss_coefficients
from gdtheory.errors import ArgumentError, DTypeError, NonFiniteError, ShapeError, shown
from gdtheory.ledger import exactly

METHODS = ("LSODA", "Radau", "BDF", "DOP853", "RK45")
"""The solvers of SciPy on offer; the first three can follow a stiff flow."""

MOST_STIFF_UNKNOWNS = 1000
"""Up to that many unknowns the default is LSODA, whose Jacobian is a full matrix; beyond, DOP853."""

NEVER = 1e100
"""A time that no flow reaches: the end of one that is stopped by its gradient."""

SHORTEST, LONGEST = 1e-100, 1e25
"""Where a flow may be told to end. At rest LSODA lengthens its steps, and beyond it loses the solution."""


@dataclass(frozen=True, slots=True)
class Stages:
    """When the two stages were seen, at accepted steps of the solver; None for what did not happen.

    Attributes
    ----------
    plateau : float
        -η*/(k+1), the best multiple of I for V while W = 0.
    plateau_reached : float or None
        First time at which tr V / d is within 5% of `plateau`.
    growth : float or None
        First time at which tr W / d is at least half way from its first to its last value.
    """

    plateau: float
    plateau_reached: float | None
    growth: float | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Flow:
    r"""A solution of the gradient flow: what it was at each accepted step, and where it ended.

    Attributes
    ----------
    times, losses, mean_v, mean_w, gradient_norms : ndarray, shape (steps + 1,)
        Time, loss, tr V / d, tr W / d and the root of the mean, over the d modes, of the squared gradient:
        :math:`\sqrt{(\|\partial L/\partial V\|^2 + \|\partial L/\partial W\|^2) / d}`.
    V, W : ndarray
        At the last time, in the shape of the start.
    stages : Stages
        When V reached the plateau, and when W grew.
    evaluations : int
        How often the gradient was computed for the solver.
    """

    times: FloatArray
    losses: FloatArray
    mean_v: FloatArray
    mean_w: FloatArray
    gradient_norms: FloatArray
    V: FloatArray
    W: FloatArray
    stages: Stages
    evaluations: int
    _pieces: tuple[Callable[[float], FloatArray], ...]

    def __repr__(self) -> str:
        """Return where the flow ended, and not its arrays."""
        last = self.times[-1], self.losses[-1], self.gradient_norms[-1], self.mean_v[-1], self.mean_w[-1]
        shown = "t={:.6g}, loss={:.8g}, gradient_norm={:.2g}, mean_v={:.6g}, mean_w={:.6g}".format(*last)
        return f"Flow({len(self.times) - 1} steps to {shown})"

    @property
    def largest_rise(self) -> float:
        """The most that the loss rose in one step, by errors of solver or rounding; 0 if it never rose."""
        return float(np.diff(self.losses).max(initial=0.0))

    def at(self, t: float) -> tuple[FloatArray, FloatArray]:
        """Return V and W at a time from 0 to the last, by the solver's interpolation.

        Raises
        ------
        DTypeError, ArgumentError
            If `t` is no number or outside of the flow, or the flow was made with ``dense=False``.
        """
        t = _number("t", t, 0, float(self.times[-1]))
        if t == self.times[-1]:
            return self.V.copy(), self.W.copy()
        if not self._pieces:
            raise ArgumentError("t", expected="a flow that was made with dense=True", got=t)
        piece = self._pieces[int(np.searchsorted(self.times, t, side="right")) - 1]
        V, W = piece(t).reshape(2, *self.V.shape)
        return V, W


def gradient_flow(
    V0: Any,
    W0: Any,
    n: int,
    k: int,
    eta: Rate,
    t_end: float | None = None,
    *,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    gradient_tolerance: float | None = None,
    method: str | None = None,
    dense: bool = True,
    max_evaluations: int = 100_000,
) -> Flow:
    """Return the gradient flow of the population loss from V0 and W0.

    Parameters
    ----------
    V0, W0 : array_like of float64, both of shape (d, d) or both of shape (d,)
        The blocks V_31 and W_13 at the start; or, where they have the same orthonormal eigenvectors, their
        eigenvalues in the order of these, which then are all that moves, at O(d) per evaluation.
    n, k, eta
        As for `gdtheory.cot.population_loss`.
    t_end : float, optional
        When to stop, 0 or from 1e-100 to 1e25; by default when the gradient norm falls to
        `gradient_tolerance`, near a stationary point or far out in a valley.
    rtol, atol : float
        Tolerances of the solver for its local error, relative and absolute.
    gradient_tolerance : float, optional
        What stops a flow without `t_end`, 10 `rtol` by default. The solver's error keeps the gradient above
        about `rtol` times the curvature, so a smaller one may never be reached; one below the rounding error
        of the gradient is refused at the end.
    method : str, optional
        "LSODA", "Radau", "BDF", "DOP853" or "RK45", as in SciPy. By default LSODA, which notices
        whether the flow is stiff, up to 1000 unknowns, and beyond that the explicit DOP853.
    dense : bool
        Whether to keep what `Flow.at` needs, about ten times the state per step.
    max_evaluations : int
        The most gradients that the solver may ask for.

    Raises
    ------
    DTypeError, ShapeError, NonFiniteError, ArgumentError
        If an argument is not as described, as for `gdtheory.cot.population_loss` too; if `max_evaluations`
        are not enough, or the solver finds no step, which the ArgumentError for `method` says.

    Notes
    -----
    Huang et al. (2025), Section 2 and Theorem 4.1.

    Examples
    --------
    >>> flow = gradient_flow(np.full(10, 0.01), np.full(10, 0.01), 20, 5, "2/5")
    >>> from gdtheory.cot import scalar_minimiser
    >>> best = scalar_minimiser(20, 10, 5, "2/5")
    >>> bool(abs(flow.V - float(best.v)).max() < 1e-6 and abs(flow.W - float(best.w)).max() < 1e-6)
    True
    >>> flow.stages.plateau_reached < flow.stages.growth
    True
    """
    V, W = _start(V0, W0)
    a = loss_coefficients(n, len(V), k, eta)
    form = _Form(eigenvalues if V.ndim == 1 else population, a.like(V), V.shape)
    end = NEVER if t_end is None else _number("t_end", t_end, 0, LONGEST)
    if 0 < end < SHORTEST:
        raise ArgumentError("t_end", expected=f"0 or a number from {SHORTEST:g} to {LONGEST:g}", got=t_end)
    tolerances = {"rtol": _number("rtol", rtol, 1e-13, 1), "atol": _number("atol", atol, 1e-300, NEVER)}
    enough = 10 * rtol if gradient_tolerance is None else gradient_tolerance
    enough = _number("gradient_tolerance", enough, 0, NEVER) if t_end is None else -1.0
    dense = boolean("dense", dense)
    most = plain_count("max_evaluations", max_evaluations, 1)
    records = [form.record(0.0, np.concatenate([V.ravel(), W.ravel()]))]
    if not np.isfinite(records[0]).all():
        got = f"{records[0][1]}, with a gradient of norm {records[0][-1]}"
        raise NonFiniteError("V0 and W0", expected="a loss in the range of floats", got=got)
    solver = _solver(form, V, W, end, method, tolerances)
    pieces = []
    while solver.t < end and records[-1][-1] > enough:
        with warnings.catch_warnings(record=True, action="always") as said:  # LSODA warns of what stopped it
            message = solver.step()
        if solver.status == "failed":
            raise _lost(solver.t, said[-1].message if said else message)
        if solver.nfev > most:
            reached = f"t = {solver.t:.6g}, where the gradient norm is {records[-1][-1]:.2g}"
            got = f"{most}, which were used up at {reached}"
            raise ArgumentError("max_evaluations", expected="enough for the flow", got=got)
        records.append(record := form.record(solver.t, solver.y))
        if not np.isfinite(record).all():
            raise _lost(solver.t, "the loss has left the range of floats")
        if record[1] - records[-2][1] > max(1e-6, 10 * rtol) * max(records[0][1], abs(records[-2][1])):
            raise _lost(solver.t, "the loss rose, which along a gradient flow it cannot")
        if dense:
            pieces.append(solver.dense_output())
    times, losses, mean_v, mean_w, norms = np.array(records).T
    V, W = solver.y.reshape(2, *V.shape).copy()
    if t_end is None:
        _require_smaller_rounding(form, V, W, a, enough)
    stages = _stages(-1 / float(a.c), times, mean_v, mean_w)
    return Flow(times, losses, mean_v, mean_w, norms, V, W, stages, solver.nfev, tuple(pieces))


@dataclass(frozen=True, slots=True)
class _Form:
    """The loss as a function of the solver's vector, which holds V and then W."""

    module: Any
    a: Coefficients
    shape: tuple[int, ...]

    def minus_gradient(self, t: float, y: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):  # a step that leaves the range of floats is one to reject
            dV, dW = self.module.gradient(*y.reshape(2, *self.shape), self.a)
        slope = np.concatenate([dV.ravel(), dW.ravel()])
        return np.negative(slope, out=slope)

    def record(self, t: float, y: FloatArray) -> tuple[float, float, float, float, float]:
        """Return time, loss, mean eigenvalues and the norm of the gradient."""
        V, W = y.reshape(2, *self.shape)
        slope = self.minus_gradient(t, y)
        with np.errstate(all="ignore"):
            loss = float(self.module.loss(V, W, self.a))
            norm = float(np.sqrt(slope @ slope / len(V)))
        mean_v, mean_w = (float((x if x.ndim == 1 else x.diagonal()).mean()) for x in (V, W))
        return t, loss, mean_v, mean_w, norm


def _lost(t: float, message: object) -> ArgumentError:
    got = f"one that stopped at t = {t:.6g}: {message}"
    return ArgumentError("method", expected="a solver that can follow this flow", got=got)


def _require_smaller_rounding(
    form: _Form, V: FloatArray, W: FloatArray, a: Coefficients, enough: float
) -> None:
    """Refuse an end where the rounding error of the gradient may exceed the gradient that was asked for."""
    on_ledger = exactly(V), exactly(W)
    bounds = [slope.bound for slope in form.module.gradient(*on_ledger, a.like(on_ledger[0]))]
    norm = np.sqrt(sum((bound**2).sum() for bound in bounds) / len(V))
    if not norm <= enough:
        expected = f"at least {norm:.2g}, which the gradient at the end may be off by rounding"
        raise ArgumentError("gradient_tolerance", expected=expected, got=enough)


def _solver(
    form: _Form, V: FloatArray, W: FloatArray, end: float, method: str | None, tolerances: dict[str, float]
) -> Any:
    from scipy import integrate

    default = "LSODA" if 2 * V.size <= MOST_STIFF_UNKNOWNS else "DOP853"
    name = default if method is None else method
    if not isinstance(name, str) or name not in METHODS:
        raise ArgumentError("method", expected=f"one of {', '.join(METHODS)}", got=shown(method))
    start = np.concatenate([V.ravel(), W.ravel()])
    return getattr(integrate, name)(form.minus_gradient, 0.0, start, end, **tolerances)


def _stages(plateau: float, times: FloatArray, mean_v: FloatArray, mean_w: FloatArray) -> Stages:
    on_plateau = np.abs(mean_v - plateau) <= abs(plateau) / 20
    gained = (mean_w - mean_w[0]) * np.sign(mean_w[-1] - mean_w[0])
    grown = (gained > 0) & (gained >= gained[-1] / 2)
    reached, growth = (float(times[where.argmax()]) if where.any() else None for where in (on_plateau, grown))
    return Stages(plateau, reached, growth)


def _start(V0: Any, W0: Any) -> tuple[FloatArray, FloatArray]:
    V, W = (
        float_array(name, x, dtype=np.dtype(np.float64), min_axes=1) for name, x in (("V0", V0), ("W0", W0))
    )
    if V.shape not in [(V.shape[0],), (V.shape[0],) * 2]:
        raise ShapeError("V0", expected="shape (d, d) or (d,)", got=f"shape {V.shape}")
    if W.shape != V.shape:
        raise ShapeError("W0", expected=f"shape {V.shape}, as V0", got=f"shape {W.shape}")
    plain_count("d", len(V), 1)
    require_finite("V0", V)
    require_finite("W0", W)
    return V, W


def _number(name: str, value: Any, least: float, most: float) -> float:
    """Return a number within two bounds as a float."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise DTypeError(name, expected="a number", got=shown(value))
    value = value.item() if isinstance(value, np.generic) else value  # NEVER is no float32
    if not least <= value <= most:
        raise ArgumentError(name, expected=f"a number from {least:g} to {most:g}", got=value)
    return float(value)
