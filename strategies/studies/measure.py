"""Measure one search, alone or in a whole game; note the depths that it reached, and when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from random import Random
from time import perf_counter, thread_time
from typing import Any

import dask
from attrs import evolve, field, frozen

from games import CHANCE, MAXIE, Game
from games.endings import Ending
from games.failed import moves_there
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.timeline_marks import iteration_spans
from strategies.running.plans.opening import deepens
from strategies.running.plans.plan import PlanError
from strategies.running.records.search_run import Reached, SearchRun, telling
from strategies.searches.search import search


@frozen
class Step:
    """A depth that a search has finished."""

    depth: int
    seconds: float
    """The seconds from the call to the end of this depth."""
    move: str
    """The best move, as the game writes it."""
    value: float


Solved = Callable[[Step], bool]
"""Whether the answer of a depth is the solution of the position."""


class Heard:
    """The depths of a search that runs, as they end; `hear` is None if it does not deepen."""

    def __init__(self, algorithm: Algorithm, start: float) -> None:
        self.depth, self.start = algorithm.depth, start
        self.steps: list[Step] = []
        self.hear = self._hear if deepens(algorithm, None) else None

    def _hear(self, found: Reached) -> None:
        seconds = perf_counter() - self.start
        self.steps.append(Step(found.depth, seconds, found.line[0], float(found.value)))

    def ended(self, result: SearchRun, seconds: float, virtual: bool = False) -> tuple[Step, ...]:
        """Return the steps of a search that took so long; in `virtual` time, its depths end when
        their graphs end.

        Ensures: the last step has the answer and the seconds of the search.
        """
        value = result.value
        if isinstance(value, tuple):
            return ()
        spans = iteration_spans(result) if virtual else ()
        ends = {span.depth: span.end for span in spans}  # the last span of each depth
        before = [
            evolve(step, seconds=min(seconds, ends.get(step.depth, seconds)) if virtual
                   else step.seconds)
            for step in self.steps if step.depth < self.depth
        ]  # fmt: skip
        move = "" if result.move is None else result.move_text
        return *before, Step(self.depth, seconds, move, float(value))


def as_text(steps: Sequence[Step]) -> str:
    """Write steps as text, for a results file.

    >>> as_text([Step(2, 0.5, "e4", 1.0)]), steps_in(as_text([Step(2, 0.5, "e4", 1.0)]))
    ('[[2, 0.5, "e4", 1.0]]', (Step(depth=2, seconds=0.5, move='e4', value=1.0),))
    """
    return json.dumps([[s.depth, s.seconds, s.move, s.value] for s in steps])


def steps_in(text: str) -> tuple[Step, ...]:
    """Read the steps that `as_text` wrote."""
    return tuple(Step(*row) for row in json.loads(text or "[]"))


def solution_time(steps: Sequence[Step], solved: Solved) -> float | None:
    """Return the seconds until a search had the solution and kept it; None if it did not end so.

    It is the end of the first depth from which on every depth has the solution.

    >>> steps = [Step(1, 0.1, "a", 0.0), Step(2, 0.2, "b", 0.0), Step(3, 0.4, "a", 0.0),
    ...          Step(4, 0.8, "a", 0.0)]
    >>> solution_time(steps, lambda s: s.move == "a"), solution_time(steps, lambda s: s.move == "b")
    (0.4, None)
    """
    found = None
    for step in reversed(steps):
        if not solved(step):
            break
        found = step.seconds
    return found


Searched = tuple[SearchRun, float, tuple[Step, ...]]
"""The result of a search, its seconds, and the depths that it reached."""
OPENING_PLIES = 2
"""The number of random plies at the start of each game after the first, so that games differ."""


class Disagreement(Exception):
    """Two strategies returned different answers, which is an error in one of them."""


@frozen
class Case:
    """The search for one row: an algorithm, a strategy and a number of workers."""

    algorithm: Algorithm
    strategy: Strategy | Driver
    workers: int
    simulated: bool = False
    template: str = field(default="", eq=False)
    """The text of the strategy before the number of workers was filled in."""
    p: float | None = field(default=None, eq=False)
    plies: int | None = field(default=None, eq=False)

    @property
    def how(self) -> str:
        """Return the origin of its times: "measured", or "simulated" on virtual workers."""
        return "simulated" if self.simulated else "measured"


@frozen
class Setting:
    """The positions to search: one, or those of whole games."""

    game: Game[Any, Any]
    state: Any
    games: int = 0
    moves: int = 0
    """The most moves of each game that are searched; 0 for all."""
    against: str = "search"
    """Minnie's player in whole games: "search", or "random"."""
    seed: int = 0
    engine: str = "auto"


@frozen
class Measurement:
    """The cost and the answers of one run, summed over all its searches."""

    seconds: float = 0.0
    """The time from each call to its answer, planning included; without the rest of a game."""
    moves: int = 0
    leaves: int = 0
    nodes: int = 0
    tasks: int = 0
    created: int = 0
    converted: int = 0
    fizzled: int = 0
    gcd: int | None = None
    pruned: int = 0
    work: float = 0.0
    """The seconds in tasks; `span`: those of the longest chains of tasks."""
    span: float = 0.0
    found: str = ""
    """The answer, for people."""
    answer: str = ""
    """A digest of all moves and values found; equal for equal answers."""
    cpu: float = 0.0
    """The processor seconds in tasks."""
    refused: str = ""
    """Why the search was refused, as one of too many tasks; empty if it was made."""
    steps: str = ""
    """The depths that the search of one position reached, as `steps.as_text` writes them."""

    def add(self, result: SearchRun, seconds: float) -> Measurement:
        """Return the measurement of this run and one more search."""
        s = result.sparks
        return evolve(
            self,
            seconds=self.seconds + seconds,
            moves=self.moves + 1,
            leaves=self.leaves + result.leaves,
            nodes=self.nodes + result.nodes,
            tasks=self.tasks + result.tasks,
            created=self.created + s.created,
            converted=self.converted + s.converted,
            fizzled=self.fizzled + s.fizzled,
            gcd=self.gcd if s.gcd is None else s.gcd + (self.gcd or 0),
            pruned=self.pruned + s.pruned,
            work=self.work + result.work,
            span=self.span + result.span,
            cpu=self.cpu + result.cpu,
        )


def measure(setting: Setting, case: Case) -> Measurement:
    """Measure one run; each search is timed from the call to the answer, planning included.

    Ensures: a search whose plan is refused is measured as `refused`.
    """
    run, found, reached = Measurement(), list[SearchRun](), tuple[Step, ...]()
    try:
        for result, seconds, steps in _searches(setting, case):
            run, reached = run.add(result, seconds), steps
            found.append(result)
    except PlanError as error:
        return Measurement(refused=str(error))
    plain = [case.algorithm.answer(r.move, r.value) for r in found]
    digest = blake2b(repr(plain).encode(), digest_size=16).hexdigest()
    told = "" if setting.games else as_text(reached)
    return evolve(run, found=_told(setting, found), answer=digest, steps=told)


def _told(setting: Setting, found: list[SearchRun]) -> str:
    if setting.games:
        return f"the same {len(found)} moves"
    (result,) = found
    none = f"no move ({result.no_move.removeprefix('none: ')})"
    return f"{none if result.move is None else result.move_text}, {result.value_text}"


def _searches(setting: Setting, case: Case) -> Iterator[Searched]:
    """Yield each search of a run."""
    if not setting.games:
        yield _search(setting, case, setting.state)
    for number in range(setting.games):
        yield from _game(setting, case, number)


def _search(setting: Setting, case: Case, state: Any) -> Searched:
    start = perf_counter()
    heard = Heard(case.algorithm, start)
    answer = search(
        setting.game, case.algorithm, state=state, using=case.strategy, engine=setting.engine
    )
    if case.simulated:
        return _simulated(setting, case, answer, heard)
    with dask.config.set(scheduler=None):  # our own scheduler, even if a cluster is configured
        result = answer.compute(num_workers=case.workers, progress=heard.hear)
    seconds = perf_counter() - start
    return result, seconds, heard.ended(result, seconds)


def _simulated(setting: Setting, case: Case, answer: Any, heard: Heard) -> Searched:
    from strategies.insight.analysis.calibration import measured_burden
    from strategies.insight.analysis.simulate import simulate

    begun = thread_time()  # tasks are timed so, too
    answer.tasks()
    planning = thread_time() - begun
    burden = measured_burden(setting.game, engine=setting.engine)
    plan = answer.plan
    with telling(plan.game, plan.state, case.algorithm.depth, heard.hear):
        simulation = simulate(answer, case.workers, burden)
    seconds = planning + simulation.seconds
    return simulation.result, seconds, heard.ended(simulation.result, seconds, virtual=True)


def _game(setting: Setting, case: Case, number: int) -> Iterator[Searched]:
    """Yield the searches of one whole game; chance, opening and random player use the seed."""
    game, random = setting.game, Random(f"{setting.seed}/{number}")
    state, plies, searched, ending = setting.state, 0, 0, Ending(game)
    while ending.goes_on(state):
        if ending.player == CHANCE:
            odds, states = zip(*game.outcomes(state), strict=True)
            state = random.choices(states, odds)[0]
        elif (number and plies < OPENING_PLIES) or (
            setting.against == "random" and ending.player != MAXIE
        ):
            state = game.make_move(state, random.choice(moves_there(game, state)))
        else:
            if setting.moves and searched == setting.moves:
                return
            found = _search(setting, case, state)
            searched += 1
            yield found
            state = game.make_move(state, found[0].move)
        plies += 1
