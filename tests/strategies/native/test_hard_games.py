"""Hard games: they have the values of Python in machine code, or are refused in plain words."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from attrs import field, frozen

from games import TicTacToe
from games.failed import RuleFailed
from games.game import CHANCE, MAXIE, Game, Status
from games.u64 import U64
from strategies import solve
from strategies.native.hooks import bounds_of, hash_of, promise_of
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import cells
from strategies.rules.language.messages import RuleError
from tests.strategies.native.counting import At, Counting
from tests.strategies.native.hard import agree, is_plain


@frozen
class Word:
    a: U64


@frozen
class UnknownField(Counting):
    def make_move(self, state: At, move: int) -> At:
        return At(state.b + move)  # type: ignore[attr-defined]


@frozen
class NoneOnOnePath(Counting):
    def make_move(self, state: At, move: int) -> At:
        if move > 1:
            return None  # type: ignore[return-value]
        return At(move)


@frozen
class NoneAtTheEnd(Counting):
    def estimate(self, state: At) -> float:  # type: ignore[return]  # noqa: RET503
        if state.a > 1:
            return 3


@frozen
class TextForStatus(Counting):
    def status(self, state: At) -> Status:
        return "draw"  # type: ignore[return-value]


@frozen
class FloatIntoInt(Counting):
    def make_move(self, state: At, move: int) -> At:
        return At(state.a / 2)  # type: ignore[arg-type]


@frozen
class IntIntoWord(Counting):
    def start(self) -> Word:
        return Word(U64(0))

    def make_move(self, state: Word, move: int) -> Word:
        return Word(move)  # type: ignore[arg-type]


@frozen
class Library(Counting):
    def estimate(self, state: At) -> float:
        return random.choice([1, 1])


@frozen
class Undefined(Counting):
    def estimate(self, state: At) -> float:
        return worth(state)  # type: ignore[name-defined, no-any-return]  # noqa: F821


@frozen
class KeepsFunctions(Counting):
    def estimate(self, state: At) -> float:
        kept = []
        for k in range(3):
            kept.append(lambda x: x * k)  # noqa: B023
        return kept[0](state.a)  # type: ignore[no-any-return]


@frozen
class ByNameOnly(Counting):
    def estimate(self, state: At) -> float:
        def scaled(x: int, least: int = 1, *, by: int, most: int = 9) -> int:
            return x * by

        return scaled(state.a, by=3)


@frozen
class DeletesName(Counting):
    def estimate(self, state: At) -> float:
        a = state.a
        del a
        return 1


@frozen
class AsksNumber(Counting):
    def estimate(self, state: At) -> float:
        return (state.a / 2).is_integer()


@frozen
class SetOfStates(Counting):
    def estimate(self, state: At) -> float:
        seen = {self.start()}
        return state in seen


@frozen
class MixedParts(Counting):
    def estimate(self, state: At) -> float:
        total = 0.0
        for part in (state.a, 2.5):
            total += part
        return total


@frozen
class ReadsText(Counting):
    def estimate(self, state: At) -> float:
        return len(self.name)


WORDS = {"one": 1}
MIXED = [1, None]


def reads_mixed(state: At) -> bool:
    return MIXED[state.a] == 1


def calls_what_reads(state: At) -> int:
    return 1 if reads_mixed(state) else 0


def changes(row: list[int]) -> None:
    row[0] = 1


@frozen
class ListBelow(Counting):
    def estimate(self, state: At) -> float:
        return calls_what_reads(state)


@frozen
class DictOfText(Counting):
    def estimate(self, state: At) -> float:
        return WORDS["one"]


@frozen
class ChangedByAnother(Counting):
    def estimate(self, state: At) -> float:
        row = [0, state.a]
        row[1] += 1
        changes(row)
        return row[0]


@frozen
class LengthUnknown(Counting):
    def estimate(self, state: At) -> float:
        return len(tuple(x for x in (1, 2) if x > state.a))


@frozen
class Row:
    a: tuple[int, ...] = (0, 0)


@frozen
class ListInStart(Counting):
    def start(self) -> Row:
        return Row([0, 0])  # type: ignore[arg-type]


@frozen
class ListInState(Counting):
    def start(self) -> Row:
        return Row()

    def player(self, state: Row) -> int:
        return MAXIE

    def make_move(self, state: Row, move: int) -> Row:
        row = list(state.a)
        row[0] += move
        return Row(row)  # type: ignore[arg-type]


class Pair(NamedTuple):
    a: int


@frozen
class NamedPair(Counting):
    def start(self) -> Pair:
        return Pair(0)


@frozen
class OtherState(Counting):
    def make_move(self, state: At, move: int) -> Any:
        return Word(U64(move))


@frozen
class Late:
    a: int

    def __attrs_post_init__(self) -> None:
        pass


@frozen
class Converted:
    a: int = field(converter=int)


@frozen
class PostInit(Counting):
    def start(self) -> Late:
        return Late(0)

    def make_move(self, state: Late, move: int) -> Late:
        return Late(move)


@frozen
class Converter(Counting):
    def start(self) -> Converted:
        return Converted(0)

    def make_move(self, state: Converted, move: int) -> Converted:
        return Converted(move)


@frozen
class Named:
    a: str


@frozen
class TextInState(Counting):
    def start(self) -> Named:
        return Named("a")


@frozen
class NoRules(Game[At, int]):
    def start(self) -> At:
        return At(0)


@frozen
class Misnamed(Counting):
    def estimate(self, state: At) -> float:
        return At.nothing(state)  # type: ignore[attr-defined, no-any-return]


@frozen
class MixedPromise(TicTacToe):
    def promise(self, child: Any) -> float:
        return 0.5 - child.maxies.lowest()  # type: ignore[no-any-return]


@frozen
class MixedOdds(Counting):
    """A probability is an int where there is one outcome."""

    def player(self, state: At) -> int:
        return CHANCE if state.a % 3 == 0 else MAXIE

    def outcomes(self, state: At) -> Iterator[tuple[float, At]]:
        if state.a > 0:
            yield 1, At(state.a + 1)
        else:
            yield 0.25, At(1)
            yield 0.75, At(2)

    def estimate(self, state: At) -> float:
        return state.a


@frozen
class OddOdds(MixedOdds):
    def outcomes(self, state: At) -> Any:
        yield "always", At(1)


@frozen
class SwappedOdds(MixedOdds):
    def outcomes(self, state: At) -> Any:
        yield At(1), 1.0


@frozen
class NoOutcomes(MixedOdds):
    def outcomes(self, state: At) -> Any:
        yield At(1)


@frozen
class NoMoves(Counting):
    def moves(self, state: At) -> Any:
        return []


@frozen
class MovesFail(Counting):
    """Its moves ask for the last of what a position has none of."""

    def moves(self, state: At) -> Any:
        return [1] + self.last(()) * (state.a == 1)

    def last(self, row: Any) -> Any:
        return [row[-1]]


WORTH = np.array([3, -2, 5, 1])


@frozen
class MovesTwice(Counting):
    """A rule that calls itself with a value that searches do not give it."""

    def make_move(self, state: At, move: int | None) -> At:
        return state if move is None else self.make_move(super().make_move(state, move), None)


@frozen
class CallsItsBase(Counting):
    """Its rules call those of `Counting` and of `Game` by super(), and value by numpy's numbers."""

    def make_move(self, state: At, move: int) -> At:
        return At(super().make_move(state, move).a + 1)

    def utility(self, state: At) -> float:
        return super().utility(state) + WORTH[state.a % 4]  # type: ignore[no-any-return]

    def estimate(self, state: At) -> float:
        return super().estimate(state) * WORTH[state.a % 4] / 2  # type: ignore[no-any-return]


COMPILED: list[type[Any]] = [
    MovesTwice,
    UnknownField, NoneOnOnePath, FloatIntoInt, IntIntoWord, Undefined, KeepsFunctions, ByNameOnly,
    AsksNumber, SetOfStates, MixedParts, ReadsText, ListBelow, DictOfText, ChangedByAnother,
    LengthUnknown, NamedPair, OtherState, PostInit, Converter, Misnamed,
]  # fmt: skip
REFUSED: dict[type[Any], tuple[str, str, str]] = {
    NoneAtTheEnd: (
        "NoneAtTheEnd.estimate, line ",
        "def estimate(self, state",
        "it returns None or int, not a number or a tuple of numbers; a path of it ends without",
    ),
    TextForStatus: ("TextForStatus.status, line ", "return ", "it returns str, not a Status"),
    Library: (
        "Library.estimate, line ",
        "return random.choice([1, 1])",
        "choice is not compiled: a rule must give the same each time it is called",
    ),
    DeletesName: ("DeletesName.estimate, line ", "del a", "this `del` is not compiled"),
    ListInStart: ("a state of ListInStart is a Row, which rules", "", "let it hold tuples"),
    ListInState: ("a state of ListInState is a Row, which rules", "", "let it hold tuples"),
    TextInState: (
        "Counting.player, line ",
        "return MAXIE",
        "`%` of a text is compiled with %s and %d alone",
    ),
    OddOdds: (
        "OddOdds.outcomes, line ",
        "",
        "it yields (str, At), not a probability and a state",
    ),
    SwappedOdds: (
        "SwappedOdds.outcomes, line ",
        "",
        "it yields (At, float), not a probability and a state",
    ),
    NoOutcomes: ("NoOutcomes.outcomes", "", "yields At, not a tuple of two"),
    NoMoves: ("NoMoves.moves, line ", "", "it yields nothing"),
    MovesFail: (
        "MovesFail.last, line ",
        "return [row[-1]]\n            ^",
        "this always raises IndexError, tuple index out of range; so MovesFail.moves yields",
    ),
    NoRules: ("NoRules does not define status, which every game needs", "", ""),
}
"""What is told of a game: the rule, its line and the reason."""


@pytest.mark.parametrize("game", COMPILED)
def test_a_game_has_the_values_of_python_in_machine_code(game: Any) -> None:
    assert agree(game())
    assert engine_for(game()).reason == ""


@pytest.mark.parametrize("game", REFUSED)
def test_a_game_that_is_refused_is_interpreted_and_says_why(game: Any) -> None:
    rule, line, reason = REFUSED[game]
    with pytest.raises(RuleError) as refused:
        engine_for(game(), "native").warm()
    told = str(refused.value)
    assert told.startswith(rule)
    assert line in told
    assert reason in told
    assert is_plain(told)
    assert engine_for(game()).reason == told
    assert agree(game())


def test_values_of_numpy_are_numbers_of_python_on_both_engines() -> None:
    fast, slow = (engine_for(CallsItsBase(), choice) for choice in ("native", "interpreted"))
    for depth in range(4):
        found, wanted = (engine.search(At(0), depth) for engine in (fast, slow))
        assert found == wanted
        assert type(wanted.value) is type(found.value)


def test_probabilities_may_be_ints_and_floats() -> None:
    fast, slow = (engine_for(MixedOdds(), choice) for choice in ("native", "interpreted"))
    for depth in range(5):
        assert fast.search(At(0), depth) == slow.search(At(0), depth)


def test_the_innermost_function_is_named_where_a_rule_fails() -> None:
    told = []
    for choice in "native", "interpreted":
        with pytest.raises(RuleFailed, match=r"estimate failed .* IndexError") as failed:
            engine_for(ListBelow(), choice).search(At(0), 3)
        told.append(failed.value.moves)
        assert isinstance(failed.value.__cause__, IndexError)
    assert told[0] == told[1]


@kernel
def asked(game: Game[Any, Any], state: Any, control: Any) -> float:
    """Ask each hook; this compiles in a fraction of the time of a search with hooks."""
    low, high = bounds_of(game, state, 0.0)
    return promise_of(game, state) + low + high + float(hash_of(game, state) >> 60)


def test_a_hook_of_mixed_numbers_is_compiled() -> None:
    game = MixedPromise()
    state = game.parse_state("1 5")
    fast, slow = (
        engine_for(game, how).call(asked, state, cells(1)) for how in ("native", "interpreted")
    )
    assert fast == slow


@pytest.mark.long
def test_a_proof_with_a_hook_of_mixed_numbers_is_compiled() -> None:
    fast, slow = (
        solve(MixedPromise(), engine=how, memory="64kB") for how in ("native", "interpreted")
    )
    assert (fast.value, fast.nodes) == (slow.value, slow.nodes)


def hooked(hook: str, gives: Any) -> Any:
    """Return a game in which a hook gives something."""

    def rule(self: Any, state: Any) -> Any:
        return gives

    return frozen(type("Hooked", (TicTacToe,), {hook: rule}))()


@pytest.mark.parametrize(
    ("hook", "gives", "told"),
    [
        ("key", "abc", "returns str, not a 64-bit integer"),
        ("key", 0.5, "returns float, not a 64-bit integer"),
        ("promise", None, "returns None, not a number"),
        ("bounds", 5, "returns int, not a tuple of two numbers"),
        ("bounds", (1, 2, 3), "not a tuple of two numbers"),
        ("bounds", (1, None), "not a tuple of two numbers"),
    ],
)
def test_a_hook_that_gives_something_wrong_is_named(hook: str, gives: Any, told: str) -> None:
    game = hooked(hook, gives)
    with pytest.raises(RuleError) as refused:
        engine_for(game, "native").call(asked, game.start(), cells(1))
    assert str(refused.value).startswith(f"Hooked.{hook}, line ")
    assert told in str(refused.value)
    assert is_plain(str(refused.value))
    with pytest.raises(RuleFailed, match=f"^{hook} failed "):
        solve(game, memory="4kB")


@pytest.mark.parametrize(
    ("players", "gives", "told"),
    [
        (2, (1, 2), "estimate returns (float, float), not a number"),
        (3, 1, "estimate returns int, not a tuple of 3 numbers, one per player"),
    ],
)
def test_an_estimate_for_another_number_of_players_is_refused(
    players: int, gives: Any, told: str
) -> None:
    def estimate(self: Any, state: Any) -> Any:
        return gives

    made = type("Judged", (TicTacToe,), {"estimate": estimate, "players": players})
    engine = engine_for(frozen(made)())
    assert not engine.native
    assert engine.reason == told
