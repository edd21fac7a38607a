"""Parts of Numba that we make faster have the same results."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from numba import njit, types
from numba.core.compiler import Flags
from numba.core.registry import cpu_target
from numba.core.typing import npydecl
from numba.core.typing.templates import AbstractTemplate

from strategies.native.compiler import kernel_functions

assert kernel_functions  # importing it changes Numba

FLAGS = ("nrt", "boundscheck", "release_gil", "no_cfunc_wrapper")


@given(st.dictionaries(st.sampled_from(FLAGS), st.booleans()))
def test_flags_have_the_values_of_their_options(given: dict[str, bool]) -> None:
    flags = Flags()
    for name, value in given.items():
        setattr(flags, name, value)
    found = flags.values()
    assert list(found.items()) == [(name, getattr(flags, name)) for name in flags.options]
    assert (flags == Flags()) is all(
        getattr(flags, name) == getattr(Flags(), name) for name in FLAGS
    )


def test_operators_of_numpy_apply_to_arrays_only() -> None:
    (adds,) = [
        cls for cls in npydecl.NumpyRulesArrayOperator.__subclasses__()
        if cls.__name__ == "NumpyRulesArrayOperator_add"
    ]  # fmt: skip
    add: AbstractTemplate = adds(cpu_target.typing_context)
    row = types.Array(types.int64, 1, "C")
    for args in ((row, row), (row, types.int64), (types.float64, row)):
        found: Any = add.generic(args, {})
        assert isinstance(found.return_type, types.Array)
    assert add.generic((types.int64, types.float64), {}) is None


@njit  # type: ignore[untyped-decorator]
def halved(n: int) -> Any:
    if n < 2:
        return 1
    return halved(n - 1) + halved(n - 2) / 2 if n % 2 else halved(n - 1)


def test_functions_that_call_themselves_are_typed_as_before() -> None:
    """Without the recursive calls it returns ints."""
    assert halved(5) == halved.py_func(5)
    assert halved.overloads[(types.int64,)].signature.return_type == types.float64
