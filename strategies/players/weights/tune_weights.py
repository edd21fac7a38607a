"""Tune weights by playing: draw a population, let it play, draw a better one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from games import Game, HumanAgent, RandomAgent
from games.features import Weighted
from games.fields import TUNED, WEIGHT
from games.game import check_game
from graphs.arguments import (
    check_flags,
    check_integers,
    check_positive,
    check_progress,
    is_finite,
    row_of,
    shown,
)
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import start_of
from strategies.native.fingerprint import fingerprint, own_fingerprints
from strategies.native.kept_snapshots import kept_snapshot
from strategies.players.search_agent import SearchAgent
from strategies.players.tournaments.entrants import (
    Entrant,
    Seat,
    settings_of,
    warming_of,
    with_settings,
)
from strategies.players.weights.fitness import Evolution, mean_fitness, trial_fitness, trials
from strategies.players.weights.result import Generation, Tuned
from strategies.running.runtime.batch import batch_client, run_batch
from strategies.running.runtime.process_pool import check_main
from strategies.support.journal import RULE_DIGESTS, Entry, Journal


def tune_weights(
    game: Game[Any, Any], agent: Any, *, names: Sequence[str] = (), generations: int = 20,
    trials_each: int = 20, match: int = 200, population: int | None = None, sigma: float = 0.3,
    plies: int = 4, seed: int = 0, measure: str | None = None, workers: int | None = None,
    scheduler: Any = None, record: Path | str | None = None, resume: bool = False,
    progress: Callable[[Tuned, int, int], None] | None = None, ply_limit: int | None = None,
) -> Tuned:  # fmt: skip
    """Tune the weights of a game's estimate by CMA-ES; a final match measures the gain.

    `names` are the weights to tune (default: all): those of a game with weighted features, or the
    fields that a game declares as weights, ``metadata={WEIGHT: True}`` or `TUNED`.  Other numeric
    fields are rules, and are never tuned.  In each generation, a population of weights plays
    `trials_each` trials, the same for all.  With two players, a trial is an opening of `plies`
    random moves, from both seats, against the game's own weights; with one player, it is a seed,
    and `measure` is maximized: a name of `Game.metrics`, or ``"utility"``.  `sigma` is the first
    spread of the weights, as a share of their values before.  At the end, the mean of the last
    generation plays `match` trials on openings or seeds not used before.  The file `record` has a
    line for each result; with `resume`, these are not played again, and `generations` may be
    larger.  Populations play on the cluster of the current client, or of `scheduler`; else on
    `workers` threads, or in processes with ``scheduler="processes"``.  Games end as in
    `tournament`, by `ply_limit` too.  `progress` is called with the result so far, and how many
    steps of how many are done.

    Ensures: the same weights for the same seed with any number of workers, interrupted or not; a
    declared weight that is an int stays an int, a float stays a float.
    Raises: ValueError, JournalError, one line; AlgorithmError if the agent's algorithm does not fit
    the game; ImportError if ``cma`` is missing, which comes with
    ``pip install cma``; KeyboardInterrupt.
    Cost: generations · population · trials_each trials, each of two games with two players, and
    `match` more; the default population is 4 + 3 ln(names).

    >>> from games import ConnectFour
    >>> from strategies import SearchAgent, alphabeta
    >>> small, agent = ConnectFour(5, 4), SearchAgent(alphabeta(2))
    >>> tune_weights(small, agent, names=["pairs"], generations=1, trials_each=2, match=0)
    <Tuned {'pairs': ...}, 1 generations>
    """
    game = kept_snapshot(check_game(game))
    check_flags(resume=resume)
    check_progress(progress)
    names = (names,) if isinstance(names, str) else names
    names = row_of("names", names, "names of weights, such as ['pairs']")
    if scheduler == "processes":
        check_main()
    client, agent = batch_client(scheduler), _agent_of(agent, game)
    before = to_tune(game, names)
    kind, whole = _measure(game, measure), whole_numbers(game, before)
    check_integers(1, generations=generations, trials_each=trials_each)
    check_integers(0, match=match, plies=plies, seed=seed)
    check_integers(1, ply_limit=1 if ply_limit is None else ply_limit)
    check_integers(2, population=2 if population is None else population)
    check_positive(sigma=sigma)
    evolution = Evolution(list(before.values()), sigma, seed, population)
    limit = {} if ply_limit is None else {"ply_limit": ply_limit}
    rules = [fingerprint(game), *own_fingerprints(agent)]
    header: Entry = {
        "journal": "tuning", "game": repr(game), RULE_DIGESTS: rules, **limit,
        "agent": str(agent), "names": list(before), "trials_each": trials_each, "seed": seed,
        "population": population, "sigma": sigma, "plies": plies, "measure": kind,
    }  # fmt: skip
    with Journal(record, header, resume=resume, check=_check_kept) as journal:
        warming = warming_of((Seat(Entrant(agent), game),))
        if client is None:  # once, not in every process
            warming()
        run = partial(
            run_batch, shared=(game, agent), checked=1, workers=workers, scheduler=scheduler,
            warming=warming,
        )  # fmt: skip
        tuning = Tuning(game, agent, before, whole, kind, ply_limit, evolution, journal, run)
        for number in range(generations):
            tuning.evolve(number, trials(game, trials_each, plies, seed, number))
            if progress is not None:
                progress(tuning.so_far(), number + 1, generations + bool(match))
        pairs = tuning.prove(trials(game, match, plies, seed, None) if match else [])
        if match and progress is not None:
            progress(tuning.so_far(), generations + 1, generations + 1)
        different: dict[Any, tuple[float, float]] = {}
        for k, (new, old, same) in enumerate(pairs):
            different.setdefault(same or k, (new, old))
        return tuning.so_far(different.values(), len(pairs))


class Tuning:
    """The state of a tuning: the distribution of weights, and the results so far."""

    def __init__(
        self, game: Game[Any, Any], agent: Any, before: dict[str, float], whole: set[str],
        measure: str, ply_limit: int | None, evolution: Evolution, journal: Journal,
        run: Callable[..., None],
    ) -> None:  # fmt: skip
        self.game, self.agent, self.before, self.whole = game, agent, before, whole
        self.how = measure, ply_limit
        self.evolution, self.journal, self.run = evolution, journal, run
        self.history: list[Generation] = []
        self.known = {entry["key"]: entry["worth"] for entry in journal.entries}

    def named(self, point: Sequence[float]) -> dict[str, float]:
        """Return the weights of a point: three digits, or whole numbers."""
        pairs = zip(self.before, point, strict=True)
        return {name: round(x) if name in self.whole else float(f"{x:.3g}") for name, x in pairs}

    def so_far(self, different: Iterable[tuple[float, float]] = (), played: int = 0) -> Tuned:
        """Return the result so far."""
        after = self.named(self.evolution.mean)
        new = with_settings(self.game, after)
        return Tuned(new, self.before, after, tuple(self.history), tuple(different), played)

    def evolve(self, number: int, met: Any) -> None:
        """Let the population of a generation play its trials, and move the distribution."""
        points = [self.named(point) for point in self.evolution.ask()]
        keys = [f"generation {number} {k} {weights}" for k, weights in enumerate(points)]
        given = [(weights, met) for weights in points]
        fitnesses = self.play(mean_fitness, dict(zip(keys, given, strict=True)))
        self.evolution.tell(fitnesses)
        mean, best = sum(fitnesses) / len(fitnesses), max(fitnesses)
        spread, middle = self.evolution.sigma, self.named(self.evolution.mean)
        self.history.append(Generation(number, mean, best, spread, middle))

    def prove(self, proof: Sequence[Any]) -> list[Any]:
        """Let the mean of the last generation play the match."""
        after = self.named(self.evolution.mean)
        return self.play(
            trial_fitness, {f"match {k} {after}": (after, trial) for k, trial in enumerate(proof)}
        )

    def play(self, work: Any, todo: dict[str, tuple[Any, Any]]) -> list[Any]:
        """Play what the journal does not have; return all results in order."""

        def over(key: Hashable, fitness: Any) -> None:
            self.known[key] = fitness
            self.journal.add({"key": key, "worth": fitness})

        given = {key: (self.game, self.agent, *what, *self.how) for key, what in todo.items()}
        missing = {key: args for key, args in given.items() if key not in self.known}
        self.run(work, missing, over)
        return [self.known[key] for key in todo]


def _agent_of(agent: Any, game: Game[Any, Any]) -> Any:
    """Return the agent that plays: given as such, as an algorithm, or as a text.

    Raises: ArgumentError if it has no search; AlgorithmError if that does not fit the game.
    """
    if isinstance(agent, (Algorithm, MonteCarlo)):
        agent = SearchAgent(agent)
    elif isinstance(agent, str):
        agent = Entrant.parse(agent).agent
    if isinstance(agent, (HumanAgent, RandomAgent)):
        raise ArgumentError(
            "an agent without a search has no weights to tune; use a search, such as alphabeta(3)"
        )
    if not callable(getattr(agent, "next_move", None)):
        raise ArgumentError(
            "agent must be a search agent, such as SearchAgent(alphabeta(3)), or any with "
            f"next_move(game, state), not {shown(agent)}"
        )
    if isinstance(agent, SearchAgent):
        agent.algorithm.check(game)
    return agent


def _check_kept(entry: Entry) -> None:
    """Raise ValueError for an entry of a journal that is not a result of a trial, or of a game of
    the match: the worth of new and old weights, and a digest of the moves."""
    worth = entry.get("worth")
    numbers = worth if isinstance(worth, list) else [worth]
    if isinstance(worth, list) and len(worth) == 3 and isinstance(worth[2], str):
        numbers = worth[:2]
    if not isinstance(entry.get("key"), str) or not all(
        isinstance(x, (int, float)) and is_finite(x) for x in numbers
    ):
        raise ValueError("it is no result of a trial")


def declared(game: Game[Any, Any]) -> list[str]:
    """Return the names of the weights of a game.

    >>> from games import ConnectFour, Othello
    >>> declared(ConnectFour()), declared(Othello())
    (['pairs'], ['discs', 'mobility', 'corners'])
    """
    known = settings_of(game)
    if isinstance(game, Weighted) and game.feature_names:
        return list(known)
    return [name for name in known if {WEIGHT, TUNED} & set(_field(game, name).metadata)]


def whole_numbers(game: Game[Any, Any], weights: dict[str, float]) -> set[str]:
    """Return the names of the weights that stay whole numbers."""
    if isinstance(game, Weighted):
        return set()
    floats = (float, "float")
    ints = {name for name, weight in weights.items() if isinstance(weight, int)}
    return {name for name in ints if _field(game, name).type not in floats}


def _field(game: Game[Any, Any], name: str) -> Any:
    kind: Any = type(game)
    return attrs.fields_dict(kind)[name]


def to_tune(game: Game[Any, Any], names: Sequence[str]) -> dict[str, float]:
    """Return the weights to tune, with their values.

    Raises: ValueError, one line, if there are none, and for an unknown name.
    """
    if game.players > 2:
        raise ArgumentError(f"only games of one or two players are tuned, not of {game.players}")
    known, weights = settings_of(game), declared(game)
    listed = f"weights: {' '.join(weights) or 'none'}"
    for k, name in enumerate(names):
        if name in known and name not in weights:
            raise ArgumentError(
                f"{name} is a rule of {type(game).__name__}, not a weight; {listed}. Declare a "
                "field as a weight by field(default=1, metadata={WEIGHT: True})"
            )
        if name not in known:
            raise ArgumentError(f"there is no weight {shown(name)}; {listed}")
        if name in names[:k]:
            raise ArgumentError(f"the weight {shown(name)} is named twice; name it once")
    if not weights:
        raise ArgumentError(
            f"{type(game).__name__} has nothing to tune: it has no weighted features, and no field "
            "declared as a weight"
        )
    return {name: known[name] for name in names or weights}


def _measure(game: Game[Any, Any], measure: str | None) -> str:
    """Return the measure to maximize in a game of one player; with two players, their score."""
    if game.players == 2:
        if measure is not None:
            raise ArgumentError("with two players, the score is maximized; leave out measure")
        return "score"
    start = start_of(game)
    known = [*game.metrics(start, start, 0), "utility"]
    chosen = measure or ("score" if "score" in known else "utility")
    if chosen not in known:
        raise ArgumentError(f"there is no measure {shown(chosen)}; choose from {', '.join(known)}")
    return chosen
