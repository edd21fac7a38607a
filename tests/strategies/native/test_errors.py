"""Rules that cannot be compiled, and the messages about them."""

import random
from typing import Any, NamedTuple

import pytest
from attrs import field, frozen

from games.game import MAXIE, Game, Status
from games.u64 import U64
from strategies import solve
from strategies.native.errors import RuleError
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import At, Counting

pytestmark = pytest.mark.usefixtures("without_typed")


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
        return random.choice([1, 2])


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
        return kept[0](state.a)


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


REFUSED = {
    UnknownField: ("make_move", "At(state.b + move)", "At has no field or rule b"),
    NoneOnOnePath: ("make_move", "def make_move", "returns None on some path: return a state"),
    NoneAtTheEnd: ("estimate", "def estimate", "returns None on some path"),
    TextForStatus: ("status", "def status", "returns str, not a Status"),
    FloatIntoInt: (
        "make_move",
        "At(state.a / 2)",
        "\nAt.a is declared int but is given float: use //",
    ),
    IntIntoWord: ("make_move", "Word(move)", "Word.a is declared U64 but is given int: use U64("),
    Library: ("estimate", "random.choice([1, 2])", "random.choice cannot be compiled"),
    Undefined: ("estimate", "def estimate", "worth is not defined"),
    KeepsFunctions: ("estimate", "", "reads variables of the rule cannot be stored or passed on"),
    ByNameOnly: ("estimate", "", "give each keyword-only argument a default"),
    DeletesName: ("estimate", "del a", "a rule cannot delete a variable"),
    AsksNumber: ("estimate", "is_integer", "compiled rules cannot use is_integer of a number"),
    SetOfStates: ("estimate", "seen = ", "a set in a rule cannot hold states"),
    MixedParts: ("estimate", "for part", "the elements of this tuple differ in type"),
    ReadsText: ("estimate", "len(self.name)", "compiled rules cannot read ReadsText.name: make"),
    DictOfText: ("estimate", 'WORDS["one"]', "WORDS is a dict of int, str, which compiled"),
    LengthUnknown: ("estimate", "len(tuple(x for", "the length of this tuple is not known"),
    ListInStart: ("", "", "Row.a holds a list: use a tuple"),
    ListInState: ("make_move", "Row(row)", "Row.a is given a list: write tuple(…) instead"),
    NamedPair: ("", "", "Pair is not an attrs class: use @attrs.frozen instead of NamedTuple"),
    OtherState: ("make_move", "def make_move", "returns a Word, but the start state is an At"),
    PostInit: ("make_move", "Late(move)", "Late has __attrs_post_init__"),
    Converter: ("make_move", "Converted(move)", "Converted.a has a converter"),
    TextInState: ("", "", "Named.a: a str cannot be part of a state"),
    NoRules: ("", "", "NoRules does not define status, which every game needs"),
}


@pytest.mark.parametrize("game", REFUSED)
def test_a_rule_that_cannot_be_compiled(game: type[Counting]) -> None:
    rule, line, advice = REFUSED[game]
    with pytest.raises(RuleError) as refused:
        engine_for(game(), "native").warm()
    text = str(refused.value)
    assert advice in text
    if rule:
        assert f"{game.__name__}.{rule} cannot be compiled ({__file__}:" in text
        assert line in text
    assert len(text.splitlines()) <= 4
    auto = engine_for(game())
    assert not auto.native
    assert auto.reason == text


@pytest.mark.parametrize(
    ("game", "function", "line", "advice"),
    [
        (
            ListBelow,
            "reads_mixed",
            "return MIXED[state.a] == 1",
            "MIXED is a list of NoneType, int",
        ),
        (ChangedByAnother, "changes", "row[0] = 1", "this list has a second name, or belongs to"),
    ],
)
def test_the_innermost_function_is_named(
    game: type[Counting], function: str, line: str, advice: str
) -> None:
    told = engine_for(game()).reason.splitlines()
    needs = f"which {game.__name__}.estimate needs, cannot be compiled ({__file__}:"
    assert told[0].startswith(f"{function}, {needs}")
    assert told[1].strip() == line
    assert told[2].startswith(advice)


@frozen
class MixedPromise(Counting):
    def promise(self, child: At) -> float:
        return 0.5 - U64(child.a)  # type: ignore[operator, no-any-return]


def test_the_error_names_the_hook_that_cannot_be_compiled_not_its_caller() -> None:
    with pytest.raises(RuleError) as refused:
        solve(MixedPromise(), engine="native", memory="4kB")
    assert "MixedPromise.promise cannot be compiled" in str(refused.value)
    assert "no operation sub(float, U64)" in str(refused.value)


def test_the_correct_game_compiles() -> None:
    assert engine_for(Counting()).native
