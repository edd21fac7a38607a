"""Prints the result of a Monte Carlo search, for ``jamboree search``."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games.game import player_name
from strategies.algorithms.positions import at_chance
from strategies.cli.search_report import facts, named, rate, to_move
from strategies.native.engine import Engine
from strategies.notation.wording import plural
from strategies.running.records.wording import game_text, sampled_value, seconds, shortened
from strategies.searches.monte_carlo.result import MonteCarloResult
from strategies.searches.monte_carlo.search import MonteCarloSearch
from strategies.support.printing import Printed, Table

SHOWN = 12
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
        for text, m in visited_most(self.result)[:SHOWN]:
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
