"""The kernels against the constructions: equal where floats are exact, else within certified bounds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gdtheory
from gdtheory.arguments import float_array
from gdtheory.constructions.lsa import LSAWeights, lsa_layer, lsa_layer_folded
from gdtheory.errors import DTypeError, NonFiniteError, ShapeError
from gdtheory.kernels import lsa as module
from gdtheory.kernels.compiling import compiled
from gdtheory.kernels.lsa import BATCHES, CHUNK, MANY_TASKS, TILE, lsa
from gdtheory.ledger import exactly

NAMES = ("W_K", "W_Q", "W_V", "P")
DTYPES = (np.float32, np.float64)
SEEDS = st.integers(0, 2**32 - 1)
dtypes = pytest.mark.parametrize("dtype", DTYPES)


def unaligned(array: np.ndarray) -> np.ndarray:
    buffer = np.frombuffer(b"\0" + array.tobytes(), np.uint8)
    return buffer[1:].view(array.dtype).reshape(array.shape)


def strided(array: np.ndarray) -> np.ndarray:
    wide = np.full(tuple(3 * size for size in array.shape), np.nan, array.dtype)
    view = wide[tuple(slice(1, None, 3) for _ in array.shape)]
    view[...] = array
    return view


def read_only(array: np.ndarray) -> np.ndarray:
    frozen = array.copy()
    frozen.flags.writeable = False
    return frozen


class Foreign:
    """An array of a library that is not NumPy."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.array, dtype, copy=copy)


LAYOUTS = {
    "C": np.copy,
    "Fortran": lambda a: np.array(a, order="F"),
    "strided": strided,
    "reversed": lambda a: a[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
    "broadcast": lambda a: np.broadcast_to(a, (1, *a.shape))[0],
    "read-only": read_only,
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "unaligned": unaligned,
    "foreign": Foreign,
}


def layer(rng: np.random.Generator, D: int, dtype: Any, draw: str = "normal") -> LSAWeights:
    """Random weights: normal, or of -1, 0 and 1 only."""
    return LSAWeights(*(random(rng, (D, D), dtype, draw) for _ in NAMES))


def random(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any, draw: str = "normal") -> np.ndarray:
    return (rng.standard_normal(shape) if draw == "normal" else rng.integers(-1, 2, shape)).astype(dtype)


def mapped(weights: LSAWeights, function: Any) -> LSAWeights:
    return LSAWeights(*(function(getattr(weights, name)) for name in NAMES))


def construction(
    tokens: Any, weights: LSAWeights, n_context: int, form: Any = lsa_layer, kind: Any = np.asarray
) -> Any:
    """The layer on one task in another kind of number. Tokens are columns there."""
    return form(kind(tokens.T), kind(tokens[:n_context].T), mapped(weights, kind)).T


def fractions(array: np.ndarray) -> np.ndarray:
    return np.array([Fraction(float(x)) for x in array.flat], object).reshape(array.shape)


@contextmanager
def threads(n: int) -> Iterator[None]:
    before = numba.get_num_threads()
    numba.set_num_threads(n)
    try:
        yield
    finally:
        numba.set_num_threads(before)


two_threads = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="Numba has one thread here")

# ---------------------------------------------------------------------------------- what it returns

# Tokens and weights of -1, 0 and 1 keep every number on the way an integer. The largest is at most
# 1 + D⁵ T for one product W_PV (G W_KQ) e, which is below 2²⁴: no evaluation in either dtype rounds,
# so that any two must be equal.
SHAPES = st.tuples(st.sampled_from([(), (1,), (3,), (2, 1, 2), (0,), (2, 0)]), st.integers(1, 40))


@given(SHAPES, st.integers(1, 12), st.data(), SEEDS)
def test_equals_the_construction(shape, D, data, seed):
    (tasks, T), rng = shape, np.random.default_rng(seed)
    dtype, layout = data.draw(st.sampled_from(DTYPES)), data.draw(st.sampled_from(sorted(LAYOUTS)))
    n_context = data.draw(st.none() | st.integers(1, T))
    integers = random(rng, (*tasks, T, D), np.float64, "integers")
    weights = layer(rng, D, np.float64, "integers")
    tokens = LAYOUTS[layout](integers.astype(dtype))
    given_weights = mapped(weights, lambda a: LAYOUTS[layout](a.astype(dtype)))
    before = np.asarray(tokens).tobytes()

    result = lsa(tokens, given_weights, n_context=n_context)

    expected = np.empty_like(integers)
    for task in np.ndindex(*tasks):
        expected[task] = construction(integers[task], weights, n_context or T)
    assert result.dtype == dtype
    assert result.shape == integers.shape
    assert result.flags.c_contiguous and result.flags.writeable
    assert np.array_equal(result, expected)
    assert np.asarray(tokens).tobytes() == before
    assert not np.shares_memory(result, np.asarray(tokens))


# Around the numbers of tasks in a batch, tokens in a tile, and features in a vector register.
@dtypes
@pytest.mark.parametrize("n_tasks", [1, BATCHES - 1, BATCHES, BATCHES + 1, 2 * BATCHES + 3])
@pytest.mark.parametrize(
    ("T", "D"),
    [(TILE - 1, 3), (TILE, 3), (TILE + 1, 3), (2 * TILE, 3), (5, 7), (5, 8), (5, 9), (5, 16), (5, 17)],
)
def test_equals_the_construction_around_other_sizes(T, D, n_tasks, dtype):
    rng = np.random.default_rng(T + D)
    tokens = random(rng, (n_tasks, T, D), np.float64, "integers")
    weights = layer(rng, D, np.float64, "integers")
    result = lsa(tokens.astype(dtype), mapped(weights, lambda a: a.astype(dtype)))
    for task in range(n_tasks):
        assert np.array_equal(result[task], construction(tokens[task], weights, T))


@dtypes
@pytest.mark.parametrize("n_tasks", [1, 2, MANY_TASKS])
@pytest.mark.parametrize("n_context", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1, None])
@pytest.mark.parametrize("T", [CHUNK, CHUNK + 1, 3 * CHUNK])
def test_equals_the_construction_around_the_size_of_a_chunk(T, n_context, n_tasks, dtype):
    n_context = min(n_context or T, T)
    rng = np.random.default_rng(T + n_context)
    tokens = random(rng, (n_tasks, T, 2), np.float64, "integers")
    weights = layer(rng, 2, np.float64, "integers")
    result = lsa(tokens.astype(dtype), mapped(weights, lambda a: a.astype(dtype)), n_context=n_context)
    for task in {0, n_tasks - 1}:
        folded = construction(tokens[task], weights, n_context, lsa_layer_folded)
        assert np.array_equal(result[task], folded)


def within_bound(tokens: np.ndarray, weights: LSAWeights, n_context: int, form: Any = lsa_layer) -> bool:
    """Whether every number of the result is within its certified bound of the exact value of `form`."""
    result = lsa(tokens, weights, n_context=n_context)
    ledger = construction(tokens, weights, n_context, lsa_layer_folded, exactly)
    exact = construction(tokens, weights, n_context, form, fractions)
    assert np.isfinite(ledger.bound).all()
    return all(
        abs(Fraction(float(x)) - y) <= Fraction(float(b))
        for x, y, b in zip(result.flat, exact.flat, ledger.bound.flat, strict=True)
    )


# The least sizes underflow: in float32, 10⁻³⁹ is subnormal. The largest stays in the range of float32.
@given(st.sampled_from(DTYPES), st.integers(1, 20), st.integers(1, 6), st.integers(-39, 8), st.data(), SEEDS)
def test_rounding_errors_are_within_the_certified_bound(dtype, T, D, exponent, data, seed):
    rng = np.random.default_rng(seed)
    tokens = (rng.standard_normal((T, D)) * 10.0**exponent).astype(dtype)
    assert within_bound(tokens, layer(rng, D, dtype), data.draw(st.integers(1, T)))


@dtypes
@pytest.mark.parametrize("n_context", [CHUNK, 2 * CHUNK + 1])
def test_rounding_errors_over_chunks_are_within_the_certified_bound(n_context, dtype):
    rng = np.random.default_rng(n_context)
    tokens = random(rng, (2 * CHUNK + 3, 2), dtype)
    assert within_bound(tokens, layer(rng, 2, dtype), n_context, lsa_layer_folded)


# The bound counts one rounding for the sum e_j + M e_j: M e_j must not be summed up onto e_j.
@dtypes
def test_the_last_sum_is_rounded_by_itself(dtype):
    rng = np.random.default_rng(0)
    tokens, M_T = float_array("tokens", random(rng, (9, 16), dtype) * 100), random(rng, (16, 16), dtype)
    e, y = np.zeros((2, TILE, 16), dtype)
    product, onto, moved = np.zeros_like(tokens), tokens.copy(), np.empty_like(tokens)
    module._add_product(tokens.copy().T, M_T, product)
    module._add_product(tokens.copy().T, M_T, onto)
    module._move(tokens, M_T, e, y, moved)
    assert np.array_equal(moved, tokens + product)
    assert not np.array_equal(moved, onto), "these numbers cannot tell one from the other"


@two_threads
@dtypes
@pytest.mark.parametrize("shape", [(1, 3 * CHUNK + 5, 9), (3, CHUNK + 1, 5), (MANY_TASKS + 1, 21, 21)])
def test_any_number_of_threads_gives_the_same_bits(shape, dtype):
    rng = np.random.default_rng(0)
    tokens, weights = random(rng, shape, dtype), layer(rng, shape[-1], dtype)
    results = []
    for n in (1, 2):
        with threads(n):
            results.append(lsa(tokens, weights).tobytes())
    assert results[0] == results[1]


@dtypes
def test_a_task_gives_the_same_bits_in_any_company(dtype):
    rng = np.random.default_rng(0)
    task, weights = random(rng, (2 * CHUNK + 5, 3), dtype), layer(rng, 3, dtype)
    alone = lsa(task, weights, n_context=2 * CHUNK + 1)
    among_many = lsa(np.broadcast_to(task, (MANY_TASKS, *task.shape)), weights, n_context=2 * CHUNK + 1)
    assert {result.tobytes() for result in among_many} == {alone.tobytes()}


def test_tokens_in_a_file(tmp_path):
    rng = np.random.default_rng(0)
    tokens, weights = random(rng, (3, 5, 4), np.float64), layer(rng, 4, np.float64)
    np.save(tmp_path / "tokens.npy", tokens)
    for mode in ("r", "r+", "c"):
        mapping = np.load(tmp_path / "tokens.npy", mmap_mode=mode)
        result = lsa(mapping, weights)
        assert type(result) is np.ndarray
        assert np.array_equal(result, lsa(tokens, weights))
        assert np.array_equal(mapping, tokens)


def test_a_kernel_is_compiled_once_for_each_dtype():
    for dtype in DTYPES:
        tokens = np.ones((2, 3, 4), dtype)
        for layout in LAYOUTS.values():
            lsa(layout(tokens), layer(np.random.default_rng(0), 4, dtype))
    assert len(module._lsa_by_task.signatures) == len(DTYPES)


def test_a_list_of_floats_is_an_array():
    weights = layer(np.random.default_rng(0), 2, np.float64)
    rows = [[1.0, 2.0], [3.0, 4.0]]
    assert np.array_equal(lsa(rows, weights), lsa(np.array(rows), weights))


# ----------------------------------------------------------------------------------- what it refuses

TOKENS = np.arange(1.0, 25.0).reshape(2, 4, 3)
EYES = LSAWeights(*[np.eye(3)] * 4)


def with_entry(array: np.ndarray, value: float, *, at: tuple[int, ...] = (-1, -1)) -> np.ndarray:
    changed = array.copy()
    changed[..., *at] = value
    return changed


BAD_TOKENS = {
    "no array": (None, DTypeError, "float32 or float64, got object"),
    "a ragged list": ([[1.0], [1.0, 2.0]], DTypeError, "an array, got list"),
    "text": ("tokens", DTypeError, "got <U6"),
    "integers": (TOKENS.astype(int), DTypeError, r"int64; convert with np.asarray\(tokens, dtype=np.float64"),
    "a list of integers": ([[1, 2, 3]], DTypeError, "convert with"),
    "booleans": (TOKENS > 0, DTypeError, "got bool"),
    "float16": (TOKENS.astype(np.float16), DTypeError, "float16; convert with"),
    "long double": (TOKENS.astype(np.longdouble), DTypeError, "got "),
    "complex": (TOKENS.astype(complex), DTypeError, "got complex128"),
    "objects": (TOKENS.astype(object), DTypeError, "got object"),
    "a masked array": (np.ma.masked_array(TOKENS), DTypeError, "without a mask"),
    "no axis": (np.float64(1.0), ShapeError, r"at least 2 axes, got shape \(\)"),
    "one axis": (TOKENS[0, 0], ShapeError, "at least 2 axes"),
    "no token": (TOKENS[:, :0], ShapeError, "at least one token"),
    "no feature": (TOKENS[..., :0], ShapeError, "at least one token of one feature"),
    "NaN": (with_entry(TOKENS, np.nan), NonFiniteError, r"got nan at \(0, 3, 2\)"),
    "NaN in the context": (with_entry(TOKENS, np.nan, at=(0, 0)), NonFiniteError, "got nan at"),
    "infinity": (with_entry(TOKENS, np.inf), NonFiniteError, "got inf at"),
    "minus infinity": (with_entry(TOKENS, -np.inf), NonFiniteError, "got -inf at"),
}


@pytest.mark.parametrize(("tokens", "error", "message"), BAD_TOKENS.values(), ids=BAD_TOKENS)
def test_refuses_tokens(tokens, error, message):
    with pytest.raises(error, match=f"^tokens: expected .*{message}") as caught:
        lsa(tokens, EYES, n_context=1)
    assert caught.value.argument == "tokens"


# LSAWeights refuses them itself in NumPy's arrays, but it lets arrays of other libraries through.
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("entry", [np.nan, np.inf, -np.inf])
def test_refuses_a_weight_that_is_not_finite(entry, name):
    bad = {name: Foreign(with_entry(np.eye(3), entry))}
    weights = LSAWeights(**{n: Foreign(np.eye(3)) for n in NAMES} | bad)
    with pytest.raises(NonFiniteError, match=rf"^weights\.{name}: .*got {entry} at \(2, 2\)"):
        lsa(TOKENS, weights)


def test_refuses_weights_of_another_precision_than_the_tokens():
    with pytest.raises(DTypeError, match=r"^weights\.W_K: expected float32, got float64"):
        lsa(TOKENS.astype(np.float32), EYES)


@pytest.mark.parametrize(
    ("kind", "got"),
    [
        (fractions, "object"),
        (lambda a: Foreign(a.astype(int)), r"int64; convert with np.asarray\(weights\.W_K"),
    ],
    ids=["fractions", "integers of another library"],
)
def test_refuses_weights_of_another_kind_of_number(kind, got):
    with pytest.raises(DTypeError, match=rf"^weights\.W_K: expected float64, got {got}"):
        lsa(TOKENS, mapped(EYES, kind))


def test_refuses_weights_of_another_size():
    with pytest.raises(ShapeError, match=r"^weights\.W_K: expected shape \(3, 3\).* got shape \(2, 2\)"):
        lsa(TOKENS, LSAWeights(*[np.eye(2)] * 4))


def test_refuses_what_is_not_weights():
    with pytest.raises(DTypeError, match=r"^weights: expected LSAWeights, got tuple"):
        lsa(TOKENS, (np.eye(3),) * 4)


@pytest.mark.parametrize("n_context", [0, -1, 5, 2.0, "2", True, np.True_, np.float64(2)])
def test_refuses_n_context(n_context):
    with pytest.raises(
        (ShapeError, DTypeError), match=r"^n_context: expected (at least 1 and at most 4|a whole)"
    ):
        lsa(TOKENS, EYES, n_context=n_context)


def test_takes_integers_of_numpy_for_n_context():
    assert np.array_equal(lsa(TOKENS, EYES, n_context=np.uint8(2)), lsa(TOKENS, EYES, n_context=2))


# Also where it is a product of the weights that overflows.
@dtypes
@pytest.mark.parametrize("large", ["tokens", "weights"])
def test_refuses_a_result_that_overflows(large, dtype):
    size = np.sqrt(np.finfo(dtype).max)
    tokens = np.ones((5, 3), dtype) * (size if large == "tokens" else 1)
    weights = mapped(EYES, lambda a: (2 * a * (size if large == "weights" else 1)).astype(dtype))
    with pytest.raises(NonFiniteError, match=f"^result: expected .*{np.dtype(dtype)}, got overflow"):
        lsa(tokens, weights)


def test_checks_the_other_arguments_where_there_is_no_task():
    with pytest.raises(NonFiniteError, match=r"^weights\.W_K"):
        lsa(TOKENS[:0], mapped(EYES, lambda a: Foreign(a * np.nan)))
    with pytest.raises(ShapeError, match=r"^n_context"):
        lsa(TOKENS[:0], EYES, n_context=0)


# ------------------------------------------------------------------------- where it keeps its cache


def twice(x: float) -> float:
    return 2 * x


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"XDG_CACHE_HOME": "/cache"}, "cache/gdtheory/numba"),
        ({}, "home/.cache/gdtheory/numba"),
        ({"XDG_CACHE_HOME": "relative"}, "home/.cache/gdtheory/numba"),
        ({"NUMBA_CACHE_DIR": "/mine"}, "mine"),
        ({"NUMBA_CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}, "home/.cache/gdtheory/numba"),
        # No folder can be made below a file, nor in /proc, not even by root.
        ({"HOME": "/dev/null"}, None),
        ({"HOME": "/proc/nobody"}, None),
        ({"HOME": "relative"}, None),
        ({"XDG_CACHE_HOME": "/dev/null"}, None),
        ({"NUMBA_CACHE_DIR": "/dev/null"}, None),
    ],
    ids=str,
)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")
def test_the_cache_is_in_the_users_folder_or_nowhere(tmp_path, monkeypatch, variables, folder):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    for name, value in ({"HOME": "/home"} | variables).items():
        impossible = value.startswith(("/dev", "/proc"))
        value = f"{tmp_path}{value}" if value.startswith("/") and not impossible else value
        if name.startswith("NUMBA_"):
            monkeypatch.setattr(numba.config, name.removeprefix("NUMBA_"), value)
        else:
            monkeypatch.setenv(name, value)
    before = vars(numba.config).copy()

    kernel = compiled()(twice)

    assert kernel(2.0) == 4.0
    found = kernel.stats.cache_path
    assert found is None if folder is None else Path(found).parent == tmp_path / folder
    assert {path.name for path in tmp_path.iterdir()} == ({folder.split("/")[0]} if folder else set())
    assert vars(numba.config) == before


@pytest.fixture
def package(tmp_path) -> Path:
    """A copy of the package."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(
        shutil.copytree(Path(gdtheory.__file__).parent, tmp_path / "copy" / "gdtheory", ignore=ignored)
    )


def run(package: Path, code: str, home: str) -> list[str]:
    """Run code that uses the copy, in a clean environment, and return the words that it prints."""
    variables = {"HOME": home, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(code)]
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    done = subprocess.run(command, env=kept | variables, cwd=package.parent, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


COMPILE = """
    import numpy as np
    from gdtheory.kernels import lsa
    lsa._load(np.ones((2, 2)), np.zeros((2, 2)))
    stats = lsa._load.stats
    print(stats.cache_path, sum(stats.cache_hits.values()))
"""


def test_a_second_process_loads_what_the_first_compiled(package, tmp_path):
    before = files(package.parent)
    first, second = (run(package, COMPILE, home=str(tmp_path)) for _ in range(2))
    assert [first[1], second[1]] == ["0", "1"]
    assert files(Path(first[0])) and Path(first[0]).is_relative_to(tmp_path / ".cache" / "gdtheory")
    assert files(package.parent) == before


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")
def test_the_kernels_work_without_a_cache(package):
    before = set(package.parent.rglob("*"))
    assert run(package, COMPILE, home="/dev/null") == ["None", "0"]
    assert set(package.parent.rglob("*")) == before


def test_functions_of_others_are_cached_as_ever(package, tmp_path):
    theirs = tmp_path / "theirs.py"
    theirs.write_text("import numba\n\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n")
    code = f"""
        import sys
        sys.path.append({str(tmp_path)!r})
        import gdtheory.kernels.lsa, theirs
        theirs.twice(1)
        print(theirs.twice.stats.cache_path)
    """
    assert run(package, code, home=str(tmp_path)) == [str(tmp_path / "__pycache__")]


def test_the_folder_of_kernels_does_not_load_numba(package):
    code = "import sys, gdtheory.kernels; print('numba' in sys.modules)"
    assert run(package, code, home="/dev/null") == ["False"]
