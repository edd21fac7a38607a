"""A slow, executable semantics: a window is narrowed exactly by the branches that happen before."""

from __future__ import annotations

from typing import Any

from games import CHANCE, MAXIE
from games.explicit import ExplicitGame, Place
from strategies.algebra.groups import Group
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN, UNKNOWN, Interval
from strategies.native.calls.windows import bounds_of


def happens_before(groups: tuple[Group, ...]) -> frozenset[tuple[int, int]]:
    """Return the pairs (i, j) such that branch j starts only after branch i is known."""
    return frozenset(
        (i, j)
        for g in groups
        for j in range(g.start, g.stop)
        for i in (*range(g.after), *range(g.start, j))
    )


def spec(
    game: ExplicitGame, state: Place, depth: int, strategy: Strategy, window: Interval,
    leaves: list[int],
) -> tuple[float, float, int]:  # fmt: skip
    """Return (lo, hi, span in leaves) of a node under fixed windows; append the leaves visited."""
    n = game.many[state.index]
    if n == 0 or depth == 0:
        leaves.append(state.index)
        value = game.values[state.index]
        return value, value, 1
    below = [Place(game.first[state.index] + k) for k in range(n)]
    player, (a, b) = game.player(state), window
    layer = strategy.unfold(_kind(player), n)
    before = happens_before(layer.groups)
    lo: list[Any] = []
    hi: list[Any] = []
    end: list[int] = []
    for j, s in enumerate(below):
        earlier = [i for i in range(n) if (i, j) in before]
        aj = max([a] + [lo[i] for i in earlier]) if player == MAXIE else a
        bj = min([b] + [hi[i] for i in earlier]) if player not in (MAXIE, CHANCE) else b
        begin = max([end[i] for i in earlier], default=0)
        found, span = UNKNOWN, 0
        if aj < bj:
            inner = OPEN if player == CHANCE else (aj, bj)
            x, y, span = spec(game, s, depth - 1, layer.inner[j], inner, leaves)
            found = bounds_of(x, inner) if x == y else (x, y)
        lo.append(found[0])
        hi.append(found[1])
        end.append(begin + span)
    if player == CHANCE:
        odds = [game.odds[s.index] for s in below]
        low, high = (sum(p * x for p, x in zip(odds, xs, strict=True)) for xs in (lo, hi))
        return low, high, max(end)
    best = max if player == MAXIE else min
    return best(lo), best(hi), max(end)


def _kind(player: int) -> Any:
    return "chance" if player == CHANCE else "max" if player == MAXIE else "min"
