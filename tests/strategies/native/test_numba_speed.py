"""Parts of Numba that we make faster have the same results."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit, types
from numba.core import ir, postproc, ssa
from numba.core.compiler import run_frontend
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from strategies.native.compiler.numba_speed import speed_up_numba
from strategies.native.kernels import alphabeta, mcts_tree

speed_up_numba()

NUMBERS = (
    types.int64, types.uint64, types.int32, types.float64, types.boolean, types.literal(0),
    types.literal(7), types.complex128,
)  # fmt: skip


@given(
    st.sampled_from([operator.add, operator.iadd, operator.eq, operator.lt, operator.lshift]),
    st.tuples(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS)),
)
def test_calls_with_numbers_have_the_signature_that_numba_finds(operation: Any, args: Any) -> None:
    context = cpu_target.typing_context
    context.refresh()
    function = context.resolve_value_type(operation)

    def typed(find: Any) -> Any:
        try:
            found = find(function, context, args, {})
        except TypingError:
            return None
        return found, function.get_impl_key(found)

    find: Any = BaseFunction.get_call_type
    assert typed(find) == typed(find.sooner) == typed(find)


@njit  # type: ignore[untyped-decorator]
def halved(n: int) -> Any:
    if n < 2:
        return 1
    return halved(n - 1) + halved(n - 2) / 2 if n % 2 else halved(n - 1)


def test_functions_that_call_themselves_are_typed_as_before() -> None:
    """Without the recursive calls it returns ints."""
    assert halved(5) == halved.py_func(5)
    assert halved.overloads[(types.int64,)].signature.return_type == types.float64


def counted(n: int) -> Iterator[int]:
    total = 0
    while total < n:
        total = total + 1
        yield total


CHANGED: list[tuple[Any, str]] = [
    (postproc.PostProcessor, "run"), (ssa, "_run_block_rewrite"), (ssa, "_run_ssa"),
    (ir.Inst, "_rec_list_vars"),
]  # fmt: skip
FUNCTIONS: list[Callable[..., Any]] = [counted] + [
    function
    for module in (alphabeta, mcts_tree)
    for function in vars(module).values()
    if getattr(function, "__module__", None) == module.__name__ and hasattr(function, "__code__")
]


def assembled(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the text of a function in Numba's form: at first, with variables renamed, and with
    their ends."""
    code = run_frontend(function)
    texts = [code.dump_to_string()]
    ssa.reconstruct_ssa(code)
    texts.append(code.dump_to_string())
    processor = postproc.PostProcessor(code)
    processor.run()
    alive = sorted((at, sorted(names)) for at, names in code.variable_lifetime.livemap.items())
    processor.run(emit_dels=True)
    return (*texts, str(alive), code.dump_to_string())


def test_functions_have_the_form_that_numba_gives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(FUNCTIONS) > 5
    assert all(hasattr(getattr(owner, name), "sooner") for owner, name in CHANGED)
    found = [assembled(function) for function in FUNCTIONS]
    for owner, name in CHANGED:
        monkeypatch.setattr(owner, name, getattr(owner, name).sooner)
    assert found == [assembled(function) for function in FUNCTIONS]
