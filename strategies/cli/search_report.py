"""Reports the results of searches in words: those to a depth, and sampled ones."""

from __future__ import annotations

from typing import Any

import click
from attrs import frozen

from games import CHANCE, Game, SearchTree, Status
from games.failed import path_text
from games.game import player_name
from graphs.limits import LINE_MOVES
from strategies.algebra.wording import plural
from strategies.algorithms.positions import at_chance
from strategies.insight.analysis.utilisation import wall
from strategies.native.engine import Engine
from strategies.running.records.wording import game_text, sampled_value, seconds, shortened
from strategies.searches.collection import Result, Search
from strategies.searches.endgame_transform import base_of
from strategies.searches.monte_carlo.result import MonteCarloResult
from strategies.searches.monte_carlo.search import MonteCarloSearch
from strategies.searches.move_values import MoveValues
from strategies.support.cached import cached_property
from strategies.support.printing import Printed, Table

SHOWN = 40
"""The most outcomes of a chance root that are shown."""


@frozen(slots=False)
class Report(Printed):
    """A search, how it was run, and its result."""

    answer: Search
    engine: Engine
    scheduler: str
    workers: int
    result: Result
    why: str | None = None
    """Why the algorithm was chosen; None if the user named it."""
    values: MoveValues[Any] | None = None
    """The values of moves, if they were asked for."""

    def data(self) -> dict[str, Any]:
        """Return the report as plain data, in the order of the help text."""
        plan, result = self.answer.plan, self.result
        return {
            "game": repr(plan.game),
            "position": plan.game.label(plan.state),
            "algorithm": repr(plan.algorithm),
            "using": repr(plan.using),
            "engine": {"native": not self.engine.so_far, "reason": self.engine.so_far},
            "scheduler": self.scheduler,
            "workers": self.workers,
            "seconds": result.seconds,
            **result.summary(),
            "chosen": self.why,
            "outcomes": [
                {
                    "outcome": number,
                    "probability": chance,
                    "position": position,
                    "value": below.value,
                    "estimate": str(below.estimate),
                    "move": below.line_texts[0] if below.line else None,
                    "line": list(below.line_texts),
                }
                for number, (chance, position, below) in enumerate(self._outcomes)
            ],
            **({} if self.values is None else {"values": self.values.summary()}),
            "diagnosis": [str(finding) for finding in result.diagnosis()],
        }

    def parts(self) -> list[object]:
        """Return the parts to print: position, answer, settings, cost, sparks and diagnosis."""
        plan, result = self.answer.plan, self.result
        game, state = plan.game, plan.state
        why = self.engine.so_far
        engine = f"interpreted: {why}" if why else "native"
        searched = plan.algorithm
        searched = searched if result.depth is None else searched.at_depth(result.depth)
        answer = [
            ("move", result.move_text),
            ("value", searched.text_with_plies(result.value, base_of(game))),
            ("line", path_text(result.line_texts, LINE_MOVES) or "-"),
        ]
        if result.depth is not None:
            answer.append(("depth", f"{result.depth} plies within the limit"))
        how = [
            ("game", game_text(game, 90)),
            ("algorithm", named(plan.algorithm, self.why)),
            ("strategy", repr(plan.using)),
            ("rules", engine),
            ("workers", f"{self.workers}, {self.scheduler} scheduler"),
        ]
        took = [
            ("leaves", f"{result.leaves:,}"),
            ("nodes", f"{result.nodes:,} ({rate(result.nodes, result.seconds)})"),
            ("time", f"{seconds(result.seconds)} from the call to the answer, "
                     f"{_tasks_of(result)}"),
            ("work", f"{seconds(result.work)} ({seconds(result.cpu)} of CPU time), "
                     f"span {seconds(result.span)}, "
                     f"parallelism {result.parallelism:.2f}"),
        ]  # fmt: skip
        picture = f"{game.show(state)}\n{to_move(game, state)}\n"
        below: list[object] = ["", self._below()] if self._outcomes else []
        below += [] if self.values is None else ["", self.values.table]
        parts = [picture, facts(answer), *below, "", facts(how), "", facts(took), "", result.sparks]
        diagnosis = [str(finding) for finding in result.diagnosis()]
        if diagnosis:
            parts += ["", facts([("diagnosis", "\n".join(diagnosis))])]
        return parts

    @cached_property
    def _outcomes(self) -> list[tuple[float, str, Result]]:
        """Return the outcomes at a chance root: probability, label, and the search below."""
        label = self.answer.plan.game.label
        found = self.result.outcomes()
        return [(p, label(below.request.state), below) for p, below in found if below.request]

    def _below(self) -> Table:
        """Return the outcomes at a chance root as a table."""
        rows = [("outcome", "probability", "position", "value", "best reply")]
        for number, (chance, position, below) in enumerate(self._outcomes[:SHOWN]):
            assert below.request is not None
            value = below.request.algorithm.text_with_plies(below.value)
            cells = (str(number), f"{chance:.4g}", shortened(position, 40), value, below.move_text)
            rows.append(cells)
        more = len(self._outcomes) - SHOWN
        if more > 0:
            rows.append(("…", "", f"{more} more: --json lists them", "", ""))
        return Table(rows, left=(2, 3, 4))


def named(algorithm: object, why: str | None) -> str:
    """Return an algorithm and, in a second line, why it was chosen if it was."""
    return repr(algorithm) if why is None else f"{algorithm!r}\nchosen: {why}"


def _tasks_of(result: Result) -> str:
    """Return how many tasks there were and their wall time, as timeline and diagnosis count it."""
    n, joins = result.tasks, len(result.joins)
    more = f" and {plural(joins, 'join')}" if joins else ""
    more += ", first to last" * (n != 1)
    return f"{seconds(wall(result))} of it in {plural(n, 'task')}{more}"


def to_move(game: Game[Any, Any], state: Any) -> str:
    """Return whose turn it is, or how the game ended; of a tree, whether the node is a leaf."""
    status = Status(game.status(state))
    if isinstance(game, SearchTree):
        return "The root of a tree." if status == Status.IN_PLAY else "A leaf."
    if status != Status.IN_PLAY:
        return status.name.replace("_", " ").capitalize() + "."
    player = game.player(state)
    return f"{player_name(player)} to move." if player != CHANCE else "Chance moves."


def rate(count: int, time: float) -> str:
    """Return the text of a rate per second, with three digits.

    >>> rate(123_456, 0.01), rate(5, 0.1)
    ('12.3 M/s', '50 /s')
    """
    number = count / time if time > 0 else 0.0
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {unit}/s"
    return f"{number:.3g} /s"


def facts(rows: list[tuple[str, str]]) -> str:
    """Return names and values in two columns; later lines of a value are indented.

    >>> print(click.unstyle(facts([("move", "4"), ("line", "4 4")])))
    move       4
    line       4 4
    """
    lines = []
    for name, text in rows:
        first, *more = text.splitlines() or [""]
        lines.append(click.style(name.ljust(11), bold=True) + first)
        lines += [" " * 11 + line for line in more]
    return "\n".join(lines)


MOVES_SHOWN = 12
"""The number of moves shown: those visited most."""


@frozen
class SamplingReport(Printed):
    """A Monte Carlo search and its result."""

    answer: MonteCarloSearch
    engine: Engine
    result: MonteCarloResult
    why: str | None = None
    """Why the algorithm was chosen; None if the user named it."""

    def data(self) -> dict[str, Any]:
        """Return the report as plain data, in the order of the help text."""
        job = self.answer.job
        rows = self.result.summary()
        return {
            "game": repr(job.game),
            "position": job.game.label(job.state),
            "algorithm": repr(job.algorithm),
            "chosen": self.why,
            "using": repr(self.answer.strategy),
            "engine": {"native": self.engine.native, "reason": self.engine.reason},
            **rows,
            "outcomes": self._outcomes(),
            "seconds": self.result.seconds,
        }

    def parts(self) -> list[object]:
        """Return the parts to print: position, answer, moves, settings and cost."""
        job, found = self.answer.job, self.result
        engine = "native" if self.engine.native else f"interpreted: {self.engine.reason}"
        whose = "" if found.player is None else f" for {player_name(found.player)}"
        proven = " (proven)" if found.proven else ""
        answer = [
            ("move", found.move_text),
            ("value", f"{sampled_value(found.value)}{whose}{proven}"),
            ("line", " ".join(found.line_texts) or "-"),
        ]
        full = "; the memory was full" if found.full else ""
        how = [
            ("game", game_text(job.game, 90)),
            ("algorithm", named(job.algorithm, self.why)),
            ("strategy", repr(self.answer.strategy)),
            ("rules", engine),
        ]
        took = [
            ("simulations", f" {found.simulations:,} ({rate(found.simulations, found.seconds)})"),
            ("nodes", f"{found.nodes:,}, {found.depth} plies deep{full}"),
            ("time", f"{seconds(found.seconds)} in {plural(found.tasks, 'task')}"),
        ]
        picture = f"{job.game.show(job.state)}\n{to_move(job.game, job.state)}\n"
        return [picture, facts(answer), "", self._moves(), "", facts(how), "", facts(took)]

    def _moves(self) -> Table:
        """Return the most visited moves as a table."""
        from strategies.searches.monte_carlo.report import HEAD, counted, visited_most

        known = {row["outcome"]: row for row in self._outcomes()}
        total = max(1, sum(m.visits for m in self.result.moves))
        rows = [(*HEAD, *(["probability", "position"] if known else []))]
        for text, m in visited_most(self.result)[:MOVES_SHOWN]:
            row = known.get(m.move) if known else None
            more = [f"{row['probability']:.4g}", shortened(row["position"], 40)] if row else []
            rows.append((text, *counted(m, total), *more))
        return Table(rows, left=(0, 3, 6) if known else (0, 3))

    def _outcomes(self) -> list[dict[str, Any]]:
        """Return the outcomes at a chance root as plain data; none elsewhere."""
        game, state = self.answer.job.game, self.answer.job.state
        if not at_chance(game, state):
            return []
        rows = zip(game.outcomes(state), self.result.moves, strict=True)
        return [
            {"outcome": n, "probability": p, "position": game.label(s), "value": m.value}
            for n, ((p, s), m) in enumerate(rows)
        ]
