"""The page about learning: its curve, point by point."""

from __future__ import annotations

from typing import Any, Final

from strategies.insight.report.chart_page import Chart, chart_page, spread
from strategies.running.records.wording import seconds, shortened

MEANINGS: Final = {
    "games": "that it played against itself",
    "moves": "of all these games, chance left out",
    "time": "spent on learning, in all",
    "moves a second": "moves by time",
    "weights": "numbers of the network",
}
"""What the facts of the page mean."""
POINTS: Final = {
    "games": "played so far",
    "moves": "made so far",
    "seconds": "since the start",
    "result": "what Maxie's games came to, on average since the row before",
    "error": "how far a value was from that after the next move, on average since the row before",
}
"""What the columns of the tables mean."""
MOST = 60
"""Points in a table: every so-manieth of more."""


def learned_page(found: Any) -> str:
    """Make the page: what was played, and results and errors as they went.

    Requires: a `Learned`.
    """
    step = -(-len(found.curve) // MOST) or 1
    points = [p for k, p in enumerate(found.curve, 1) if k % step == 0 or k == len(found.curve)]
    results = [p.result for p in points] or [0.0]
    errors = [p.error for p in points] or [0.0]
    least = min(0.0, *results)
    about = [
        ("games", f"{found.games:,}" + (", interrupted" if found.interrupted else "")),
        ("moves", f"{found.moves:,}"),
        ("time", seconds(found.seconds)),
        ("weights", f"{found.network.size:,}"),
        ("moves a second", f"{found.moves / found.seconds:,.0f}" if found.seconds else "-"),
    ]
    charts = [
        Chart(
            "results", "Results", "What Maxie's games came to on average since the row before.",
            ("games", "moves", "seconds", "result"),
            [(f"{p.games:,}", f"{p.moves:,}", f"{p.seconds:.1f}", f"{p.result:,.4g}")
             for p in points],
            [spread(min(0.0, p.result), max(0.0, p.result), least, max(0.0, *results), p.result)
             for p in points],
            meanings=POINTS,
        ),
        Chart(
            "errors", "Errors",
            "How far the value of a position was from the one after the next move, on average.",
            ("games", "moves", "error"),
            [(f"{p.games:,}", f"{p.moves:,}", f"{p.error:,.4g}") for p in points],
            [spread(0, p.error, 0, max(errors), p.error) for p in points], meanings=POINTS,
        ),
    ]  # fmt: skip
    game = shortened(repr(found.game), 90)
    return chart_page("Learning", game, about, charts, meanings=MEANINGS)
