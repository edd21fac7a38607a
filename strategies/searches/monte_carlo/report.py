"""The page about a Monte Carlo search: the statistics of each move, and the tasks."""

from __future__ import annotations

from typing import Any, Final

from graphs.limits import MOVES_SHOWN, SHOWN_MOVE_LETTERS
from strategies.insight.report.chart_page import Chart, chart_page, spread
from strategies.insight.report.run_sections import rerun_section
from strategies.running.records.wording import game_text, sampled_value, seconds, shortened


def sampled_page(result: Any, command: str = "") -> str:
    """Return the page: the answer, the moves by visits, and the timeline of the trees.

    `command` is the shell command of the run, to be shown in place of its Python expression.
    Requires: a `MonteCarloResult`.
    """
    moves = visited_most(result)[:MOVES_SHOWN]
    most = max((m.visits for _, m in moves), default=1) or 1
    line = " ".join(shortened(text, SHOWN_MOVE_LETTERS) for text in result.line_texts)
    about = [
        (
            "move",
            shortened(result.line_texts[0], SHOWN_MOVE_LETTERS)
            if result.line_texts
            else result.no_move,
        ),
        ("value", sampled_value(result.value, result.proven)),
        ("simulations", f"{result.simulations:,}"),
        ("simulations a second", f"{result.rate:,.0f}"),
        ("time", seconds(result.seconds)),
        ("nodes", f"{result.nodes:,}" + (", memory full" if result.full else "")),
        ("deepest", f"{result.depth} plies"),
        ("plies of random play", f"{result.plies:,}"),
    ]
    charts = [
        Chart(
            "moves", "Moves", f"Those visited most come first; the line is {line or 'empty'}.",
            HEAD, sampled_rows(result)[:MOVES_SHOWN],
            [spread(0, m.visits, 0, most, m.visits) for _, m in moves], meanings=MOVES,
        )
    ]  # fmt: skip
    under = f"{result.tasks} task{'s' * (result.tasks != 1)} that grew trees"
    request, again = result.searched, ""
    if request is not None:
        game = game_text(request.game, 90)
        under = f"{request.algorithm!r} of {game}, using {request.strategy!r}; {under}"
        again = rerun_section(request, command)
    return chart_page(
        "Monte Carlo tree search", under, about, charts, result, MEANINGS, result._names(), again
    )


MEANINGS: Final = {
    "move": "the move that was visited most",
    "value": "its mean over all simulations, from Maxie's side",
    "simulations": "plays from the root to an end, over all trees",
    "simulations a second": "simulations divided by the time of the search",
    "time": "from the call to the answer",
    "nodes": "positions in the trees",
    "deepest": "the longest path from the root to a node",
    "plies of random play": "made below the trees, in all simulations",
}
"""The meaning of each fact on the page."""
MOVES: Final = {
    "visits": "simulations that began with the move",
    "share": "of all visits",
    "value": "their mean, from Maxie's side; proven if the tree has the whole game below",
    "deviation": "the standard deviation of their results around their mean",
}
"""The meaning of each column of the moves."""
HEAD = ("move", "visits", "share", "value", "deviation")
"""The columns of `sampled_rows`."""


def visited_most(result: Any) -> list[tuple[str, Any]]:
    """Return the moves with their names, the most visited first."""
    pairs = zip(result.move_texts, result.moves, strict=True)
    return sorted(pairs, key=lambda pair: -pair[1].visits)


def sampled_rows(result: Any) -> list[tuple[str, ...]]:
    """Return the rows of the moves as texts, the most visited first."""
    total = max(1, sum(m.visits for m in result.moves))
    return [
        (shortened(text, SHOWN_MOVE_LETTERS), *counted(m, total))
        for text, m in visited_most(result)
    ]


def counted(m: Any, total: int) -> tuple[str, str, str, str]:
    """Return the visits of a move, their share of the total, its value and its deviation, as
    texts."""
    share = f"{100 * m.visits / total:.1f}%"
    return f"{m.visits:,}", share, sampled_value(m.value, m.proven), sampled_value(m.deviation)
