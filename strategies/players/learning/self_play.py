"""Learn by self-play: games are played with the estimate, and its weights are updated."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Any, Final

import numpy as np
from attrs import asdict

from games import Game
from games.endings import ply_limit_of
from games.game import check_game
from games.networks.dense import Dense
from games.networks.learned import Network, network_of, plain, practice_of, with_network
from games.networks.ntuples import NTuples
from games.networks.trainee import Rows, trainee
from games.networks.weights import Weights, digest_of
from graphs.arguments import (
    check_flags,
    check_integers,
    check_kind,
    check_numbers,
    check_positive,
    check_progress,
    path_of,
    shown,
)
from graphs.errors import ArgumentError
from strategies.algorithms.limits import Limits
from strategies.native.calls.learning import Learning, Schedule, compile_learning, learn_from_games
from strategies.native.engine import Engine
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.kernels.control import WIDEST
from strategies.native.memory.cells import Stop, Stopped
from strategies.players.learned_file import (
    READING,
    ROWS,
    LearnedFile,
    LearnedFileError,
    begin_with,
    damaged,
    open_begin,
    open_learned,
    read_weights,
    write_learned,
)
from strategies.players.learning.curves import Point, rounded
from strategies.players.learning.game_checks import check_all_cells, check_cells, check_start
from strategies.players.learning.result import Learned
from strategies.players.learning.unseen import Trials
from strategies.players.readings import reading_of
from strategies.players.tournaments.elo import around
from strategies.running.runtime.deadline import run_with_deadline
from strategies.support.files import sole_writer
from strategies.support.journal import RULE_DIGESTS

QUIET: Final = np.errstate(over="ignore", invalid="ignore")
"""Leaves out NumPy's warnings of weights that overflow, because an error tells it."""


def learn(
    game: Game[Any, Any], network: Network | None = None, *, games: int | None = None,
    time: float | None = None, rate: float | None = None, coherent: bool = True,
    start: float = 0.0, epsilon: float | None = None, opening: int | None = None, seed: int = 0,
    trace: float = 0.0, depth: int = 1, threads: int = 1, file: Path | str | None = None,
    resume: bool = False, every: float = 60.0,
    trials: int = 0, engine: str = "auto", progress: Callable[[Learned], None] | None = None,
    ply_limit: int | None = None, begin: Path | str | None = None,
) -> Learned:  # fmt: skip
    """Learn an estimate of a game by self-play with temporal differences: TD(λ).

    The game defines ``cell(state, k)``, the inputs of the network, and proposes a network unless
    one is given.  The estimate plays the game until `games` are played, or for `time` more seconds;
    if the game has ``practice()``, the game that this returns is played instead, such as one that
    continues after a win.
    Each weight is updated by its share of `rate` times the error.  With `coherent`, each weight has
    its own rate, which falls from 1 as its updates lose their common direction, and takes two more
    numbers per weight; without it, all weights have one rate (default 0.1).
    Every position has the value `start` at first, in addition to what is `secured`, for the player
    whose move led there; a value above all possible ones makes learning try all moves soon.  With
    two players, it is for the opponent of the player to move: it is refused where a player moves
    twice in a row, or chance moves.
    Or learning begins with the weights of another file, `begin`, of the same game and network; a
    stage that the file has not begins with the weights of its last stage.
    With two players, the first moves of a game are random, up to `opening` (default 4), and any
    other move with probability `epsilon` (default 0.1); the position before a random move learns
    nothing from it.

    The value learned from is that of the position after a move or, with a `depth` above 1, the
    result of a search of that depth in plies.  λ is the `trace`: at 0, a position learns at once
    from the value of the next one; above 0, from all that follow, when the game is over.

    After 1, 2, 5, 10, 20, … games, `trials` test games measure the strength for the curve: with one
    player, their mean result; with two, the score against the game's own estimate, where both look
    one move ahead.

    A game ends after `ply_limit` plies (default: `Game.ply_limit`).  It then counts as a draw, with
    one player as its estimate, and nothing is learned from its end; `Learned.cut` counts these.
    Repetition does not end games, because moves change with the weights.

    The whole `file` is rewritten every `every` seconds and at the end; with `resume`, learning
    continues from it.  Only one run at a time can use a file.  `progress` is called twice a second
    with the result so far, without weights.

    Requires: rules whose positions can be learned from, of one player or two.
    Ensures: with one thread, the same weights for the same seed, on both engines, interrupted and
    resumed or not, unless the current game goes on half a second after the interrupt or the limit
    of time: it is then left, not counted, and played again when learning continues; more
    threads update shared weights without locks.
    Raises: ValueError, LearnedFileError, one line; OSError if the file cannot be written.

    >>> from games import TicTacToe
    >>> found = learn(TicTacToe(), games=200, engine="interpreted")
    >>> found.games, -1 <= found.game.estimate(found.game.start()) <= 1
    (200, True)
    """
    game = kept_snapshot(check_game(game))
    if network is not None:
        check_kind((NTuples, Dense), "a network, such as Dense(values=3, cells=9)", network=network)
    check_positive(rate=1.0 if rate is None else rate, every=every)
    check_numbers(trace=trace, epsilon=0.0 if epsilon is None else epsilon)
    check_flags(coherent=coherent, resume=resume)
    check_progress(progress)
    game = plain(game)
    network = network_of(game) if network is None else network
    practice = practice_of(game)
    two = practice.players == 2
    schedule = Schedule(
        seed,
        (1.0 if coherent else 0.1) if rate is None else float(rate),
        (0.1 if two else 0.0) if epsilon is None else epsilon,
        (4 if two else 0) if opening is None else opening,
        float(trace),
        depth,
        ply_limit_of(practice, ply_limit),
    )
    _check(schedule, games, time, start, threads, trials)
    check_all_cells(practice, network, seed)
    path = None if file is None else path_of("file", file)
    writing = nullcontext(True) if path is None else sole_writer(path)
    with open_begin(begin, practice, network) as earlier, writing as alone:
        about = {
            "game": repr(practice), RULE_DIGESTS: fingerprint(practice),
            "network": asdict(network), "coherent": coherent, "schedule": asdict(schedule),
            "start": float(start), "begin": earlier and earlier.about["digest"],
        }  # fmt: skip  # compared in this order: the default rate depends on coherent
        run = _Run(game, network, schedule, about, path, threads, games)
        if not alone:
            raise LearnedFileError(
                f"{path} is in use by another run: wait until it ends, or name another file"
            )
        run.begin(start, coherent, resume)
        if earlier is not None and not run.done.games:
            begin_with(run.rows, network, earlier)
        run.engine = Engine(trainee(practice, network, run.rows), engine)
        run.trials = run.trials_of(trials)
        return run.learn(time, every, progress)


def _check(
    schedule: Schedule, games: int | None, time: float | None, start: float, threads: int,
    trials: int,
) -> None:  # fmt: skip
    check_integers(seed=schedule.seed)
    check_integers(1, threads=threads)
    check_integers(0, opening=schedule.opening, trials=trials)
    check_integers(1, WIDEST, depth=schedule.depth)
    if not 0 <= schedule.trace <= 1:
        raise ArgumentError(f"trace, which is λ, must be from 0 to 1, not {shown(schedule.trace)}")
    for name, whole in (("seed", schedule.seed), ("opening", schedule.opening)):
        if not -(1 << 63) <= whole < 1 << 63:
            raise ArgumentError(f"{name} must be a whole number of 64 bits, not {shown(whole)}")
    if games is None and time is None:
        raise ArgumentError("give games or time, such as games=100_000 or time=600 (seconds)")
    if games is not None:
        check_integers(1, games=games)
    Limits(time)
    if not 0 <= schedule.epsilon < 1:
        raise ArgumentError(
            f"epsilon must be a probability from 0 to below 1, not {shown(schedule.epsilon)}"
        )
    if not isinstance(start, (int, float)) or not isfinite(start):
        raise ArgumentError(f"start must be the value of a position, a number, not {shown(start)}")


def _difference(name: str, was: Any, wanted: Any) -> str:
    """Return in words how a file differs from a run in one entry."""
    if name == RULE_DIGESTS:  # digests would tell a reader nothing
        return "the rules of its game have changed since"
    if name == "network":  # its tuples would fill the screen
        was, wanted = brief(was), brief(wanted)
    if name == "schedule":  # only the field that differs
        other = ((k, was[k], w) for k, w in wanted.items() if was.get(k, w) != w)
        name, was, wanted = next(other, (name, was, wanted))
    if name == "coherent":
        name = "coherent (no --one-rate)"
    return f"its {name} is {was}, not {wanted}"


class _Run:
    """A run of learning: the arrays of weights, and the statistics of the games so far."""

    rows: Rows
    reading: str
    engine: Engine
    trials: Trials

    def __init__(
        self, game: Any, network: Network, schedule: Schedule, about: dict[str, Any],
        path: Path | None, threads: int, games: int | None,
    ) -> None:  # fmt: skip
        self.game, self.network, self.schedule, self.about = game, network, schedule, about
        self.path, self.threads, self.games = path, threads, games
        self.done, self.since = Learning(), Learning()
        self.curve: list[Point] = []
        self.tried: list[float] = []
        self.before = 0.0
        self.began = monotonic()
        self.stop, self.leave = Stop(), Stop()

    @property
    def old(self) -> Schedule:
        """Return the schedule of a file that does not name all of its settings."""
        return Schedule(ply_limit=self.schedule.ply_limit)

    @QUIET
    def begin(self, start: float, coherent: bool, resume: bool) -> None:
        """Make the arrays, or read them from the file."""
        if self.path is not None:  # now, because a rule may fail
            self.reading = reading_of(practice_of(self.game), self.network)
        if self.path is not None and self.path.exists():
            if not resume:
                raise LearnedFileError(
                    f"{self.path} exists already: continue it by resume=True "
                    "(--resume), or name another file"
                )
            with open_learned(self.path) as file:
                self._continue(file, coherent)
        else:
            own = start
            if start and self.game.players == 2:
                check_start(practice_of(self.game), self.schedule.seed)
                own = -start  # a network values a position for the player to move
            self.rows = Rows.new(self.network, own, coherent)

    def _continue(self, file: LearnedFile, coherent: bool) -> None:
        """Read the progress and the arrays of a file."""
        about = file.about
        try:
            about = about | {
                "schedule": asdict(self.old) | about["schedule"], "network": asdict(file.network)
            }  # fmt: skip
            done, since = (Learning(*map(_number, about[name])) for name in ("done", "since"))
            self.done, self.since = done + Learning(), since + Learning()
            self.curve = [Point(*map(_number, point)) for point in about["curve"]]
            self.tried = [float(_number(result)) for result in about.get("tried", [])]
            self.before = float(about["seconds"])
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(file.path, f"its progress cannot be read, {error!r}") from None
        about = json.loads(json.dumps(about))
        for name, wanted in json.loads(json.dumps(self.about)).items():
            was = about.get(name, wanted if name == RULE_DIGESTS else None)
            if was != wanted:
                more = f"; begin={file.path} (--begin) then starts with these weights"
                raise LearnedFileError(
                    f"{file.path} is of another run: {_difference(name, was, wanted)}; name "
                    f"another file{more if name == RULE_DIGESTS else ''}"
                )
        self.rows = Rows.with_sums(self.network.size) if coherent else Rows.new(self.network)
        for name, row in file.rows(coherent).items():
            getattr(self.rows, name)[:] = row

    @property
    def seconds(self) -> float:
        return self.before + monotonic() - self.began

    def write(self) -> None:
        if self.path is None:
            return
        about = {
            **self.about, READING: self.reading, "done": list(asdict(self.done).values()),
            "since": list(asdict(self.since).values()), "curve": self.curve,
            "tried": self.tried, "seconds": self.seconds,
            "digest": digest_of(self.network.settled(self.rows.values)),
        }  # fmt: skip
        write_learned(self.path, about, {name: getattr(self.rows, name) for name in ROWS})

    def learn(
        self, time: float | None, every: float, progress: Callable[[Learned], None] | None
    ) -> Learned:
        """Play until the games are played, the time is over, or Ctrl-C."""
        compile_learning(self.engine, self.schedule.plain)
        self.trials.warm()
        self.began = monotonic()
        tell = None if progress is None else lambda: progress(self.found(Weights([])))
        interrupted = run_with_deadline(
            lambda: self.work(every), self.stop, seconds=time, tick=tell, leave=self.leave
        )
        self.write()
        if self.path is None:
            weights = Weights(self.network.settled(self.rows.values))
        else:
            weights = read_weights(self.path)
        return self.found(weights, interrupted)

    def found(self, weights: Weights, interrupted: bool = False) -> Learned:
        game = self.game
        if weights.values.size:
            game = with_network(game, self.network, weights)
        curve = tuple(self.curve)
        if self.since.games:
            curve = (*curve, self.point())
        return Learned(
            game, self.network, weights, self.done.games, self.done.moves, self.seconds, curve,
            interrupted, self.done.cut, self.schedule.ply_limit,
        )  # fmt: skip

    def work(self, every: float) -> None:
        written, pace = monotonic(), 0.0
        self.measure()
        while not self.stop.is_set and (self.games is None or self.done.games < self.games):
            first = self.done.games
            count = max(self.threads, min(int(pace), next_point(first) - first))
            count = min(count, next_point(first) - first)
            if self.games is not None:
                count = min(count, self.games - first)
            began = monotonic()
            more = self.play(first, count)
            self.done += more
            self.since += more
            self.measure()
            if not isfinite(self.done.errors):
                raise ArgumentError("the weights overflowed; lower the rate, or start near 0")
            pace = max(1.0, min(4 * pace + 1, count / max(1e-3, monotonic() - began)))
            if monotonic() - written > every and not self.stop.is_set:
                before = monotonic()
                self.write()
                written = monotonic()
                every = max(every, 20 * (written - before))

    def play(self, first: int, count: int) -> Learning:
        """Learn from some games, divided among the threads."""
        share = -(-count // self.threads)
        parts = [(first + k, min(share, count - k)) for k in range(0, count, share)]
        if len(parts) == 1:
            return self.learned_from(*parts[0])

        def work(part: tuple[int, int]) -> Learning:
            return self.learned_from(*part)

        with ThreadPoolExecutor(self.threads, "learning") as pool:
            return sum(pool.map(work, parts), Learning())

    def trials_of(self, games: int) -> Trials:
        """Return the test games of the run."""
        game, seed = practice_of(self.game), self.schedule.seed
        ends = self.stop, self.leave
        return Trials(game, self.engine, games, seed, *ends, self.tried, self.check)

    @QUIET
    def learned_from(self, first: int, count: int) -> Learning:
        """Learn from some games, in this thread."""
        ends = self.stop, self.leave
        return learn_from_games(self.engine, self.schedule, first, count, *ends, self.check)

    def check(self, state: Any) -> None:
        """Check that the network has weights for a position.

        Raises: MalformedError.
        """
        check_cells(self.engine.game, self.network, state)

    def measure(self) -> None:
        """Add the point of the curve that is due, if one is; it stays due if its test games were
        stopped."""
        done = self.done.games
        if not self.since.games or done != next_point(done - 1):
            return
        if not self.trials.games or str(done)[0] not in "125":
            point = self.point()
        else:
            try:
                tried = self.trials.played()
            except Stopped:
                return
            point = self.point().measured("strength", tried)
            if self.trials.games < 2:  # of one game, no interval is known
                point = point._replace(strength_low=None, strength_high=None)
        self.curve.append(point)
        self.since = Learning()

    def point(self) -> Point:
        since, games, moves = self.since, self.since.games, max(1, self.since.moves)
        result, error = since.results / games, since.errors / moves
        means = rounded(result), rounded(error)
        point = Point(self.done.games, self.done.moves, self.seconds, *means)
        if games < 2 or since.measured < games:
            return point
        squares = since.result_squares - games * result**2
        # The error is a ratio of sums over games, whose moves are not independent of each other.
        apart = since.error_squares - 2 * error * since.error_moves + error**2 * since.move_squares
        errors = around(error, apart * (games / moves) ** 2, games)
        return point.measured("result", around(result, squares, games)).measured("error", errors)


def _number(value: Any) -> Any:
    """Return a number of a file, or None."""
    if value is not None and not isinstance(value, (int, float)):
        raise TypeError(f"{shown(value)} is not a number")
    return value


def brief(network: dict[str, Any]) -> str:
    """Return a short description of the network of a file.

    >>> brief({"values": 3, "tuples": [[0, 1], [2]]}), brief({"hidden": 32, "scale": 1.0})
    ('n-tuples (2 tuples)', 'dense (hidden=32, scale=1.0)')
    """
    if "hidden" in network:
        return f"dense (hidden={network['hidden']}, scale={network.get('scale', 1.0)})"
    stages = f", {network['stages']} stages" if network.get("stages", 1) > 1 else ""
    return f"n-tuples ({len(network['tuples'])} tuples{stages})"


def next_point(games: int) -> int:
    """Return the next number of games with a point of the curve: one digit, then zeros.

    >>> [next_point(games) for games in (0, 9, 10, 25, 999)]
    [1, 10, 20, 30, 1000]
    """
    size = int(10 ** (len(str(games)) - 1))
    return (games // size + 1) * size
