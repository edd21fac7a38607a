"""Texts of positions: turns are read back, whatever names the outcomes of chance."""

import re
from collections.abc import Iterator

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    CATALOGUE,
    CHANCE,
    MAXIE,
    MINNIE,
    ConnectFour,
    Game,
    IllegalMove,
    Nim,
    NimForMany,
    Pig,
    Position,
    Pursuit,
    Riskless,
    Status,
    TicTacToe,
    against_all,
    find_game,
    play,
    with_chance,
    with_repetition,
)  # fmt: skip
from games.position_text import read_position
from games.referee import RandomAgent

NAMES = ["connect_four", "pig", "twenty48", "nim(chance=minnie)", "tictactoe", "pursuit_line"]


@frozen
class Throw:
    """How many are left, the dice thrown (none before), and who moves."""

    left: int
    dice: tuple[int, ...]
    turn: int


@frozen
class Dice(Game[Throw, tuple[int, ...]]):
    """Chance begins; moves are tuples, whose texts have commas, and labels are numbers."""

    def start(self) -> Throw:
        return Throw(9, (), 0)

    def status(self, state: Throw) -> Status:
        if state.left > 0:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state.turn else Status.MINNIE_WINS

    def player(self, state: Throw) -> int:
        return state.turn if state.dice else CHANCE

    def moves(self, state: Throw) -> Iterator[tuple[int, ...]]:
        if state.dice and state.left > 0:
            yield state.dice
            yield state.dice[::-1]

    def make_move(self, state: Throw, move: tuple[int, ...]) -> Throw:
        return Throw(state.left - move[0], (), 1 - state.turn)

    def outcomes(self, state: Throw) -> Iterator[tuple[float, Throw]]:
        for die in range(1, 4):
            yield 1 / 3, Throw(state.left, (die, 4), state.turn)

    def estimate(self, state: Throw) -> float:
        return state.left

    def label(self, state: Throw) -> str:
        return str(state.dice[0]) if state.dice else f"{state.left} left, {state.turn}"


class Bare(Dice):
    """The texts of moves have commas outside brackets."""

    def move_text(self, state: Throw, move: tuple[int, ...]) -> str:
        return ",".join(map(str, move))


GAMES: dict[str, Game] = {"dice": Dice(), "bare": Bare()}


def random_turns(data: st.DataObject, game: Game, named: bool = True) -> tuple[list[str], object]:
    """Return the texts of a random play's first turns, and the position after them; only if `named`
    are outcomes written as labels, too."""
    state, texts = game.start(), list[str]()
    while game.status(state) == Status.IN_PLAY and len(texts) < 8:
        if game.player(state) == CHANCE:
            after = [child for _, child in game.outcomes(state)]
            k = data.draw(st.integers(0, len(after) - 1))
            labels = [re.sub(r"\s", "", game.label(child)) for child in after]
            label = labels[k]
            same = [i for i, other in enumerate(labels) if other == label]
            ways = [f"#{k}", *([str(k)] if str(k) not in labels else [])]
            plain = named and not label.isdecimal() and "," not in label and same == [k]
            texts.append(data.draw(st.sampled_from([*ways, *([label] if plain else [])])))
            state = after[k]
        else:
            moves = list(game.moves(state))
            move = data.draw(st.sampled_from(moves))
            texts.append(game.move_text(state, move))
            state = game.make_move(state, move)
    return texts, state


@given(st.data(), st.sampled_from([*NAMES, *GAMES]), st.sampled_from([" ", ", ", "\n"]))
def test_turns_are_read_back(data: st.DataObject, name: str, blank: str) -> None:
    """A play's turns lead to its position: in one text, after a semicolon, and in a Position, also
    with their numbers."""
    game = GAMES.get(name) or find_game(name)
    blank = " " if name == "bare" else blank
    texts, state = random_turns(data, game)
    cut = data.draw(st.integers(0, len(texts)))
    assert read_position(game, ";" + blank.join(texts)) == state
    assert Position(game).after(" ".join(texts)).state == state
    numbered = (f"{number}. {turn}" for number, turn in enumerate(texts, 1))
    assert read_position(game, ";" + blank.join(numbered)) == state
    if texts and type(game).parse_state is Game.parse_state:
        assert read_position(game, blank.join(texts)) == state
        halves = f"{' '.join(texts[:cut])};{blank.join(texts[cut:])}"
        assert read_position(game, halves) == state


TRANSFORMED: dict[str, Game] = {
    "minnie is chance": with_chance(TicTacToe(), MINNIE),
    "maxie is chance": with_chance(TicTacToe(), MAXIE),
    "both are chance": with_chance(with_chance(TicTacToe(), MINNIE), MAXIE),
    "some moves have no weight": with_chance(ConnectFour(4, 3, 3), MINNIE, (0, 1, 2, 1)),
    "wide": with_chance(ConnectFour(12, 3, 3), MAXIE),
    "heaps": with_chance(Nim((2, 1, 3)), MAXIE),
    "dice": with_chance(Dice(), MINNIE),
    "repetition": with_repetition(with_chance(ConnectFour(4, 3, 3), MINNIE), 4),
    "coalition": against_all(with_chance(NimForMany((2, 1, 2)), 1), 2),
    "pig": with_chance(Pig(10), MAXIE),
    "map": with_chance(Riskless.on("duel"), MINNIE),
    "grid": with_chance(Pursuit.line(), MAXIE),
    "ten columns": ConnectFour(10, 3, 3),
}


@given(st.data(), st.sampled_from(list(TRANSFORMED)))
def test_turns_of_a_transform_are_its_own(data: st.DataObject, name: str) -> None:
    """`parse_state` reads them even if the game below would read them as moves of its own.

    A number without a mark may be the notation of heaps, points or cells, and a label that of a
    board."""
    game = TRANSFORMED[name]
    texts, state = random_turns(data, game, named="chance" not in name)
    if name in ("heaps", "pig", "map", "coalition"):
        texts = [f"#{text}" if text.isdecimal() else text for text in texts]
    assert game.parse_state(" ".join(texts)) == state
    assert read_position(game, " ; ".join(texts)) == state
    if name in ("minnie is chance", "maxie is chance", "some moves have no weight"):
        digits = [text.removeprefix("#") for text in texts]
        if all(text.isdecimal() for text in digits):
            assert game.parse_state("".join(digits)) == state


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5 8", "column 3: '8' is none of the 8 outcomes"),
        ("5 X", "column 4: 1 cells where the board has 3"),
    ],
)
def test_moves_of_a_player_replaced_by_chance_are_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        with_chance(TicTacToe(), MINNIE).parse_state(text)


def test_a_transform_reads_the_notation_of_its_game() -> None:
    game = with_chance(TicTacToe(), MINNIE)
    for text in ("X../.O./X..", "", "O . .\n. X .\n. . X"):
        assert game.parse_state(text) == TicTacToe().parse_state(text)
    assert with_chance(Nim((2, 1, 3)), MINNIE).parse_state("1 0 3").heaps == (1, 0, 3)


class Winds(Dice):
    """Outcomes have names of their own."""

    def parse_outcome(self, state: Throw, text: str) -> Throw:
        return super().parse_outcome(state, {"low": "#0", "high": "#2"}.get(text, text))


def test_transforms_read_the_names_of_outcomes() -> None:
    state = Winds().parse_state("high")
    for game in (with_chance(Winds(), MINNIE), against_all(Winds(), 0)):
        assert game.parse_state("high") == state
    assert with_repetition(Winds()).parse_state("high").position == state


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_reads_turns(name: str) -> None:
    """One turn is enough to name a position of every game."""
    if name == "openspiel":
        pytest.importorskip("pyspiel")
    game = find_game(name)
    (text, state), start = next(_turns(game)), game.start()
    assert read_position(game, f"; {text}") == state
    if game.player(start) == CHANCE:
        with pytest.raises(
            IllegalMove, match=r"column 3: 'x' is none of the \d+ outcomes of chance: 0 "
        ):
            read_position(game, "; x")


def _turns(game: Game) -> Iterator[tuple[str, object]]:
    state = game.start()
    if game.player(state) == CHANCE:
        yield "0", next(iter(game.outcomes(state)))[1]
    else:
        move = next(iter(game.moves(state)))
        yield game.move_text(state, move), game.make_move(state, move)


def test_a_number_that_is_also_a_label_needs_its_mark() -> None:
    """A label that is the number of another outcome is refused, not guessed."""
    assert read_position(Dice(), "0") == read_position(Dice(), "#0")
    assert read_position(Dice(), "3") == read_position(Dice(), "#2")
    with pytest.raises(IllegalMove, match="'1' names several outcomes of chance; write #"):
        read_position(Dice(), "1")


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (
            "pig",
            "40 52; roll 6",
            r"line 1, column 13: '6' is none of the 6 outcomes.*: 0 \(40-52",
        ),
        ("pig", "roll 9", "line 1, column 6: '9' is none of the 6 outcomes"),
        ("pig", "rol 9", "line 1, column 1: 'rol' is not a number"),
        ("pig", "40; roll", "line 1, column 3: expected 2 numbers"),
        ("tictactoe", "1 2; 3\n1", "line 2, column 1: '1' is not a legal move"),
        ("twenty48", "up", "there are|expected|line 1, column"),
    ],
)
def test_errors_have_a_place(game: str, text: str, message: str) -> None:
    """An error of a turn, or of the text before the turns, says where and what would be right."""
    with pytest.raises(ValueError, match=message):
        read_position(find_game(game), text)


def test_a_play_starts_where_a_text_says() -> None:
    """The referee reads the same texts, and replays its record."""
    record = play(Dice(), RandomAgent(1), RandomAgent(2), position="#2 (3,4)")
    assert record.replay()[0] == Throw(6, (), 1)
    assert record.status != Status.IN_PLAY


def test_a_text_of_very_many_semicolons_is_refused_in_one_sentence() -> None:
    for game in find_game("tictactoe"), find_game("pig"):
        with pytest.raises(ValueError, match="line 1") as told:
            read_position(game, ";" * 30_000)
        assert len(str(told.value)) < 500


@pytest.mark.parametrize("text", ["5;;1", ";;1", "5; ;", "5;1;;"])
def test_something_is_between_two_semicolons(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"line 1, column \d: there is nothing between two semicolons"
    ):
        read_position(find_game("tictactoe"), text)
