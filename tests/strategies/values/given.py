"""Thunks that record their calls; generators of strategies and of values."""

from __future__ import annotations

import threading
from typing import Any

from attrs import frozen
from dask import delayed
from dask.delayed import Delayed
from hypothesis import strategies as st

from strategies import (
    Strategy,
    eval_buffer,
    eval_list,
    eval_list_n,
    eval_list_nth,
    eval_traversable,
    eval_tuple,
    jamboree,
    par_buffer,
    par_list,
    par_list_chunk,
    par_list_n,
    par_list_nth,
    par_traversable,
    par_tuple,
    r0,
    rdeepseq,
    rpar,
    rpar_with,
    rseq,
    seq,
    seq_list,
    seq_list_n,
    seq_list_nth,
    seq_traversable,
    seq_tuple,
    share,
    split_at,
)  # fmt: skip

_lock = threading.Lock()
_seen: list[int] = []


def called(i: int, *_: Any) -> int:
    with _lock:
        _seen.append(i)
    return i * i


work = delayed(called, pure=True)


def seen() -> list[int]:
    """Return the thunks called since the last call of this function, in order."""
    with _lock:
        found = list(_seen)
        _seen.clear()
    return found


def thunks(n: int) -> list[Delayed]:
    return [work(i) for i in range(n)]


def names(x: Delayed) -> frozenset[Any]:
    """Return the keys of a graph, which are equal if calls share tasks, wait and spark equally."""
    return frozenset(x.__dask_graph__())


def roles(x: Delayed) -> dict[str, int]:
    """Count the tasks of each role in a graph; a task of Dask's counts under its function."""
    found: dict[str, int] = {}
    for key in x.__dask_graph__():
        role = str(key).split("-")[0]
        found[role] = found.get(role, 0) + 1
    return found


SINGLE = st.sampled_from([r0, rseq, rdeepseq, seq, rpar, rpar_with(rdeepseq), rpar_with(seq)])
"""Strategies for any value."""

LISTS = st.one_of(
    st.sampled_from([seq, eval_list, par_list, jamboree(0.5), jamboree(0.3), jamboree(1)]),
    st.integers(1, 4).map(par_list_chunk),
    st.integers(1, 4).map(par_buffer),
    st.builds(split_at, st.integers(0, 6), st.just(eval_list), st.just(par_list)),
    st.builds(split_at, st.integers(0, 6), st.just(par_list_chunk(2)), st.just(eval_list)),
)
"""Partial orders that are not yet applied to an element strategy."""

SEQUENTIAL = st.sampled_from([r0, rseq, rdeepseq, seq, seq_traversable(rseq), seq_traversable(r0)])


def list_strategies(inner: st.SearchStrategy[Strategy] = SINGLE) -> st.SearchStrategy[Strategy]:
    """Draw strategies of a list, with `inner` for each element."""
    counts = st.integers(0, 7)
    return st.one_of(
        LISTS,
        st.builds(lambda s, t: s(t), LISTS, inner),
        st.builds(
            split_at,
            st.one_of(counts, st.sampled_from([0.0, 0.5, 1.0]).map(share)),
            st.builds(lambda s, t: s(t), LISTS, inner),
            st.builds(lambda s, t: s(t), LISTS, inner),
        ),
        st.builds(lambda n, s: eval_buffer(n)(s), st.integers(1, 4), inner),
        *(st.builds(f, counts, inner) for f in (eval_list_n, par_list_n)),
        *(st.builds(f, counts, inner) for f in (eval_list_nth, par_list_nth)),
        # For leaves at any depth:
        *(st.builds(f, SINGLE) for f in (eval_traversable, par_traversable)),
        st.builds(seq_list, SEQUENTIAL),
        *(st.builds(f, counts, SEQUENTIAL) for f in (seq_list_n, seq_list_nth)),
        SINGLE,
    )


def strategies_of(value: Any) -> st.SearchStrategy[Strategy]:
    """Draw strategies that fit a value of `values`."""
    if isinstance(value, list):
        below = (
            st.one_of(SINGLE, *(strategies_of(v) for v in value[:1])) if uniform(value) else SINGLE
        )
        return list_strategies(below)
    if isinstance(value, tuple):
        each = [strategies_of(v) for v in value]
        return st.one_of(
            SINGLE, *(st.builds(f, *each) for f in (eval_tuple, par_tuple)),
            st.builds(seq_tuple, *[SEQUENTIAL] * len(value)),
        )  # fmt: skip
    return st.one_of(SINGLE, st.builds(par_traversable, SINGLE))


def uniform(value: list[Any]) -> bool:
    """Say whether a strategy that fits the first element fits all."""
    return all(type(v) is type(value[0]) and not isinstance(v, tuple) for v in value)


@frozen
class Pair:
    left: Any
    right: Any


def plain(x: Any) -> Any:
    """Compute a value, one thunk after the other."""
    match x:
        case Delayed():
            return x.compute(scheduler="sync")
        case list() | tuple():
            return type(x)(map(plain, x))
        case dict():
            return {k: plain(v) for k, v in x.items()}
        case Pair(left, right):
            return Pair(plain(left), plain(right))
    return x


def leaves() -> st.SearchStrategy[Any]:
    """Draw thunks, some with thunks as inputs and some shared, and plain values."""
    base = st.integers(0, 5)
    return st.one_of(
        base.map(lambda i: work(i)),
        st.builds(lambda i, j: work(i, work(j)), base, base),
        st.builds(lambda i, j, k: work(i, work(j, work(k)), work(k)), base, base, base),
        base,
    )


def values() -> st.SearchStrategy[Any]:
    """Draw nested containers of thunks."""
    return st.recursive(
        leaves(),
        lambda v: st.one_of(
            st.lists(v, max_size=6),
            st.tuples(v, v),
            st.builds(Pair, v, v),
            st.dictionaries(st.sampled_from("abc"), v, max_size=3),
        ),
        max_leaves=10,
    )
