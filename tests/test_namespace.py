"""Array verbs on every library: values, dtypes, devices and gradients."""

from __future__ import annotations

import sys
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from gdtheory.constructions.contextual import weight_transfer
from gdtheory.constructions.lsa import gd_step_weights, lsa_layer, regression_tokens
from gdtheory.errors import DTypeError, ShapeError
from gdtheory.exact import to_fractions
from gdtheory.ledger import exactly
from gdtheory.matrices import matrices
from gdtheory.namespace import namespace
from gdtheory.proofs.blocks import free


def numpy_array(dtype):
    return lambda rows: np.array(rows, dtype=dtype)


def fraction_array(rows):
    return to_fractions(np.array(rows, dtype=np.float64))


def torch_tensor(dtype):
    def make(rows):
        torch = pytest.importorskip("torch", reason="PyTorch is an extra of gdtheory")
        return torch.tensor(rows, dtype=getattr(torch, dtype))

    return make


def jax_array(dtype):
    def make(rows):
        jax = pytest.importorskip("jax", reason="JAX is no dependency of gdtheory")
        jax.config.update("jax_enable_x64", True)
        return jax.numpy.asarray(np.array(rows, dtype=dtype))

    return make


LIBRARIES = {
    "numpy float32": numpy_array(np.float32),
    "numpy float64": numpy_array(np.float64),
    "fractions": fraction_array,
    "torch float32": torch_tensor("float32"),
    "torch float64": torch_tensor("float64"),
    "jax float32": jax_array(np.float32),
    "jax float64": jax_array(np.float64),
}
on_every_library = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)
on_other_libraries = pytest.mark.parametrize("name", [name for name in LIBRARIES if name[0] in "tj"])
A = [[1.0, -2.0, 0.5], [4.0, 0.0, 3.0]]


def check(found, like, expected):
    """Require the array type, dtype, shape and values."""
    assert type(found) is type(like) and found.dtype == like.dtype
    assert tuple(found.shape) == np.shape(expected)
    assert (np.asarray(found) == np.asarray(expected)).all()


@on_every_library
def test_constants_have_the_kind_of_number_of_the_array(make):
    a = make(A)
    xp = namespace(a)
    check(xp.eye(2), a, [[1, 0], [0, 1]])
    check(xp.zeros(2, 3), a, [[0, 0, 0], [0, 0, 0]])
    check(xp.ones(1, 2), a, [[1, 1]])
    for empty, shape in ((xp.eye(0), (0, 0)), (xp.zeros(0, 3), (0, 3)), (xp.ones(2, 0), (2, 0))):
        assert tuple(empty.shape) == shape and empty.dtype == a.dtype


@on_every_library
def test_blocks_are_put_together(make):
    a = make(A)
    xp = namespace(a)
    whole = xp.block([[a, xp.eye(2)], [xp.zeros(1, 3), xp.ones(1, 2)]])
    check(whole, a, [[1, -2, 0.5, 1, 0], [4, 0, 3, 0, 1], [0, 0, 0, 1, 1]])
    check(xp.block([[a]]), a, A)
    check(xp.block([[a, xp.zeros(2, 0)], [xp.zeros(0, 3), xp.zeros(0, 0)]]), a, A)


@on_every_library
def test_split_undoes_block(make):
    a = make(A)
    xp = namespace(a)
    left, middle, right = xp.split(a, (1, 0, 2), axis=1)
    check(left, a, [[1], [4]])
    check(middle, a, np.zeros((2, 0)))
    check(right, a, [[-2, 0.5], [0, 3]])
    upper, lower = xp.split(a, (1, 1))
    check(lower, a, A[1:])
    check(xp.block([[upper], [lower]]), a, A)


@on_every_library
def test_a_split_that_does_not_add_up_is_refused(make):
    a = make(A)
    for sizes in ((1,), (1, 2), (2, 1), (3,), (), (-1, 3), (3, -1)):
        for array, axis in ((a, 0), (a.T, 1)):
            with pytest.raises(ShapeError) as caught:
                namespace(a).split(array, sizes, axis=axis)
            assert "2" in caught.value.expected and str(sizes) in caught.value.got


@on_every_library
def test_squared_norm_and_zero(make):
    a = make(A)
    xp = namespace(a)
    assert xp.squared_norm(a) == 1 + 4 + 0.25 + 16 + 9
    assert xp.squared_norm(a * 0) == xp.squared_norm(xp.zeros(0, 2)) == 0
    assert xp.is_zero(a * 0) is True and xp.is_zero(-a * 0) is True
    assert xp.is_zero(xp.zeros(0, 1)) is True
    assert xp.is_zero(a) is False and xp.is_zero(xp.eye(3)) is False


def test_squared_norm_keeps_the_kind_of_number():
    assert type(namespace(fraction_array(A)).squared_norm(fraction_array(A))) is Fraction
    for dtype in (np.float32, np.float64):
        assert type(namespace(np.ones((1, 2), dtype)).squared_norm(np.ones((1, 2), dtype))) is dtype


def test_constants_beside_fractions_divide_exactly():
    xp = namespace(fraction_array(A))
    for constant in (xp.eye(2), xp.ones(2, 2), xp.zeros(2, 2)):
        assert all(type(entry / 3) is Fraction for entry in constant.flat)


def test_nan_is_not_zero():
    assert not namespace(np.ones(1)).is_zero(np.array([[np.nan]]))


@pytest.mark.parametrize(
    "array", [[[1.0]], 1.0, 1, "a", None, {}, Fraction(1), object()], ids=lambda value: type(value).__name__
)
def test_unknown_types_are_refused_by_name(array):
    with pytest.raises(DTypeError) as caught:
        namespace(array)
    assert caught.value.got == type(array).__name__


def test_a_type_may_bring_its_own_verbs():
    assert type(namespace(free("A", 2, 2)).eye(2)).__name__ == "Block"
    assert type(namespace(exactly(np.ones((1, 1)))).eye(2)).__name__ == "Ledger"


# ------------------------------------------------------------------------- one step, any library


def step(W_0, X, Y, x_query, eta):
    """Return the query token after the layer of Proposition 1."""
    E = regression_tokens(X, Y, x_query, W_0)
    context, query = namespace(E).split(E, (X.shape[1], 1), axis=1)
    return lsa_layer(query, context, gd_step_weights(W_0, eta, X.shape[1]))


def inputs(dtype):
    rng = np.random.default_rng(0)
    shapes = (3, 4), (4, 7), (3, 7), (4, 1)
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes], dtype(0.3)


@on_other_libraries
def test_a_step_agrees_with_numpy_within_the_certified_bound(name):
    dtype = getattr(np, name.split()[1])
    arrays, eta = inputs(dtype)
    found = np.asarray(step(*(LIBRARIES[name](a.tolist()) for a in arrays), float(eta)))
    certified = step(*map(exactly, arrays), exactly(eta))
    exact = step(*map(to_fractions, arrays), to_fractions(eta))
    by_numpy = step(*arrays, eta)
    assert found.dtype == by_numpy.dtype == dtype
    assert 0 < certified.bound.max() < 1e3 * np.finfo(dtype).eps
    assert (np.abs(to_fractions(found) - exact) <= to_fractions(certified.bound)).all()
    assert (np.abs(to_fractions(found) - to_fractions(by_numpy)) <= 2 * to_fractions(certified.bound)).all()


@on_other_libraries
def test_a_weight_transfer_agrees_with_numpy(name):
    W, A_full, A_rest = [[1.0, 2.0], [0.0, -1.0]], [[3.0], [1.0]], [[2.0], [0.0]]
    make = LIBRARIES[name]
    found = weight_transfer(make(W), make(A_full), make(A_rest))
    check(found, make(W), weight_transfer(*map(np.array, (W, A_full, A_rest))))


@pytest.mark.parametrize("wrap", ["tensor", "parameter"])
def test_gradients_flow_through_torch(wrap):
    """Of the y-part of the query: -W_0 x + (eta/N) Σ (W_0 x_i - y_i) x_iᵀx, in numbers without rounding."""
    torch = pytest.importorskip("torch", reason="PyTorch is an extra of gdtheory")
    X, Y, x = ([[1.0, 2.0], [-1.0, 3.0]], [[2.0, 5.0]], [[1.0], [4.0]])
    X, Y, x = (torch.tensor(rows, dtype=torch.float64) for rows in (X, Y, x))
    W_0 = torch.tensor([[2.0, -1.0]], dtype=torch.float64, requires_grad=True)
    W_0 = torch.nn.Parameter(W_0.detach()) if wrap == "parameter" else W_0
    eta = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    prediction = step(W_0, X, Y, x, eta)[-1, 0]
    prediction.backward()
    # W_0 x = -2, residuals W_0 x_i - y_i = 1, -4 and x_iᵀx = -3, 14: so -(-2) + (1/4)(-3 - 56)
    assert prediction.item() == 2 - 59 / 4
    assert eta.grad.item() == -59 / 2
    # -xᵀ + (1/4) Σ x_iᵀ x_iᵀx = -(1, 4) + (1/4)(-3 + 28, 3 + 42)
    assert W_0.grad.tolist() == [[-1 + 25 / 4, -4 + 45 / 4]]


def test_gradients_flow_through_jax():
    jax = pytest.importorskip("jax", reason="JAX is no dependency of gdtheory")
    jax.config.update("jax_enable_x64", True)
    X, Y, x, W_0 = ([[1.0, 2.0], [-1.0, 3.0]], [[2.0, 5.0]], [[1.0], [4.0]], [[2.0, -1.0]])
    X, Y, x, W_0 = map(jax.numpy.asarray, (X, Y, x, W_0))
    gradient = jax.jit(jax.grad(lambda W_0: step(W_0, X, Y, x, 0.5)[-1, 0]))(W_0)
    assert gradient.tolist() == [[-1 + 25 / 4, -4 + 45 / 4]]


def test_kinds_of_tensors_are_told_apart_by_dtype_and_not_by_type(monkeypatch):
    """A parameter is a tensor, and what JAX traces has another type than an array. No library is needed."""

    class Tensor:
        shape = (1, 1)

        def __init__(self, dtype):
            self.dtype, self.device = dtype, "cpu"

    class Parameter(Tensor):
        pass

    Tensor.__module__, Parameter.__module__ = "torch", "torch.nn.parameter"
    torch = SimpleNamespace(Tensor=Tensor)
    monkeypatch.setitem(sys.modules, "torch", torch)
    tensor, parameter = Tensor("torch.float32"), Parameter("torch.float32")
    for made in (tensor, parameter):
        assert namespace(made).library is torch
        assert namespace(made).options == {"dtype": "torch.float32", "device": "cpu"}
    assert matrices(a=(tensor, 1, 1), b=(parameter, 1, 1)) == [tensor, parameter]
    with pytest.raises(DTypeError) as caught:
        matrices(a=(tensor, 1, 1), b=(Parameter("torch.float64"), 1, 1))
    assert caught.value.argument == "b"


def test_torch_tensors_stay_on_their_device():
    torch = pytest.importorskip("torch", reason="PyTorch is an extra of gdtheory")
    a = torch.empty((2, 2), dtype=torch.float32, device="meta")
    xp = namespace(a)
    for made in (xp.eye(2), xp.zeros(2, 2), xp.ones(2, 2), xp.block([[a], [xp.eye(2)]])):
        assert made.device.type == "meta" and made.dtype == torch.float32
