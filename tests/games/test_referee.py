import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    MINNIE,
    ConnectFour,
    Game,
    HumanAgent,
    IllegalMove,
    RandomAgent,
    Record,
    Status,
    TicTacToe,
    Twenty48,
    play,
    with_chance,
)
from games.failed import RuleFailed

GAMES: list[Game[Any, Any]] = [
    TicTacToe(),
    ConnectFour(4, 3, 3),
    Twenty48(16),
    with_chance(TicTacToe(), MINNIE),
]


@frozen
class Scripted:
    """An agent that plays the given moves, legal or not."""

    moves: Iterator[Any]
    name: str = "script"

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        return next(self.moves)


@given(st.sampled_from(GAMES), st.integers(0, 99))
def test_a_record_replays_and_reads_back(game: Game[Any, Any], seed: int) -> None:
    agents = [RandomAgent(seed), RandomAgent(seed + 1)][: game.players]
    told: list[Any] = []
    record = play(game, *agents, seed=seed, on_turn=lambda *turn: told.append(turn))
    states = record.replay()
    assert told == [*zip(states[:-1], record.turns, strict=True)]
    assert len(states) == len(record.turns) + 1
    assert [game.status(s) == Status.IN_PLAY for s in states] == [True] * len(record.turns) + [
        False
    ]
    assert record.utility == game.utility(states[-1])
    text = record.to_json()
    assert Record.from_json(text, game) == record
    assert Record.from_json(text, game).to_json() == text
    assert play(game, *agents, seed=seed) == record


def test_the_seed_determines_the_outcomes_of_chance() -> None:
    records = {play(Twenty48(16), RandomAgent(), seed=seed).turns[:4] for seed in range(8)}
    assert len(records) > 4


def test_an_illegal_move_names_agent_position_and_legal_moves() -> None:
    with pytest.raises(
        IllegalMove, match=r"script played 4 in \.\.\./\.X\./\.\.\.; legal moves: 1 2 3 4 6 7 8 9"
    ):
        play(TicTacToe(), Scripted(iter([4])), Scripted(iter([4])))


def test_each_player_needs_an_agent() -> None:
    with pytest.raises(ValueError, match="player 1 is to move but has no agent"):
        play(TicTacToe(), RandomAgent())
    with pytest.raises(ValueError, match="2 agents for a game of 1 players"):
        play(Twenty48(), RandomAgent(), RandomAgent())
    assert play(with_chance(TicTacToe(), MINNIE), RandomAgent()).status != Status.IN_PLAY


def test_a_game_may_start_from_any_position() -> None:
    record = play(TicTacToe(), Scripted(iter([2])), RandomAgent(), position="1 4 2 5")
    assert record.status == Status.MAXIE_WINS
    assert record.turns == ("3",)
    assert Record.from_json(record.to_json(), TicTacToe()).replay() == record.replay()


RECORD = play(TicTacToe(), Scripted(iter([0, 1, 2])), Scripted(iter([3, 4])))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": "TicTacToe4()"}, r"a record of TicTacToe4\(\), not of TicTacToe\(\)"),
        ({"status": "DRAW"}, "the record says DRAW, its moves lead to MAXIE_WINS"),
        ({"turns": ["1", "1"]}, "turn 2: '1' is not a legal move"),
        ({"turns": ["1", 2]}, "turn 2: 2 where chance"),
        (
            {"turns": ["1", "4", "2", "5", "3", "6"]},
            "turn 6: '6' is not a legal move; legal moves: none",
        ),
        ({"turns": 5}, "not the record of a game: 'turns' is not a list"),
        ({"turns": [None]}, "a turn is neither a text nor a whole number"),
        ({"seed": "x"}, "not the record of a game: 'seed' is not a whole number"),
        ({"agents": [1]}, "the name of an agent is not a text"),
        ({"agents": ["a", "b", "c"]}, "it has 3 agents for a game of 2 players"),
    ],
)
def test_a_forged_record_is_refused(changes: dict[str, Any], complaint: str) -> None:
    fields = json.loads(RECORD.to_json()) | changes
    with pytest.raises(ValueError, match=complaint):
        Record.from_json(json.dumps(fields), TicTacToe())


@pytest.mark.parametrize("text", ["", "[]", "{}", "7"])
def test_malformed_records_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not the record of a game"):
        Record.from_json(text, TicTacToe())


def test_an_impossible_outcome_is_refused() -> None:
    for turn in (32, -1, "left"):
        with pytest.raises(IllegalMove, match=r"turn 1: .* where chance has the outcomes 0 to 31"):
            Record(Twenty48(), (turn,)).replay()


def person(*lines: str | type[BaseException]) -> tuple[HumanAgent, list[str]]:
    """Return a human agent who types the lines, and the list of texts printed for them."""
    seen: list[str] = []
    left = iter(lines)

    def read(prompt: str) -> str:
        seen.append(prompt)
        line = next(left)
        if isinstance(line, str):
            return line
        raise line

    return HumanAgent(read=read, write=seen.append), seen


def test_a_human_agent_sees_the_position_and_is_asked_again() -> None:
    agent, seen = person("nine", "", "5")
    game = TicTacToe()
    assert agent.next_move(game, game.parse_state("1")) == 4
    assert seen == [
        "X . .\n. . .\n. . .",
        "legal moves: 2 3 4 5 6 7 8 9",
        "human> ",
        "'nine' is not a legal move; legal moves: 2 3 4 5 6 7 8 9",
        "human> ",
        "'' is not a legal move; legal moves: 2 3 4 5 6 7 8 9",
        "human> ",
    ]


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_a_human_agent_may_leave(end: type[BaseException]) -> None:
    agent, _ = person("5", end)
    record = play(TicTacToe(), agent, Scripted(iter([0])))
    assert record.turns == ("5", "1")
    assert record.status == Status.IN_PLAY
    assert record.utility is None
    assert Record.from_json(record.to_json(), TicTacToe()) == record


def test_wrong_agents_are_refused() -> None:
    with pytest.raises(TypeError, match="agent 0 has no next_move"):
        play(TicTacToe(), None, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seed must be a whole number, not 'x'"):
        RandomAgent(seed="x")  # type: ignore[arg-type]


def test_errors_name_faults_of_the_rules() -> None:
    @frozen
    class Wordless(TicTacToe):
        def move_text(self, state: Any, move: int) -> str:
            return None  # type: ignore[return-value]

    @frozen
    class Stuck(TicTacToe):
        def moves(self, state: Any) -> Iterator[int]:
            return iter(())

    @frozen
    class Luckless(Stuck):
        def player(self, state: Any) -> int:
            return -1

        def outcomes(self, state: Any) -> Iterator[Any]:
            return iter(())

    for game, error, said in (
        (
            Wordless(),
            RuleFailed,
            "move_text failed in .*: it returned None for the move ., not a text",
        ),
        (Stuck(), RuleFailed, "moves failed in .*: it returned none, but status is Status.IN_PLAY"),
        (Luckless(), ValueError, "and has no outcomes"),
    ):
        with pytest.raises(error, match=said):
            play(game, RandomAgent(), RandomAgent())


@pytest.mark.parametrize("made", [float, bool, np.int64, lambda move: Fraction(move, 1)])
def test_a_move_is_the_legal_one_that_it_equals(made: Any) -> None:
    class Odd:
        def next_move(self, game: Any, state: Any) -> Any:
            move = next(iter(game.moves(state)))
            return made(move) if made(move) == move else move

    class Leftmost:
        def next_move(self, game: Any, state: Any) -> Any:
            return next(iter(game.moves(state)))

    record, wanted = (play(TicTacToe(), agent(), RandomAgent(2)) for agent in (Odd, Leftmost))
    assert record.turns == wanted.turns


@pytest.mark.parametrize("wrong", [None, "0", [0], np.array([0, 1]), np.array([]), {}])
def test_what_equals_no_legal_move_is_refused_with_the_name_of_the_class(wrong: Any) -> None:
    class Odd:
        def next_move(self, game: Any, state: Any) -> Any:
            return wrong

    with pytest.raises(IllegalMove, match=r"^Odd played"):
        play(TicTacToe(), Odd(), RandomAgent(2))


class Spoken(TicTacToe):
    """Tic-tac-toe whose moves are texts with blanks."""

    def move_text(self, state: Any, move: int) -> str:
        return f"take {move}"


def test_blanks_in_the_text_of_a_move_count_for_nothing() -> None:
    game = Spoken()
    for text in "take 3", "take3", " take  3":
        assert game.parse_move(game.start(), text) == 3
    assert game.make_move(game.start(), 3) == game.read_turns("take3")
    with pytest.raises(IllegalMove, match="legal moves: take0 take1"):
        game.parse_move(game.start(), "take 10")
    assert play(game, RandomAgent(1), RandomAgent(2)).status != Status.IN_PLAY
