"""A user's strategy either changes no value, or is refused with an error that names the fault."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import (
    Strategy,
    alphabeta,
    by_kind,
    explain,
    mcts,
    minimax,
    par_list,
    parse_strategy,
    search,
    seq,
    split_at,
    using,
)
from strategies.algebra.groups import Group, Window
from strategies.algebra.orders import ParListChunk
from strategies.algebra.strategy import Kind, Layer, ListStrategy, StrategyError, unfolded
from strategies.running.execution.dispatch import policy_of
from tests.properties import examples
from tests.strategies.given import brute, trees

GAME = ExplicitGame.from_nested([[3, 5], [2, 1], [9, 8]])
DEEP = ExplicitGame.from_nested([[[3, 5, 1], [2, 1, 1]], [[9, 8, 2], [1, 1, 1]]])


@frozen
class Row(ListStrategy):
    """Use fixed groups for nodes with one number of branches; search all others in parallel."""

    row: Any = ()
    of: int = 3

    def groups(self, n: int) -> Any:
        return self.row if n == self.of else tuple(Group(i, i + 1, 0) for i in range(n))


@frozen
class Called(ListStrategy):
    """Use the groups that a function returns."""

    function: Callable[[int], Any] = tuple

    def groups(self, n: int) -> Any:
        return self.function(n)


@frozen(repr=False)
class Layered(Strategy):
    """A strategy that returns the given layer."""

    layer: Any

    def unfold(self, kind: Kind, n: int) -> Layer:
        return self.layer  # type: ignore[no-any-return]

    def plug(self, inner: Strategy) -> Strategy:
        return self


ONES = tuple(Group(i, i + 1, 0) for i in range(3))
FAULTS = [
    (ONES[:2], "branch 2 is in no group: the last group stops at 3, not at 2"),
    ((), "branch 0 is in no group"),
    (ONES[1:], "branch 0 is missing, or not in its turn: the next group starts at 0"),
    (ONES[::-1], "branch 0 is missing, or not in its turn"),
    (ONES + ONES, "branch 0 is in two groups: the last group stops at 3"),
    ((*ONES, Group(3, 4, 0)), "there is no branch 3"),
    ((Group(0, 2, 0), Group(1, 3, 0)), "branch 1 is in two groups: the next group starts at 2"),
    ((Group(0, 4, 0),), "the group of branch 0 has branch 3, which does not exist"),
    ((Group(0, 0, 0), *ONES), "the group of branch 0 has no branch"),
    ((Group(-1, 3, 0),), "there is no branch -1"),
    (
        (Group(0, 1, 0), Group(1, 3, 2)),
        "branch 1 waits for branch 1, .*: its after is 0 or 1",
    ),
    ((Group(0, 1, 0), Group(1, 3, -1)), "branch 1 waits for no such branch"),
    ((Group(0, 2, 0), Group(2, 3, 1)), "branch 2 waits for half a group: its after is 0 or 2"),
    ((Group(0, 1, 0), Group(1, 3, 1, Window.ZERO)), "branch 2 needs a group of its own"),
    ((Group(0, 1, 0, Window.ZERO), Group(1, 3, 0)), "branch 0 has no lead to test"),
    ((Group(0, 3, 0.0),), "after of the group of branch 0 must be a whole number, not 0.0"),  # type: ignore[arg-type]
    ((Group(False, 3, 0),), "start of the group of branch 0 must be a whole number, not False"),
    ((Group(0, 3, 0, "live"),), "the window of the group of branch 0 must be a Window"),  # type: ignore[arg-type]
    (((0, 3, 0),), r"for branch 0 there is \(0, 3, 0\): a group is Group\(start, stop, after\)"),
    (None, "groups must be a tuple of Group, not None"),
]


@pytest.mark.parametrize(("row", "why"), FAULTS)
def test_errors_name_the_strategy_the_group_and_the_branch(row: Any, why: str) -> None:
    own = Row(row=row)
    with pytest.raises(StrategyError, match=rf"^Row\(.*\) on 3 branches: .*{why}"):
        search(GAME, alphabeta(2), using=own)


ASKERS: list[Callable[[Strategy], Any]] = [
    lambda own: search(GAME, alphabeta(2), using=own.to_ply(1)),
    lambda own: search(GAME, alphabeta(2), using=own.live().everywhere),
    lambda own: search(GAME, alphabeta(2), using=split_at(0, par_list, own)),
    lambda own: search(GAME, alphabeta(2), using=own.everywhere.grain(0), engine="interpreted")
    .compute(num_workers=1),
    lambda own: search(GAME, alphabeta(2), using=own.everywhere.grain(0)).trace(),
    lambda own: search(DEEP, alphabeta(3), using=par_list(par_list(own))).visualize(None),
    lambda own: search(GAME, mcts(60, trees=3), using=own, engine="interpreted").compute(),
    lambda own: explain(own, branches=3),
    lambda own: using([1, 2, 3], own),
    lambda own: own.unfold("max", 3),
]  # fmt: skip


@pytest.mark.parametrize("ask", ASKERS)
def test_every_use_of_a_faulty_strategy_raises(ask: Callable[[Strategy], Any]) -> None:
    with pytest.raises(StrategyError, match="on 3 branches: branch 2 is in no group"):
        ask(Row(row=ONES[:2]))


def test_compiled_searches_refuse_faulty_strategies() -> None:
    own = Row(row=ONES[:2]).everywhere
    assert policy_of(own.grain(0)) is None
    assert policy_of(Row(row=ONES).everywhere.grain(0)) is not None


def test_the_error_names_the_missing_method() -> None:
    @frozen
    class Empty(ListStrategy):
        pass

    @frozen
    class Bare(Strategy):
        pass

    with pytest.raises(StrategyError, match=r"Empty\(inner=seq\) must define groups\(n\)"):
        search(GAME, alphabeta(2), using=Empty())
    with pytest.raises(StrategyError, match=r"Bare\(\) must define unfold"):
        search(GAME, alphabeta(2), using=Bare())
    with pytest.raises(StrategyError, match=r"Bare\(\) must define plug"):
        Bare()(par_list)


def test_layers_of_user_strategies_are_checked() -> None:
    whole = (Group(0, 3, 0),)
    faults = [
        (Layer(whole, (seq, seq)), "branch 2 has no strategy"),
        (Layer(whole, (seq,) * 4), "branch 3 does not exist, but has a strategy"),
        (Layer(whole, (seq, 7, seq)), "branch 1 has 7 instead of a strategy"),  # type: ignore[arg-type]
        (Layer(ONES[:2], (seq,) * 3), "branch 2 is in no group"),
        (whole, "unfold must return Layer"),
    ]
    for layer, why in faults:
        with pytest.raises(StrategyError, match=f"on 3 branches: .*{why}"):
            unfolded(Layered(layer), "max", 3)
    found = unfolded(Layered(Layer(list(ONES), [seq] * 3)), "max", 3)  # type: ignore[arg-type]
    assert found == unfolded(par_list, "max", 3)


def test_groups_may_be_any_sequence_but_must_be_deterministic() -> None:
    numbers = count()

    def groups(n: int) -> Any:
        return (Group(i, i + 1, 0) for i in range(n))

    def endless(n: int) -> Any:
        yield from groups(n)
        yield from (Group(n, n + 1, 0) for _ in count())

    def restless(n: int) -> Any:
        return (Group(0, n, 0),) if next(numbers) % 2 else tuple(groups(n))

    def failing(n: int) -> Any:
        raise KeyError("mine")

    assert unfolded(Called(function=groups), "max", 5).groups == unfolded(par_list, "max", 5).groups
    for function, why in (
        (endless, "there is no branch 5"), (restless, "unfold returned two"),
        (failing, "KeyError: 'mine'"),
    ):  # fmt: skip
        with pytest.raises(StrategyError, match=f"on 5 branches: {why}"):
            unfolded(Called(function=function), "max", 5)


class Counted(Strategy):
    """Chunks of a size that is not an attrs field and can be changed."""

    def __init__(self, size: int) -> None:
        self.size = size

    def unfold(self, kind: Kind, n: int) -> Layer:
        starts = range(0, n, self.size)
        return Layer(tuple(Group(i, min(i + self.size, n), 0) for i in starts), (seq,) * n)

    def plug(self, inner: Strategy) -> Strategy:
        return self if self.size > 1 else None  # type: ignore[return-value]


NESTS: list[Callable[[Strategy], Strategy]] = [
    lambda s: s, lambda s: s.everywhere, lambda s: s.to_ply(1), lambda s: split_at(1, seq, s),
    lambda s: s.live().everywhere, lambda s: s.everywhere.grain(2),
]  # fmt: skip


@pytest.mark.parametrize("nest", NESTS)
def test_layers_are_cached_only_for_immutable_strategies(
    nest: Callable[[Strategy], Strategy],
) -> None:
    own = Counted(2)
    using = nest(own)
    for size in (2, 3):
        own.size = size
        known = nest(ParListChunk(size))
        assert unfolded(using, "max", 7).groups == unfolded(known, "max", 7).groups


CHUNK = 2


@frozen
class Chunks(ListStrategy):
    """Chunks of a size that its code reads from the module."""

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, min(i + CHUNK, n), 0) for i in range(0, n, CHUNK))


@pytest.mark.parametrize("nest", NESTS)
def test_a_strategy_of_a_users_own_is_asked_again(
    nest: Callable[[Strategy], Strategy], monkeypatch: pytest.MonkeyPatch
) -> None:
    using = nest(Chunks())
    for size in (2, 3):
        monkeypatch.setitem(globals(), "CHUNK", size)
        search(DEEP, minimax(3), using=using)
        known = nest(ParListChunk(size))
        assert unfolded(using, "max", 7).groups == unfolded(known, "max", 7).groups
        policy, other = (policy_of(s.everywhere.grain(0)) for s in (using, known))
        assert (policy is None) == (other is None)
        assert policy is other or np.array_equal(policy.table, other.table)  # type: ignore[union-attr]


def test_compiled_searches_use_the_current_layers_of_a_strategy() -> None:
    own = Row(row=ONES)
    assert policy_of(own.everywhere.grain(0)) is not None
    assert policy_of(Counted(2).everywhere.grain(0)) is None


def test_plug_must_return_a_strategy() -> None:
    assert Counted(2)(par_list) is not None
    for nest in (lambda s: s, lambda s: s.live(), lambda s: by_kind(max=s), lambda s: par_list(s)):
        with pytest.raises(StrategyError, match="plug must return a strategy, not None"):
            nest(Counted(1))(par_list)


def test_strategies_that_cannot_be_compared_are_accepted() -> None:
    """A field may be an array, for which `==` returns no bool."""

    @frozen
    class Learned(ListStrategy):
        weights: Any

        def groups(self, n: int) -> Any:
            return tuple(Group(i, i + 1, 0) for i in range(n))

    one, other = (Learned(weights=np.array([3, n])) for n in (3, 4))
    with pytest.raises(ValueError, match="truth value"):
        assert one == other
    using = split_at(1, par_list(one), par_list(other))
    found = search(DEEP, minimax(3), using=using).compute("sync")
    assert found.value == brute(DEEP, DEEP.start(), 3)[0]


def test_a_later_group_may_wait_for_fewer_branches() -> None:
    row = (Group(0, 1, 0), Group(1, 2, 1), Group(2, 3, 2), Group(3, 4, 1))
    game = ExplicitGame.from_nested([[3, 5], [4, 4], [9, 1], [7, 6]])
    result = search(game, alphabeta(2), using=Row(row=row, of=4)).compute(num_workers=2)
    assert (result.value, result.move) == (6, 3)
    assert result.sparks.balanced()


@st.composite
def rows(draw: st.DrawFn, n: int) -> Any:
    """Draw groups of n branches, about half of them with one fault."""
    edges = [0, *sorted(draw(st.sets(st.integers(1, n - 1))) if n > 1 else ()), n]
    row: list[Any] = []
    for start, stop in pairwise(edges):
        after = draw(st.sampled_from([e for e in edges if e <= start]))
        tests = [Window.ZERO] if after and stop == start + 1 else []
        row.append(
            Group(start, stop, after, draw(st.sampled_from([Window.FIXED, Window.LIVE, *tests])))
        )
    if draw(st.booleans()):
        i, number = draw(st.integers(0, len(row) - 1)), st.integers(-1, n + 1)
        change = draw(st.sampled_from(["start", "stop", "after", "window", "twice", "left out"]))
        if change in ("twice", "left out"):
            row[i : i + 1] = [row[i]] * 2 if change == "twice" else []
        else:
            new = draw(st.sampled_from(list(Window))) if change == "window" else draw(number)
            row[i] = row[i]._replace(**{change: new})
    return tuple(row)


@st.composite
def own(draw: st.DrawFn) -> Strategy:
    """Draw nested strategies of `Row`s."""
    of = draw(st.integers(1, 4))
    s: Strategy = Row(row=draw(rows(of)), of=of)
    nest = st.sampled_from([
        lambda s: s, lambda s: s.everywhere, lambda s: s.to_ply(2), lambda s: s.live().everywhere,
        lambda s: par_list(s), lambda s: s(par_list), lambda s: split_at(1, s, s).everywhere,
        lambda s: s.everywhere.grain(1),
    ])  # fmt: skip
    nested: Strategy = draw(nest)(s)
    return nested


@given(trees(depth=3, chance=True), own(), st.sampled_from([{}, {"scheduler": "sync"}]))
@examples(75, times=268)
def test_a_user_strategy_is_refused_or_finds_the_right_value(
    game: ExplicitGame, using: Strategy, run: dict[str, Any]
) -> None:
    try:
        answer = search(game, alphabeta(9), using=using, engine="interpreted")
        found = answer.compute(num_workers=2, **run)
    except StrategyError:
        return
    value, move = brute(game, game.start(), 9)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()


def test_called_without_a_strategy() -> None:
    for call in (par_list.everywhere, par_list, seq):
        with pytest.raises(StrategyError, match=r"is a strategy already: leave out the \(\)"):
            call()
    with pytest.raises(StrategyError, match=r"par_list is a strategy already"):
        parse_strategy("par_list()")


GROWTHS: list[Callable[[Strategy], Strategy]] = [
    lambda s: s(par_list),
    lambda s: par_list(s),
    lambda s: split_at(1, s, par_list),
    lambda s: by_kind(max=s),
    lambda s: s.to_ply(2),
    lambda s: s.live()(par_list).fixed(),
    lambda s: par_list(s.to_size(9)),
]


@given(st.lists(st.sampled_from(GROWTHS), min_size=1, max_size=4))
def test_a_strategy_that_grows_is_refused_or_can_be_printed_and_read(
    growths: list[Callable[[Strategy], Strategy]],
) -> None:
    """However it grows, it is refused long before the stack ends, or stays as it is."""
    strategy: Strategy = par_list
    refused = ""
    for k in range(150):
        try:
            strategy = growths[k % len(growths)](strategy)
        except StrategyError as error:
            refused = str(error)
            break
    assert not refused or "nested more than 60 deep: a strategy for every ply" in refused
    hash(strategy)
    assert parse_strategy(repr(strategy)) == strategy
