"""The engine: known counts, the choice of an engine, stopping, pickling."""

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar

import pytest
from attrs import frozen

from games.connect_four import ConnectFour, Discs
from games.explicit import HANDOUT_FIRST, ExplicitGame
from games.failed import RuleFailed
from games.game import WIN, Game, Status
from games.tictactoe import TicTacToe
from strategies import alphabeta, endgame_table, mcts, par_list, perft, pvs, search
from strategies.native.compiling import on_compile
from strategies.native.engine import Engine, Searched
from strategies.native.kept_engines import KEPT, engine_for
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.verification.parity import Disagreement, parity
from strategies.rules.language.messages import RuleError
from tests.strategies.native.boards import Everything
from tests.strategies.native.counting import mixed

PERFT = (1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234)
"""Counts of Connect Four from the literature."""


def test_connect_four_counts() -> None:
    game = ConnectFour()
    engine = engine_for(game, "native")
    assert [engine.perft(game.start(), d) for d in range(9)] == list(PERFT)
    found = engine.search(game.start(), 8, nearer=False)
    assert found == Searched(0, 12574, 6054, (0,) * 8)
    assert isinstance(found.value, int)


def test_tic_tac_toe_has_255168_games() -> None:
    game = TicTacToe()
    engine = engine_for(game, "native")
    assert engine.complete_games(game.start()) == 255168
    slow = engine_for(game, "interpreted")
    assert engine.complete_games(game.start(), 5) == slow.complete_games(game.start(), 5)


def test_a_nearer_win_has_a_higher_value() -> None:
    game = ConnectFour()
    state = game.parse_state("121212")
    for choice in ("native", "interpreted"):
        engine = engine_for(game, choice)
        assert engine.search(state, 4).value == WIN + 3
        assert engine.search(state, 4).line == (0,)
        assert engine.search(state, 4, nearer=False).value == WIN


def test_parity_on_everything() -> None:
    assert parity(Everything(), playouts=3) > 10


def test_playouts_are_the_same_and_legal() -> None:
    game = ConnectFour()
    for seed in (0, 1, 2**63 - 1):
        ends = [engine_for(game, c).playout(game.start(), seed) for c in ("native", "interpreted")]
        assert ends[0] == ends[1]
        assert type(ends[0][0].all) is type(ends[1][0].all)
        assert game.status(ends[0][0]) != Status.IN_PLAY
        assert ends[0][1] == ends[0][0].all.bit_count()
    lengths = {engine_for(game).playout(game.start(), seed)[1] for seed in range(30)}
    assert len(lengths) > 5


def test_rules_are_interpreted_on_request_or_if_the_class_says_so() -> None:
    @frozen
    class Slow(ConnectFour):
        native = False

    assert engine_for(ConnectFour(), "interpreted").reason == "the interpreted engine was chosen"
    assert engine_for(Slow()).reason.endswith("Slow sets native = False")
    with pytest.raises(RuleError, match="native = False"):
        engine_for(Slow(), "native").warm()
    with pytest.raises(ValueError, match="not 'fast'"):
        engine_for(ConnectFour(), "fast")
    assert engine_for(ConnectFour()).native


@pytest.mark.parametrize(
    "run",
    [
        lambda game: perft(game, 2, engine="native"),
        lambda game: endgame_table(game, engine="native"),
        lambda game: search(game, alphabeta(1), engine="native").compute(),
        lambda game: engine_for(game, "native").playout(game.start(), 0),
        lambda game: engine_for(game, "native").warm(),
    ],
)
def test_the_native_engine_never_interprets(run: Callable[[Any], Any]) -> None:
    """Rules that do not compile are refused each time, not only the first time."""

    class Refused(TicTacToe):
        def estimate(self, state: Any) -> int:
            return hash(state) * 0

        def status(self, state: Any) -> Status:
            return Status(super().status(state) + hash(state) * 0)

    for _ in range(2):
        with pytest.raises(RuleError):
            run(Refused())


def test_equal_games_share_an_engine_unless_types_of_numbers_differ() -> None:
    assert engine_for(ConnectFour()) is engine_for(ConnectFour())
    whole, broken = (ExplicitGame.from_nested([k, 2]) for k in (1, 1.0))
    assert whole == broken
    assert engine_for(whole).game is whole
    assert engine_for(broken).game is broken


def test_stop_ends_a_long_search() -> None:
    game = ConnectFour()
    for choice in ("native", "interpreted"):
        stop = Stop()
        engine = engine_for(game, choice).warm()
        threading.Timer(0.05, stop.set).start()
        with pytest.raises(Stopped):
            engine.search(game.start(), 42, narrow=False, stop=stop)
        with pytest.raises(Stopped):
            engine.search(game.start(), 42, narrow=False, stop=stop)
        assert engine.search(game.start(), 4, stop=Stop()).nodes > 0
    assert pickle.loads(pickle.dumps(stop)).is_set


def test_searches_run_in_parallel() -> None:
    """The GIL is released, so a counting thread continues."""
    game, stop, ticks = ConnectFour(), Stop(), []
    engine = engine_for(game).warm()

    def search() -> None:
        with pytest.raises(Stopped):
            engine.search(game.start(), 42, narrow=False, stop=stop)

    thread = threading.Thread(target=search)
    thread.start()
    while len(ticks) < 1000:
        ticks.append(thread.is_alive())
    stop.set()
    thread.join()
    assert all(ticks)


def test_depth_has_bounds() -> None:
    for depth in (-1, 10**7):
        with pytest.raises(ValueError, match="0 to 1000000, not"):
            engine_for(ConnectFour()).search(ConnectFour().start(), depth)


def test_a_state_with_wrong_fields_is_searched_as_python_does() -> None:
    game = ConnectFour()
    for wrong in (Discs(1.5, 2), Discs("a", 2), Discs(-1, 2)):  # type: ignore[arg-type]
        found = []
        for choice in ("native", "interpreted"):
            try:
                found.append(engine_for(game, choice).perft(wrong, 3))
            except RuleFailed as error:
                found.append(str(error))
        assert found[0] == found[1]


def test_engines_can_be_pickled() -> None:
    engine = engine_for(ConnectFour(5, 4), "native")
    copy = pickle.loads(pickle.dumps(engine))
    assert (copy.game, copy.choice) == (engine.game, engine.choice)
    assert repr(engine).startswith("engine_for(ConnectFour(width=5")


def test_compiling_is_announced_once_for_each_class() -> None:
    @frozen
    class Fresh(ConnectFour):
        def estimate(self, state: Discs) -> int:
            return 12345 + self.width

    names: list[str] = []
    with on_compile(names.append):
        Engine(Fresh(4, 4), "native").perft(Fresh().start(), 1)
        first = list(names)
        Engine(Fresh(4, 4), "native").perft(Fresh().start(), 1)
    assert names == first
    assert all(name.endswith("Fresh") for name in names)


def test_a_leaf_without_an_estimate_raises() -> None:
    game = HANDOUT_FIRST
    for choice in ("native", "interpreted"):
        assert engine_for(game, choice).search(game.start(), 2).value == 3
        with pytest.raises(RuleFailed) as failed:
            engine_for(game, choice).search(game.start(), 2, narrow=False)
        assert (failed.value.rule, failed.value.moves) == ("utility", ("1", "1"))
        assert failed.value.state.index == 6


def test_nothing_loads_numba_before_it_is_needed() -> None:
    code = (
        "import sys; from games import HANDOUT_SMALL as g;"
        "from strategies.native import engine_for;"
        "print(engine_for(g, 'interpreted').search(g.start(), 2).value, 'numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["4", "False"]


@frozen
class Wide:
    value: int


@frozen
class Overflowing(Game[Wide, int]):
    """A game whose ints leave 64 bits after some moves."""

    number: int = 0

    def start(self) -> Wide:
        return Wide(1)

    def status(self, state: Wide) -> Status:
        return Status.IN_PLAY

    def player(self, state: Wide) -> int:
        return 0

    def moves(self, state: Wide) -> Iterator[int]:
        yield 1 << 20

    def make_move(self, state: Wide, move: int) -> Wide:
        return Wide(state.value * move)

    def estimate(self, state: Wide) -> int:
        return 0


@pytest.mark.parametrize(  # the kernels of pvs and mcts compile slowly
    "begin", [pytest.param(i, marks=[pytest.mark.long] * (i in (1, 3))) for i in range(5)]
)
def test_rules_that_outgrow_machine_code_run_in_python(begin: int) -> None:
    """Whatever is asked first: the answer is that of Python, and the engine says why."""
    asked: list[Callable[[Any, str], Any]] = [
        lambda game, engine: search(game, alphabeta(5), engine=engine).compute().nodes,
        lambda game, engine: search(game, pvs(5), engine=engine).compute(num_workers=2).line,
        lambda game, engine: search(game, alphabeta(5), using=par_list.to_ply(2), engine=engine)
        .compute(num_workers=2).nodes,
        lambda game, engine: search(game, mcts(20, rollout="estimate"), engine=engine)
        .compute().line,
        lambda game, engine: perft(game, 5, engine=engine).total,
    ]  # fmt: skip
    game = Overflowing(begin)  # another game has another engine
    engine_for(game).warm()
    for ask in asked[begin:] + asked[:begin]:
        assert ask(game, "auto") == ask(game, "interpreted")
    assert engine_for(game).reason == "its rules need ints of more than 64 bits"
    with pytest.raises((RuleFailed, OverflowError), match="64 bits"):
        asked[0](game, "native")


def test_parity_finds_ints_beyond_64_bits() -> None:
    with pytest.raises(Disagreement, match="64 bits"):
        parity(Overflowing(), playouts=1)


def test_parity_finds_rules_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ConnectFour()
    engine_for(game, "native").warm()
    parity(game, playouts=1)
    monkeypatch.setattr(ConnectFour, "estimate", lambda self, state: Random(1).randrange(5) + 1)
    monkeypatch.setattr(Engine, "current", True)  # else the changed rule would be compiled again
    with pytest.raises(Disagreement, match="estimate"):
        parity(game, playouts=1)


@frozen
class Left:
    left: int


@frozen
class Limited(Game[Left, int]):
    limit: int

    def start(self) -> Left:
        return Left(3)

    def status(self, state: Left) -> Status:
        return Status.IN_PLAY if state.left > 0 else Status.OVER

    def player(self, state: Left) -> int:
        return 0

    def moves(self, state: Left) -> Iterator[int]:
        if state.left > 0:
            yield 1

    def make_move(self, state: Left, move: int) -> Left:
        return Left(state.left - move)

    def estimate(self, state: Left) -> int:
        return 1 if self.limit > 5 else 0


def test_numbers_beyond_64_bits_are_never_truncated() -> None:
    game = Limited(2**70)
    engine = engine_for(game)
    assert engine.native
    assert engine.call(mixed, game.start(), 1) == 1
    with pytest.raises(OverflowError, match="an int needs more than 64 bits"):
        engine_for(Limited(5), "native").call(mixed, Left(2**70), 1)


class Named(Limited):
    """A game that is compared by a mutable name."""

    names: ClassVar[dict[int, str]] = {}

    def __hash__(self) -> int:
        return hash(self.names.get(self.limit, ""))


def test_a_game_whose_hash_changes_does_not_affect_other_games() -> None:
    games = [Named(100 + i) for i in range(KEPT + 2)]
    with pytest.MonkeyPatch.context() as changed:
        for game in games:
            changed.setitem(Named.names, game.limit, f"{game.limit}")
            engine_for(game, "interpreted")
    assert engine_for(Limited(99), "interpreted").search(Left(3), 3).leaves == 1
