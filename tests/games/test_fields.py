"""A game is the same game in every kind of class: of attrs, a dataclass, or a plain class."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import MAXIE, Game, Status, with_repetition
from games.attributes import held_by
from games.failed import RuleFailed
from games.laws import check_laws, installed_laws
from strategies import alphabeta, search
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.fixed_depth import leaf_value
from strategies.native.memory.cells import cells
from tests.properties import DEEP


class Takeaway(Game[tuple[int, int], int]):
    """Take one of some numbers of tokens; who takes the last wins."""

    tokens: int
    most: tuple[int, ...]

    def start(self) -> tuple[int, int]:
        return self.tokens, 0

    def status(self, state: tuple[int, int]) -> Status:
        if any(n <= state[0] for n in self.most):
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state[1] else Status.MINNIE_WINS

    def player(self, state: tuple[int, int]) -> int:
        return MAXIE + state[1]

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        return (n for n in self.most if n <= state[0])

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, 1 - state[1]

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % 5


@dataclasses.dataclass(frozen=True)
class Tokens(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = dataclasses.field(default_factory=lambda: (1, 2, 3))


@attrs.frozen
class OfAttrs(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)


@dataclasses.dataclass
class Changing(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)


@attrs.define
class Defined(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)


class Plain(Takeaway):
    def __init__(self, tokens: int = 9, most: tuple[int, ...] = (1, 2, 3)) -> None:
        self.tokens, self.most = tokens, most


class Constants(Takeaway):
    tokens = 9
    most = 1, 2, 3


class Listed(Plain):
    """Rules that read a list, and a table that is computed once."""

    def __init__(self, tokens: int = 9, most: Sequence[int] = (1, 2, 3)) -> None:
        super().__init__(tokens, list(most))  # type: ignore[arg-type]

    @cached_property
    def estimates(self) -> list[int]:
        return [n % 5 for n in range(100)]

    def estimate(self, state: tuple[int, int]) -> int:
        return self.estimates[state[0]]


class Slotted(Plain):
    __slots__ = ("extra",)

    def __init__(self) -> None:
        super().__init__()
        self.extra = 5

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.extra


KINDS: tuple[type[Takeaway], ...] = (
    Tokens, OfAttrs, Changing, Defined, Plain, Constants, Listed, Slotted
)  # fmt: skip
CHANGEABLE = Changing, Defined, Plain, Constants, Listed, Slotted


ENGINES = "native", "interpreted"


def answers(game: Game[Any, Any]) -> set[Any]:
    """Return what all rules say on the two engines: kernels of which each compiles sooner than a
    search."""
    states = [game.start()]
    for move in 3, 1, 2:
        states.append(game.make_move(states[-1], move))
    engines, control = [engine_for(game, e) for e in ENGINES], cells(1)
    return {
        (*(e.perft(s, 5) for s in states), *(e.call(leaf_value, s, control) for s in states))
        for e in engines
    }


def estimates(game: Game[Any, Any]) -> set[Any]:
    """Return the values of the first positions on the two engines: code for it is made sooner."""
    states, control = [(n, 0) for n in range(10)], cells(1)
    return {
        tuple(engine_for(game, e).call(leaf_value, state, control) for state in states)
        for e in ENGINES
    }


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_every_kind_of_class_are_searched_alike(kind: type[Takeaway]) -> None:
    assert answers(kind()) == answers(OfAttrs())
    if kind in (Tokens, Plain) or (DEEP and kind not in (Changing, Defined)):
        assert answers(with_repetition(kind())) == answers(with_repetition(OfAttrs()))


@pytest.mark.parametrize("kind", CHANGEABLE)
@given(changes=st.lists(st.tuples(st.booleans(), st.integers(6, 9)), max_size=3))
@settings(max_examples=5)
def test_a_search_reads_a_game_as_it_is(
    kind: type[Takeaway], changes: list[tuple[bool, int]]
) -> None:
    games = kind(), kind()
    for which, tokens in changes:
        games[which].tokens = tokens
        for game in games:
            assert answers(game) == answers(OfAttrs(game.tokens))


def test_a_list_in_a_game_is_read_as_it_is() -> None:
    game = Listed()
    assert answers(game) == answers(OfAttrs())
    game.most[3:] = [4]  # type: ignore[index]
    assert answers(game) == answers(OfAttrs(most=(1, 2, 3, 4)))


@pytest.mark.parametrize("kind", KINDS)
def test_games_of_every_kind_of_class_are_values(kind: type[Takeaway]) -> None:
    game = kind()
    assert game == kind() == pickle.loads(pickle.dumps(game))
    assert kind.__hash__ is None or hash(game) == hash(kind())
    assert kind is Slotted or eval(repr(game)) == game
    for name in held_by(game):
        if kind in CHANGEABLE:
            setattr(game, name, None)
            assert game != kind()
            setattr(game, name, getattr(kind(), name))


def test_equal_numbers_of_other_types_make_other_games() -> None:
    whole, broken = Plain(9), Plain(9.0)  # type: ignore[arg-type]
    assert whole == broken
    assert engine_for(whole) is engine_for(Plain())
    assert engine_for(broken) is not engine_for(whole)


class Derived(Defined):
    """No class of attrs itself, so that attrs does not know the further attribute."""

    def __init__(self, tokens: int = 30, modulo: int = 5) -> None:
        super().__init__(tokens)
        self.modulo = modulo

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.modulo


def test_attributes_beyond_the_fields_of_attrs_make_other_games() -> None:
    game = Derived(modulo=5)
    assert fingerprint(game) == fingerprint(Derived()) != fingerprint(Derived(modulo=2))
    assert estimates(game) == estimates(OfAttrs(30)) != estimates(Derived(modulo=2))
    game.modulo = 2
    assert estimates(game) == estimates(Derived(modulo=2))


class Weighing(Takeaway):
    tokens, most = 30, (1, 2, 3)

    def __init__(self, weight: Any) -> None:
        self.weight = weight

    def estimate(self, state: tuple[int, int]) -> int:
        first = self.weight[0]
        return state[0] % (3 if isinstance(first, float) else 5)


@pytest.mark.parametrize("row", [lambda x: [x], lambda x: (x,), lambda x: {0: x}])
def test_equal_numbers_of_other_types_in_parts_make_other_games(row: Any) -> None:
    whole, broken = estimates(Weighing(row(1))), estimates(Weighing(row(1.0)))
    assert whole == estimates(OfAttrs(30)) != broken
    assert engine_for(Weighing(row(0.0))) is not engine_for(Weighing(row(-0.0)))


class Label:
    """Equal to all others, whatever its number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Label)

    def __hash__(self) -> int:
        return 0


class Labelled(Weighing):
    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.weight.number  # type: ignore[no-any-return]


def test_equal_parts_that_differ_make_other_games() -> None:
    assert estimates(Labelled(Label(5))) == estimates(OfAttrs(30)) != estimates(Labelled(Label(2)))


class Optional(Plain):
    """Rules that ask whether an attribute is there."""

    modulo: int

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % (self.modulo if hasattr(self, "modulo") else getattr(self, "other", 5))


@pytest.mark.parametrize("name", ["modulo", "other"])
def test_an_attribute_is_there_as_soon_as_it_is_set(name: str) -> None:
    game, other = Optional(30), Optional(30)
    setattr(other, name, 2)
    expected = estimates(OfAttrs(30))
    assert estimates(game) == expected != estimates(other)
    setattr(game, name, 2)
    assert estimates(game) == estimates(other)
    delattr(game, name)
    assert estimates(game) == expected


class Once(Plain):
    """Rules that read what is computed once from an attribute."""

    weight = 5

    @cached_property
    def modulo(self) -> int:
        return self.weight

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.modulo


def test_what_is_computed_once_is_read_as_the_game_keeps_it() -> None:
    game, fresh = Once(30), Once(30)
    fresh.weight = 2
    expected = estimates(game)
    assert game.modulo == 5
    game.weight = 2
    assert estimates(game) == expected  # as in Python
    assert estimates(fresh) != expected
    del game.modulo
    assert estimates(game) == estimates(fresh)


def test_a_slot_with_nothing_in_it_is_an_error_of_the_rules() -> None:
    game = Slotted()
    del game.extra
    for engine in ENGINES:
        with pytest.raises(RuleFailed, match="extra"):
            search(game, alphabeta(6), engine=engine).compute()


class Inward(Plain):
    def __init__(self, tokens: int = 9) -> None:
        super().__init__(tokens)
        self.myself = self

    def estimate(self, state: tuple[int, int]) -> int:
        return self.myself.tokens


def test_a_game_may_hold_itself() -> None:
    assert estimates(Inward(30)) == estimates(Inward(30)) != estimates(Inward(31))
    assert repr(Inward(30)) == "Inward(tokens=30, most=(1, 2, 3), myself=...)"


class Number:
    def __init__(self, number: int) -> None:
        self.number = number


def test_the_repr_of_a_game_has_no_addresses_but_what_its_parts_hold() -> None:
    parts = {"a": [Number(1), (Number(2),)]}, answers
    assert repr(Weighing(parts)) == (
        "Weighing(weight=({'a': [Number(number=1), (Number(number=2),)]}, answers))"
    )
    texts = {"a", "b", "c", "d", "e"}  # their order in a set differs between processes
    assert repr(Weighing((texts, frozenset(texts), set()))) == (
        "Weighing(weight=({'a', 'b', 'c', 'd', 'e'}, frozenset({'a', 'b', 'c', 'd', 'e'}), set()))"
    )
    assert repr(Weighing((1, "x", [], (), {}, 2.5))) == (
        "Weighing(weight=(1, 'x', [], (), {}, 2.5))"
    )


class Computed(Plain):
    def __getattr__(self, name: str) -> int:
        if name.startswith("modulo"):
            return int(name[6:])
        raise AttributeError(name)

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.modulo5


class Asked(Computed):
    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % (5 if hasattr(self, "modulo5") else 2)


class Intercepted(Plain):
    def __getattribute__(self, name: str) -> Any:
        return 9 if name == "tokens" else super().__getattribute__(name)


@pytest.mark.parametrize("kind", [Computed, Asked, Intercepted])
def test_attributes_made_by_code_are_refused(kind: type[Plain]) -> None:
    assert "is not compiled" in engine_for(kind()).reason
    found, expected = (search(g, alphabeta(6)).compute() for g in (kind(), Plain()))
    assert (found.value, found.nodes) == (expected.value, expected.nodes)


@pytest.mark.parametrize("kind", [Tokens, Plain])
def test_pickling_changes_no_fingerprint(kind: type[Takeaway]) -> None:
    """Python notes in a class what its objects have in slots, when it first pickles one."""
    anew = type(kind.__name__, (kind,), {"__module__": __name__})
    before = fingerprint(anew)
    object.__getstate__(anew())
    assert "__slotnames__" in vars(anew)
    assert fingerprint(anew) == before


def test_a_dataclass_keeps_its_own_ways() -> None:
    game = Tokens(tokens=7)
    assert attrs.evolve(game, tokens=9) == Tokens() == dataclasses.replace(game, tokens=9)
    assert pickle.loads(pickle.dumps(game)) == game != Tokens()
    assert repr(game) == "Tokens(tokens=7, most=(1, 2, 3))"
    assert attrs.asdict(game) == dataclasses.asdict(game)


@pytest.mark.parametrize("kind", [Tokens, Plain])
def test_games_of_every_kind_of_class_keep_the_laws(kind: Any) -> None:
    compiled = {law.name: "searched alike, see above" for law in installed_laws()}
    assert check_laws(kind(tokens=5), skip=compiled).ok
