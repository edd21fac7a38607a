"""Generators of random game trees and strategies, and games that record the nodes estimated."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, WIN, ExplicitGame, Tree
from games.explicit import Place
from strategies.algebra.combinators import (
    budget,
    by_kind,
    by_type,
    critical,
    eval_list,
    jamboree,
    par_buffer,
    par_list,
    par_list_chunk,
    pv_split,
    scout,
    share,
    split_at,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy, seq

RUNS: list[dict[str, Any]] = [
    {"scheduler": "sync"},
    {"num_workers": 1},
    {"num_workers": 2},
    {"num_workers": 4},
    {"scheduler": "threads", "num_workers": 1},
    {"scheduler": "threads", "num_workers": 2},
    {"scheduler": "threads", "num_workers": 4},
]
"""All ways to run a small search: in the caller, and on workers of both schedulers."""


@cache  # making and checking a strategy of Hypothesis's takes longer than many an example
def trees(
    depth: int = 4, chance: bool = False, width: int = 4, wins: bool = False, floats: bool = False
) -> st.SearchStrategy[ExplicitGame]:
    """Draw trees with ties, single branches, leaves at any depth, and players in any order."""
    kinds = [MAXIE, MINNIE] + ([CHANCE] if chance else [])
    value: st.SearchStrategy[Any] = st.integers(-3, 3)
    if floats:
        value = st.one_of(value, st.integers(-30, 30).map(lambda n: n / 10))
    end = st.one_of(value, st.sampled_from([WIN, -WIN])) if wins else value
    shape: st.SearchStrategy[Any] = end
    for _ in range(depth):
        inner = st.tuples(
            st.sampled_from(kinds), value, st.lists(shape, min_size=1, max_size=width)
        )
        shape = st.one_of(end, inner, inner)
    root = st.tuples(st.sampled_from(kinds[:2]), value, st.lists(shape, min_size=1, max_size=width))
    return root.map(lambda s: ExplicitGame.from_tree(_tree(s, [0])))


def uniform_trees(width: int = 3, depth: int = 4) -> st.SearchStrategy[ExplicitGame]:
    """Draw trees in which every inner node has `width` branches and every leaf is at `depth`."""
    leaves = st.lists(st.integers(-5, 5), min_size=width**depth, max_size=width**depth)

    def nest(flat: list[int]) -> ExplicitGame:
        level: list[Any] = flat
        while len(level) > 1:
            level = [level[i : i + width] for i in range(0, len(level), width)]
        return ExplicitGame.from_nested(level[0])

    return leaves.map(nest)


def _tree(shape: Any, number: list[int]) -> Tree:
    number[0] += 1
    label = f"n{number[0]}"
    if not isinstance(shape, tuple):
        return Tree(label, number[0] % 2, value=shape)
    kind, value, below = shape
    n = len(below)
    chances = tuple((i + 1) * 2 / (n * (n + 1)) for i in range(n)) if kind == CHANCE else ()
    return Tree(label, kind, tuple(_tree(b, number) for b in below), value, chances)


BASE = (
    seq, eval_list, par_list, jamboree(0), jamboree(0.3), jamboree(0.5), jamboree(0.75),
    jamboree(1), par_list_chunk(2), par_list_chunk(3), par_buffer(2), par_buffer(3),
    budget(3), budget(7), budget(5, "rest"), budget(3, "whole"),
    budget(5, "rest", at_max="whole"), critical,
)  # fmt: skip


@cache
def searches(
    *, live: bool = True, scouts: bool = True, sized: bool = False
) -> st.SearchStrategy[Strategy]:
    """Draw any strategy, nested a few levels deep."""
    start = st.sampled_from((*BASE, *[young_brothers_wait, pv_split] * live, *[scout] * scouts))

    def more(s: st.SearchStrategy[Strategy]) -> st.SearchStrategy[Strategy]:
        where = st.one_of(st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0]).map(share))
        options = [
            st.builds(lambda a, b: a(b), start, s),
            st.builds(lambda a, n: a.to_ply(n), s, st.integers(1, 3)),
            s.map(lambda a: a.everywhere),
            st.builds(lambda a, n: a.grain(n), s, st.integers(0, 3)),
            st.builds(lambda a, n: a.everywhere.grain(n), s, st.integers(0, 3)),
            st.builds(lambda a, b, c: by_kind(max=a, min=b, chance=c), s, s, s),
            st.builds(lambda a, b, c: by_type(pv=a, cut=b, all=c), s, s, s),
            st.builds(split_at, where, s, s),
        ]
        if live:
            options += [s.map(lambda a: a.live()), s.map(lambda a: a.fixed())]
        if sized:
            options += [st.builds(lambda a, n: a.to_size(n), s, st.integers(0, 9))]
        return st.one_of(options)

    return st.recursive(start, more, max_leaves=4)


_lock = threading.Lock()
_seen: list[int] = []


@frozen
class Watched(ExplicitGame):
    """A tree that records which nodes are estimated; its rules are interpreted."""

    native = False

    def estimate(self, state: Place) -> float:
        with _lock:
            _seen.append(state.index)
        return super().estimate(state)


def watched(game: ExplicitGame) -> Watched:
    """Return the same tree as a `Watched`."""
    from attrs import fields

    return Watched(**{f.name: getattr(game, f.name) for f in fields(ExplicitGame)})


def seen() -> list[int]:
    """Return the nodes estimated since the last call, in order."""
    with _lock:
        found = list(_seen)
        _seen.clear()
    return found


def brute(game: ExplicitGame, state: Place, depth: int) -> tuple[float, int | None]:
    """Return the value by plain expectimax, and the leftmost optimal branch."""
    n = game.many[state.index]
    if n == 0 or depth == 0:
        value = game.estimate(state)
        nearer = depth if n == 0 and abs(value) >= WIN else 0
        return value + (nearer if value > 0 else -nearer), None
    below = [Place(game.first[state.index] + k) for k in range(n)]
    found = [brute(game, s, depth - 1)[0] for s in below]
    if game.player(state) == CHANCE:
        mean: float = 0
        for s, v in zip(below, found, strict=True):
            mean += game.odds[s.index] * v
        return mean, None
    best = (max if game.player(state) == MAXIE else min)(found)
    return best, found.index(best)
