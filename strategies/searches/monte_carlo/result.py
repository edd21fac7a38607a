"""The result of a Monte Carlo search: the statistics of each move."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn

from attrs import field, frozen

from games import CHANCE, MAXIE, MINNIE, WIN, Estimate, Game
from games.game import player_name
from strategies.algorithms.monte_carlo import MonteCarlo, unplanned
from strategies.algorithms.positions import is_terminal
from strategies.native.engine import plain
from strategies.running.records.moves import line_texts, moves_of, no_move
from strategies.running.records.request import NoRequest, SearchRequest
from strategies.running.records.rows import Numbered
from strategies.running.records.run import Run
from strategies.running.records.search_run import M
from strategies.running.records.sparks import ledger
from strategies.searches.drawing import drawn
from strategies.searches.monte_carlo.counted import (
    SampledTree,
    Top,
    named,
    statistics_of,
    tree_of,
    widest,
)
from strategies.searches.monte_carlo.job import Job, Kept
from strategies.searches.monte_carlo.tree import Grown, Trees
from strategies.support.printing import html_table, preformatted

if TYPE_CHECKING:
    from strategies.insight.analysis.diagnosis.diagnose import Diagnosis
    from strategies.insight.pictures.picture import Picture

SHOWN = 12
"""The most moves of a result that a notebook shows."""


@frozen
class Sampled:
    """The statistics of one move: its visits, and its mean value."""

    move: Any
    """The move; at a chance node, the number of the outcome."""
    visits: int
    """The number of simulations that went through this move."""
    value: float | None
    """The mean value from Maxie's side, or the exact value if it is `proven`; None without visits.

    If the game is won or lost, the mean counts 1 for Maxie's win and -1 for Minnie's.  With three
    or more players, it is the value of the player who moves.
    """
    proven: bool = False
    deviation: float | None = None
    """The standard deviation of the results of those simulations around their mean, in the unit of
    `value`: the root of the mean squared distance; None without visits.  The standard error of the
    mean is this divided by sqrt(visits), if the results do not depend on each other."""


@frozen(repr=False)
class MonteCarloResult(Run, Generic[M]):
    """The result of a Monte Carlo search; times are in seconds."""

    move: M | None
    """The most visited move (with uniform allocation, the one of the best value), unless another is
    proven to win or this one to lose; None if there is no move to choose."""
    value: float
    """The value of that move; of the position, if it is proven or chance moves.  With three or more
    players, it is the value of `player`."""
    proven: bool
    """Whether the value is exact: a proven win is `games.WIN`."""
    moves: tuple[Sampled, ...]
    """The statistics of each move, in order."""
    line: tuple[M, ...]
    """The line of most visited moves, starting with `move`; it stops at a chance node."""
    simulations: int
    nodes: int
    """The number of positions in the trees."""
    depth: int
    """The depth of the deepest tree in plies."""
    plies: int
    """The plies of random play below the trees."""
    full: bool
    """Whether the memory was full, so that the trees stopped growing."""
    player: int | None
    """With three or more players, the player whose value it is: the one who moves, or Maxie if
    chance moves.  None with fewer players, where values are from Maxie's side."""
    line_texts: tuple[str, ...] = field(default=(), repr=False)
    """The moves of `line` in the notation of the game."""
    move_texts: tuple[str, ...] = field(default=(), repr=False)
    """The moves of `moves` in the notation of the game; outcomes if chance moves."""
    searched: SearchRequest | None = field(default=None, repr=False, eq=False)
    """The search request; the report shows its position, and how to run it again."""
    carried: int = field(default=0, repr=False)
    """The visits of the root that its trees had before this search, from an earlier one."""
    tops: tuple[Top, ...] = field(default=(), repr=False)
    """The most visited positions of each tree; `tree` lists them."""
    kept: tuple[Kept, ...] = field(default=(), repr=False, eq=False)
    """The trees, with `reuse`."""

    @property
    def move_text(self) -> str:
        """Return `move` as the game writes it; why there is none, if so."""
        return next(iter(self.line_texts), self.no_move)

    @property
    def no_move(self) -> str:
        """Return why there is no move; for a result that has none."""
        asked = self.searched
        return "none" if asked is None else f"none: {no_move(asked.game, asked.state)}"

    @property
    def workers(self) -> int | None:
        return None if self.searched is None else self.searched.workers

    @property
    def visits(self) -> dict[M, int]:
        """Return the visits of each move: the simulations that went through it."""
        return {m.move: m.visits for m in self.moves}

    @property
    def rate(self) -> float:
        """Return the simulations per second."""
        return self.simulations / self.seconds if self.seconds else 0.0

    @property
    def estimate(self) -> Estimate:
        """Return the value as people read it."""
        return Estimate(self.value)

    def __str__(self) -> str:
        value = f"{self.value:.3g}" if abs(self.value) < WIN else str(self.estimate)
        line = " ".join(self.line_texts)
        whose = "" if self.player is None else f" for {player_name(self.player)}"
        known = f"{whose} (proven)" if self.proven else whose
        full = "; the memory was full" if self.full else ""
        return (
            f"move {self.move_text}, value {value}{known}, line {line or '-'}; "
            f"{self.simulations:,} simulations, {self.nodes:,} nodes, depth {self.depth}{full}"
        )

    def _repr_html_(self) -> str:
        """Show the position and the result in a notebook, with the most visited moves."""
        from strategies.insight.pictures.cards import card
        from strategies.searches.monte_carlo.report import HEAD, sampled_rows

        rows = sampled_rows(self)
        more = f"<p>and {len(rows) - SHOWN:,} more moves</p>" if len(rows) > SHOWN else ""
        table = html_table(HEAD, rows[:SHOWN]) if rows else ""
        asked = self.searched
        told = card(asked.game, asked.state, str(self)) if asked else preformatted(str(self))
        return f"{told}{table}{more}"

    @property
    def request(self) -> NoRequest:
        """Return that there is no plan, so pictures name no moves and have no graph."""
        return NoRequest(unplanned())

    def tree(self, plies: int | None = None) -> SampledTree:
        """Return the most visited positions of the tree, at most `plies` plies below the root.

        They are some forty.  The statistics of several trees are added up for the positions that
        are among the most visited ones of each.

        Raises: ArgumentError for a number of plies below 1.
        """
        return tree_of(self, plies)

    def draw(self, what: str = "timeline") -> Picture:
        """Draw a picture of the run: the "timeline" of its tasks, or the "tree" below the root, as
        far as `tree` has it.

        Raises: AlgorithmError, one line, for a picture that needs a plan; ArgumentError for any
        other.
        """
        from strategies.insight.pictures.search_tree import draw_sampled_tree
        from strategies.insight.pictures.timeline import draw_timeline

        if what in ("graph", "overview", "bounds"):
            raise unplanned()
        return drawn(
            what,
            {"timeline": lambda: draw_timeline(self), "tree": lambda: draw_sampled_tree(self)},
        )

    def diagnosis(self) -> Diagnosis:
        """Diagnose what to change: more simulations, more memory, or shorter plays."""
        from strategies.insight.analysis.diagnosis.diagnose import diagnose_sampling

        return diagnose_sampling(self)

    def report(self, path: str | Path) -> Path:
        """Write one HTML page about the search, for a browser: its moves and its tasks.

        Returns: the path.
        Raises: OSError if it cannot be written; an earlier file is then unchanged.
        """
        from strategies.insight.report.document import write_page
        from strategies.searches.monte_carlo.report import sampled_page

        return write_page(path, lambda: sampled_page(self))

    def replay(self, *_: object, **__: object) -> NoReturn:
        """Raise AlgorithmError, one line, because there is no plan to step through or draw."""
        raise unplanned()

    search = replay

    def _names(self) -> Numbered:
        return Numbered("tree")

    def _about(self) -> dict[str, str]:
        return {} if self.searched is None else {"search": self.searched.expression}

    def summary(self) -> dict[str, Any]:
        """Return the answer and its counts as plain data for JSON: stable names, moves as text."""
        return {
            "move": self.line_texts[0] if self.line_texts else None,
            "value": self.value,
            "proven": self.proven,
            "player": self.player,
            "win": abs(self.value) >= WIN,
            "line": list(self.line_texts),
            "moves": [
                {
                    "move": text,
                    "visits": m.visits,
                    "value": m.value,
                    "proven": m.proven,
                    "deviation": m.deviation,
                }
                for text, m in zip(self.move_texts, self.moves, strict=True)
            ],
            "simulations": self.simulations,
            "rate": self.rate,
            "nodes": self.nodes,
            "depth": self.depth,
            "plies": self.plies,
            "full": self.full,
            "tasks": self.tasks,
        }


def conclude(
    job: Job, attempts: int, *parts: Trees, searched: SearchRequest | None = None,
) -> MonteCarloResult:  # fmt: skip
    """Add up the trees and select the move, in the last task of a search."""
    game, state = job.game, job.state
    trees = [tree for part in parts for tree in part.grown]
    records = tuple(r for part in parts for r in part.records)
    mover = game.player(state)
    side = -1 if mover == MINNIE and game.players <= 2 else 1  # of many, each has an own value
    statistics = _added(game, mover, _branches(game, state), trees)
    value = next((t.value for t in trees if t.value is not None), None)
    over, player = is_terminal(game, state), max(mover, MAXIE) if game.players > 2 else None
    if over:  # without time, no tree proves it, and never the values of several players
        paid: Any = game.utility(state)
        value = paid if player is None else paid[player]
    best = _chosen(job.algorithm, statistics, mover, side, value)
    if best is None:
        value = _mean(game, state, statistics, trees) if value is None else value
    elif value is None:
        value = statistics[best].value
    none = best is None or mover == CHANCE
    line = () if none else _line(game, state, best or 0, trees)
    return MonteCarloResult(
        move=line[0] if line else None,
        value=plain(float(value)) if value is not None else 0,
        proven=over
        or any(t.value is not None for t in trees)
        or (best is not None and _wins(statistics[best], side)),
        moves=statistics,
        line=line,
        simulations=sum(t.simulations for t in trees),
        nodes=sum(t.nodes for t in trees),
        depth=max(t.depth for t in trees),
        plies=sum(t.plies for t in trees),
        full=any(t.full for t in trees),
        player=player,
        sparks=ledger(attempts, records, source=(records, partial(Numbered, "tree"))),
        span=max(part.span for part in parts),
        records=records,
        line_texts=tuple(line_texts(game, state, line)),
        move_texts=tuple(named(game, state, m.move) for m in statistics),
        searched=searched,
        carried=sum(t.carried for t in trees),
        tops=tuple(Top(t.top, t.scale) for t in trees),
        kept=tuple(t.kept for t in trees if t.kept is not None),
    )


def _branches(game: Game[Any, Any], state: Any) -> list[Any]:
    """Return the moves of a position; the numbers of the outcomes if chance moves."""
    if game.player(state) == CHANCE:
        return list(range(sum(1 for _ in game.outcomes(state))))
    return list(game.moves(state))


def _added(
    game: Game[Any, Any], mover: int, moves: Sequence[Any], trees: Sequence[Grown]
) -> tuple[Sampled, ...]:
    """Add up the statistics of each branch over all trees."""
    grown = [t for t in trees if () in t.top]
    scales = [t.scale for t in grown]
    statistics = []
    for i, move in enumerate(moves):
        counts = [t.top[()].counts(i) for t in grown]
        found = statistics_of(game, mover, counts, scales) if grown else (0, None, False, None)
        statistics.append(Sampled(move, *found))
    return tuple(statistics)


def _chosen(
    algorithm: MonteCarlo, statistics: Sequence[Sampled], mover: int, side: int,
    value: float | None,
) -> int | None:  # fmt: skip
    """Select the branch to take: by proven values, then by visits; the leftmost of equals.

    The mover wants `side` times a value to be great.
    """
    if not statistics or mover == CHANCE:
        return None

    def rank(i: int) -> tuple[Any, ...]:
        s = statistics[i]
        signed = -float("inf") if s.value is None else side * s.value
        solved = _wins(s, side) or (s.proven and s.value == value)
        lost = s.proven and signed <= -WIN
        by = signed if algorithm.allocate == "uniform" else s.visits
        return solved, not lost, by, signed, -i

    return max(range(len(statistics)), key=rank)


def _wins(move: Sampled, side: int) -> bool:
    """Return whether a move is proven to win, and with it the position."""
    return move.proven and move.value is not None and side * move.value >= WIN


def _mean(
    game: Game[Any, Any], state: Any, statistics: Sequence[Sampled], trees: Sequence[Grown]
) -> float:
    """Return the mean value of the outcomes that were visited, by their probabilities."""
    scale = widest(t.scale for t in trees)
    odds = [float(odds) for odds, _ in game.outcomes(state)]
    known = [
        (p, scale.counted(s.value) if s.proven else s.value)
        for p, s in zip(odds, statistics, strict=True)
        if s.value is not None
    ]
    return sum(p * value for p, value in known) / (sum(p for p, _ in known) or 1.0)


def _line(game: Game[Any, Any], state: Any, best: int, trees: Sequence[Grown]) -> tuple[Any, ...]:
    """Return the principal variation, from the tree with the most visits of the chosen branch."""
    grown = (t for t in trees if () in t.top)
    most = max(grown, key=lambda t: t.top[()].visits[best], default=None)
    return moves_of(game, state, (best, *(most.lines[best] if most is not None else ())))
