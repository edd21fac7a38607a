"""Learning gives the same on both engines, resumed or not; files; laws of learned estimates."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, WIN, ConnectFour, Dense, Game, NimForMany, Status, TicTacToe, Twenty48
from games.networks.learned import network_of
from games.networks.ntuples import NTuples
from graphs.errors import ArgumentError, JamboreeError, MalformedError
from strategies import alphabeta, search
from strategies.native.calls.learning import best_child
from strategies.native.compiling import on_compile
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.native.verification.parity import parity
from strategies.players.learned_file import (
    LearnedFileError,
    read_weights,
    with_estimate,
    write_learned,
)
from strategies.players.learning.self_play import learn
from strategies.players.learning.unseen import play_unseen
from strategies.players.tournaments.entrants import Entrant
from tests.learned_files import about_in, parts_of, row_in
from tests.properties import examples

GAME = TicTacToe()
SLOW: dict[str, Any] = {"engine": "interpreted"}


@frozen
class Dice:
    left: int
    points: int
    rolling: bool


@frozen
class Rolls(Game[Dice, int]):
    """A die is rolled after each of five moves; take its points and stop, or go on."""

    players = 1
    value_range = (0, 30)
    sides: int = field(default=6)

    def start(self) -> Dice:
        return Dice(5, 0, False)

    def status(self, state: Dice) -> Status:
        return Status.OVER if state.left == 0 and not state.rolling else Status.IN_PLAY

    def player(self, state: Dice) -> int:
        return CHANCE if state.rolling else 0

    def moves(self, state: Dice) -> Any:
        if self.status(state) == Status.IN_PLAY and not state.rolling:
            yield from range(2)

    def make_move(self, state: Dice, move: int) -> Dice:
        return (
            Dice(state.left - 1, state.points, True)
            if move
            else Dice(state.left - 1, state.points, False)
        )

    def outcomes(self, state: Dice) -> Any:
        for shown in range(1, self.sides + 1):
            yield 1 / self.sides, Dice(state.left, state.points + shown, False)

    def utility(self, state: Dice) -> float:
        return state.points

    def estimate(self, state: Dice) -> float:
        return state.points

    def cell(self, state: Dice, k: int) -> int:
        return state.left if k == 0 else int(state.rolling)

    def secured(self, state: Dice) -> int:
        return state.points

    def network(self) -> NTuples:
        return NTuples(6, ((0, 1),))


def values(found: Any) -> bytes:
    return bytes(memoryview(found.weights.values))


@pytest.mark.parametrize("coherent", [False, True])
def test_learned_values_are_the_values_of_play(coherent: bool) -> None:
    """Each roll is worth 3.5 points, whatever came before."""
    found = learn(Rolls(), games=800, coherent=coherent, epsilon=0.2, start=20, **SLOW)
    worth = [found.game.net_sum(Dice(left, 9, True)) for left in range(5)]
    assert worth == pytest.approx([3.5 * (left + 1) for left in range(5)], abs=1.2)
    assert found.game.estimate(Dice(4, 20, True)) == 30  # within its range


def test_resuming_with_other_options_names_the_difference(tmp_path: Path) -> None:
    file = tmp_path / "kept.npz"
    learn(TicTacToe(), games=1, file=file, engine="interpreted")
    with pytest.raises(LearnedFileError, match=r"its trace is 0\.0, not 0\.5; name another file"):
        learn(TicTacToe(), games=2, trace=0.5, file=file, resume=True, engine="interpreted")
    with pytest.raises(LearnedFileError, match=r"coherent \(no --one-rate\) is True, not False"):
        learn(TicTacToe(), games=2, coherent=False, file=file, resume=True, engine="interpreted")


def test_both_engines_learn_the_same_interrupted_or_not(tmp_path: Path) -> None:
    whole = learn(GAME, games=90, seed=3, engine="native")
    assert values(whole) == values(learn(GAME, games=90, seed=3, **SLOW))
    file = tmp_path / "learned.npz"
    for games in (1, 37, 90):
        parts = learn(GAME, games=games, seed=3, file=file, resume=True, **SLOW)
    assert values(parts) == values(whole)
    assert [p[:2] + p[3:] for p in parts.curve] == [p[:2] + p[3:] for p in whole.curve]
    assert parts.moves == whole.moves
    assert values(learn(GAME, games=90, seed=4, **SLOW)) != values(whole)
    with_two = learn(GAME, games=90, seed=3, threads=2, engine="native")
    assert (with_two.games, np.isfinite(with_two.weights.values).all()) == (90, True)


def test_a_learned_estimate_keeps_the_laws_on_both_engines(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    found = learn(GAME, games=300, file=file, engine="native")
    game: Any = found.game
    assert parity(game, playouts=2) > 0
    state = game.parse_state("1 5 9")
    for turn in found.network.group:
        moves = " ".join(str(turn.index(int(move) - 1) + 1) for move in "159")
        assert game.estimate(game.parse_state(moves)) == pytest.approx(game.estimate(state))
    told: list[str] = []
    with on_compile(told.append):
        other: Any = learn(GAME, games=20, seed=9, **SLOW).game
        assert engine_for(other, "native").search(other.start(), 3).nodes > 0
    assert told == []  # other weights are not compiled again
    assert search(game, alphabeta(9)).compute().value == 0
    assert fingerprint(game) == fingerprint(with_estimate(GAME, file)) != fingerprint(other)


def test_a_game_is_learned_by_playing_its_practice_game(tmp_path: Path) -> None:
    """Practice continues beyond the target; the weights fit the games with and without a target."""
    file, small = tmp_path / "learned.npz", NTuples(16, ((0, 1),))
    found: Any = learn(Twenty48(8), small, games=3, file=file, **SLOW)
    assert found.moves > 3 * 20  # a game that ends at 8 has at most six moves
    assert found.game == with_estimate(Twenty48(8), file)
    assert type(found.game).__mro__[1:2] == (Twenty48,)
    assert (found.game.target, found.game.practice().target) == (8, None)
    other = learn(Twenty48(None), small, games=4, file=file, resume=True, **SLOW)
    assert (other.games, with_estimate(Twenty48(64), file).target) == (4, 64)
    with pytest.raises(LearnedFileError, match=r"learned in Twenty48\(target=None\), not in Rolls"):
        with_estimate(Rolls(), file)


def test_weights_are_memory_mapped_and_pickled_by_file_name(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    found = learn(GAME, games=20, file=file, **SLOW)
    row = row_in(file, "values")
    assert isinstance(row, np.memmap)
    assert row.ctypes.data % 64 == 0
    with np.load(file) as archive:
        assert np.array_equal(archive["values"], row)
    assert len(pickle.dumps(found.weights)) < 500
    assert pickle.loads(pickle.dumps(found.weights)) == found.weights == read_weights(str(file))
    sent = pickle.dumps(found.weights)
    learn(GAME, games=21, file=file, resume=True, **SLOW)
    with pytest.raises(MalformedError, match="other weights than when it was read"):
        pickle.loads(sent)


def test_a_file_is_written_completely_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    learn(GAME, games=5, file=file, **SLOW)
    before = file.read_bytes()
    with pytest.raises(AttributeError):
        write_learned(file, {}, {"values": np.zeros(3, np.float32), "sums": None})  # type: ignore[dict-item]
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    file.write_bytes(before[:-30])
    with pytest.raises(LearnedFileError, match="is damaged: its parts cannot be read"):
        about_in(file)


def test_wrong_arguments_and_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    learn(GAME, games=5, file=file, **SLOW)
    for arguments, why in [
        ({"games": 9}, "exists already: continue it by resume=True"),
        ({"games": 9, "resume": True, "seed": 8}, "its seed is 0, not 8"),
        ({"games": 9, "resume": True, "network": NTuples(3, ((0,),))}, "its network is"),
    ]:
        with pytest.raises(LearnedFileError, match=why):
            learn(GAME, file=file, **arguments, **SLOW)  # type: ignore[arg-type]
    with pytest.raises(LearnedFileError, match="was learned in TicTacToe"):
        with_estimate(Rolls(), file)
    for arguments, why in [
        ({}, "give games or time"),
        ({"games": 0}, "games"),
        ({"games": 5, "rate": 0}, "rate must be a number above 0"),
        ({"games": 5, "epsilon": 1}, "epsilon must be a probability"),
        ({"games": 5, "start": float("nan")}, "start must be the value"),
        ({"games": 5, "trace": 1.5}, "trace, which is λ, must be"),
        ({"games": 5, "depth": 0}, "depth"),
        ({"games": 5, "trials": -1}, "trials"),
    ]:
        with pytest.raises(ValueError, match=why):
            learn(GAME, **arguments, **SLOW)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda about, rows: about.pop("game"), "has no valid game"),
        (lambda about, rows: about.update(network={"foo": 1}), "network cannot be made"),
        (lambda about, rows: rows.pop("values"), "values.npy is missing"),
        (lambda about, rows: rows.update(values=rows["values"][:10]), "values.npy has 10 numbers"),
        (lambda about, rows: rows["values"].fill(np.nan), "weights that are not numbers"),
        (lambda about, rows: rows.pop("sums"), "sums.npy is missing"),
        (lambda about, rows: rows.update(sizes=rows["sizes"][:10]), "sizes.npy has 10 numbers"),
        (lambda about, rows: about.update(done=7), "its progress cannot be read"),
        (lambda about, rows: about.update(done=["1"] * 4), "its progress cannot be read"),
        (lambda about, rows: about.update(curve=[["1", 2]]), "its progress cannot be read"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, change: Any, why: str) -> None:
    file = tmp_path / "learned.npz"
    learn(GAME, games=3, file=file, **SLOW)
    about, rows = parts_of(file)
    change(about, rows)
    write_learned(file, about, rows)
    message = rf"learned\.npz is damaged: .*{why}.*; delete it, and learn it again"
    with pytest.raises(LearnedFileError, match=message):
        learn(GAME, games=4, file=file, resume=True, **SLOW)
    if not any(word in why for word in ("progress", "sums", "sizes")):  # needed only for resuming
        with pytest.raises(LearnedFileError, match=message):
            with_estimate(GAME, file)


def test_a_file_whose_header_is_not_an_object_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("about.json", "[1]")
    with pytest.raises(LearnedFileError, match=r"is damaged: about\.json is not an object"):
        about_in(tmp_path / "a.npz")


def test_the_error_for_another_network_is_short(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    learn(GAME, games=3, file=file, **SLOW)
    told = r"its network is n-tuples \(\d+ tuples\), not dense \(hidden=4, scale=1\.0\); name"
    with pytest.raises(LearnedFileError, match=told):
        learn(GAME, Dense(3, 9, 4), games=4, file=file, resume=True, **SLOW)


def test_unseen_games_are_measured_without_changing_the_weights() -> None:
    found = learn(GAME, games=50, **SLOW)
    before = values(found)
    assert {row["utility"] for row in play_unseen(found, 2, **SLOW)} <= {-WIN, 0, WIN}
    assert values(found) == before


def test_an_entrant_estimates_by_a_file(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    learn(GAME, games=5, file=file, **SLOW)
    entrant = Entrant.parse(f"alphabeta(depth=1) with estimate={file}")
    assert entrant.game(GAME) == with_estimate(GAME, file)
    assert Entrant.parse(str(entrant)) == entrant
    assert network_of(GAME).size == read_weights(str(file)).values.size


@pytest.mark.parametrize("wrong", [{"start": 1e300}, {"rate": 1e60}, {"rate": 1e60, "trace": 1}])
def test_weights_that_overflow_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ArgumentError, match="the weights overflowed"):
        learn(TicTacToe(), games=100, engine="interpreted", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("added", [-1, 1])
def test_a_cell_without_a_weight_is_reported_before_learning(added: int) -> None:
    class Shifted(TicTacToe):
        def cell(self, state: Any, k: int) -> int:
            return super().cell(state, k) + added

    with pytest.raises(
        MalformedError, match=r"cell\(state, \d\) returned (-1|3) in .* values 0 to 2"
    ):
        learn(frozen(Shifted)(), games=1, **SLOW)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (lambda state, k: 1.0, r"cell\(state, 0\) returned 1.0 in .*, whole numbers"),
        (lambda state, k: None, r"cell\(state, 0\) returned None in .*, whole numbers"),
        (lambda state, k: [0][k], "failed in Marks.*: IndexError: list index out of range"),
        (None, r"Own has no cell\(state, k\); define it to return the value of cell k"),
    ],
)
def test_a_rule_of_cells_that_is_no_good_is_reported_before_learning(
    cells: Any, message: str
) -> None:
    class Own(TicTacToe):
        cell = None if cells is None else lambda self, state, k: cells(state, k)

    network = NTuples(3, ((0, 1),))
    with pytest.raises(JamboreeError, match=message):
        learn(frozen(Own)(), network, games=1, **SLOW)


def test_a_game_of_three_players_is_not_learned() -> None:
    with pytest.raises(MalformedError, match="only games of one or two players are learned, not"):
        learn(NimForMany((1, 2)), NTuples(3, ((0, 1),)), games=1)


@pytest.mark.parametrize("name", ["seed", "opening"])
def test_the_error_for_numbers_beyond_64_bits_names_the_argument(name: str) -> None:
    more: dict[str, Any] = {name: 10**23}
    with pytest.raises(ValueError, match=f"{name} must be a whole number of 64 bits"):
        learn(GAME, games=1, **more, **SLOW)


def test_a_rule_that_fails_in_one_of_two_threads_ends_learning() -> None:
    class Fails(TicTacToe):
        def utility(self, state: Any) -> float:
            if threading.current_thread().name.startswith("learning"):
                raise RuntimeError("no result")
            return 0.0

    with pytest.raises(RuntimeError, match="no result"):
        learn(frozen(Fails)(), games=20, threads=2, **SLOW)


@pytest.mark.parametrize(
    ("trace", "depth"), [(0.7, 2), pytest.param(0.0, 1, marks=pytest.mark.long)]
)
def test_a_dense_network_learns_the_same_on_both_engines_and_from_a_file(
    tmp_path: Path, trace: float, depth: int
) -> None:
    network, file = Dense(3, 9, 4), tmp_path / "dense.npz"
    given: dict[str, Any] = {"seed": 3, "trace": trace, "depth": depth}
    whole = learn(GAME, network, games=60, engine="native", **given)
    for games in (25, 60):
        kept = learn(GAME, network, games=games, file=file, resume=True, **given, **SLOW)
    assert values(kept) == values(whole)
    assert kept.game == with_estimate(GAME, file) == whole.game
    assert np.array_equal(network.settled(row_in(file, "values")), kept.weights.values)
    assert not np.array_equal(
        row_in(file, "values"), kept.weights.values
    )  # resumed without a change


def test_a_dense_network_learns_the_values_of_play() -> None:
    """Each roll is worth 3.5 points, whatever came before."""
    network = Dense(6, 2, 8, 16.0)
    found: Any = learn(Rolls(), network, games=2000, epsilon=0.2, start=20, **SLOW).game
    worth = [found.net_sum(Dice(left, 9, True)) for left in range(5)]
    assert worth == pytest.approx([3.5 * (left + 1) for left in range(5)], abs=1.5)


def test_a_second_run_on_a_file_ends_at_once(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    file = tmp_path / "a.npz"
    told = list[str]()

    def again(_: object) -> None:
        if not told:
            with pytest.raises(LearnedFileError, match=r"a\.npz is in use by another run: wait"):
                learn(GAME, games=1, engine="interpreted", file=file, resume=True)
            told.append("refused")

    found = learn(
        GAME, time=0.5, engine="interpreted", file=file, progress=again,
    )  # fmt: skip
    assert told
    assert about_in(file)["done"][0] == found.games
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]


@pytest.mark.parametrize("engine", ["interpreted", "native"])
def test_a_win_at_once_is_better_than_any_estimate(engine: Any) -> None:
    """Also than estimates beyond 1, as those of Connect Four by its pairs."""
    game = ConnectFour(pairs=1)
    runner, random, met = engine_for(game, engine), Random(1), 0
    for _ in range(40):
        state = game.start()
        while game.status(state) == Status.IN_PLAY:
            after = [game.make_move(state, move) for move in game.moves(state)]
            won = [
                child
                for child in after
                if abs(game.utility(child)) >= WIN and game.status(child) != Status.IN_PLAY
            ]
            if won:
                met += 1
                assert best_child(runner, state) == won[0]
            state = random.choice(after)
    assert met > 20


def test_a_start_above_all_values_makes_learning_try_more_positions() -> None:
    network = NTuples(3, (tuple(range(9)),))  # a weight for each position

    def tried(start: float) -> int:
        found: Any = learn(
            TicTacToe(), network, games=60, start=start, epsilon=0, opening=0, rate=1.0, **SLOW
        )
        values = found.weights.values
        return len(values) - int((values == values[-1]).sum())

    assert tried(2.0) > 5 * tried(0.0) > 5 * tried(-2.0) > 0


@frozen
class Turns(Game[tuple[int, int], int]):
    """Add 1 or 2 up to 12; `after` lists who is to move at each sum: chance adds 1."""

    value_range = (-9, 9)
    after: tuple[int, ...] = ()

    def start(self) -> tuple[int, int]:
        return 0, 0

    def status(self, state: tuple[int, int]) -> Status:
        return Status.IN_PLAY if state[0] < 12 else Status.OVER

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> Any:
        if state[1] != CHANCE and state[0] < 12:
            yield from (1, 2)

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        there = self.after[state[0]] if state[0] < len(self.after) else 1 - state[1]
        return state[0] + move, there

    def outcomes(self, state: tuple[int, int]) -> Any:
        yield 1.0, (state[0] + 1, 0)

    def utility(self, state: tuple[int, int]) -> float:
        return 0.0

    def estimate(self, state: tuple[int, int]) -> float:
        return 0.0

    def cell(self, state: tuple[int, int], k: int) -> int:
        return state[0]

    def secured(self, state: tuple[int, int]) -> float:
        return 0.25 * state[0]

    def network(self) -> NTuples:
        return NTuples(14, ((0,),))


@examples(20)
@given(st.lists(st.sampled_from([0, 1, CHANCE]), max_size=4), st.sampled_from([-2.0, 0.0, 3.0]))
def test_all_positions_have_the_value_of_start_for_the_player_who_led_there(
    after: list[int], start: float
) -> None:
    """Beyond what is secured; or it is refused."""
    how: dict[str, Any] = {"games": 1, "opening": 0, "epsilon": 0.0, "rate": 1e-30, **SLOW}
    game, led = Turns(tuple(after)), []
    reached = [game.start()]
    for state in reached:
        if game.status(state) == Status.IN_PLAY and game.player(state) != CHANCE:
            there = [game.make_move(state, move) for move in game.moves(state)]
            led += [(child, 1 - 2 * game.player(state)) for child in there if child[0] < 12]
            reached += [child for child in there if child not in reached]
        elif game.status(state) == Status.IN_PLAY:
            reached += [child for _, child in game.outcomes(state) if child not in reached]
    fits = all(game.player(child) == (1 + sign) // 2 for child, sign in led)
    if start and not fits:
        with pytest.raises(ArgumentError, match="start must be 0 in a game"):
            learn(game, start=start, **how)
        return
    found = learn(game, start=start, **how).game
    if start:
        assert all(found.estimate(s) == pytest.approx(sign * start + s[0] / 4) for s, sign in led)
