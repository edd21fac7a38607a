"""The parts of the page that the scripts fill: panels for each replay, and the controls."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from strategies.insight.analysis.replays.moments import Replay
from strategies.insight.pictures.fates import FATES, SIGNS
from strategies.insight.report.html import buttons
from strategies.insight.report.ledger import COUNTS

JUMPS: Final = (("cut", "cutoff", "c"), ("aborted", "abort", "a"), ("lead", "best move", "b"))
"""Kinds of moments to jump to: the kind, what it is called, its key."""
MEANINGS: Final = {
    "best so far": "the value of the best move that is known now",
    "leaves": "positions evaluated so far",
    "positions": "positions visited so far",
    "work": "the time of all tasks so far, added up",
    "span": "the time of the longest chain of tasks that wait for each other",
    "sparks": "branches that were asked for ahead of time",
    **{name: COUNTS[name] for name in
       ("converted", "fizzled", "aborted", "dud", "opened", "inlined", "pruned")},
}  # fmt: skip
"""The counts of a replay and their meanings."""
HOW: Final = (
    ("→ ←", "one step forward, or back"),
    ("space", "play, or stop"),
    ("c, a, b", "to the next cutoff, abort, change of the best at the root; with Shift, back"),
    ("Home, End", "to the start, to the end"),
    ("click a line, a bar or a mark", "goes to its step, to its start, to where it is entered"),
)


def panels(replays: Sequence[Replay], trees: Sequence[str]) -> str:
    """Return the panels: for each replay its counts, tree, window and trace."""
    parts = [
        _panel(n, replay, tree, len(replays) > 1)
        for n, (replay, tree) in enumerate(zip(replays, trees, strict=True))
    ]
    pair = " two" if len(replays) > 1 else ""
    return f'<div class="replay{pair}">{"".join(parts)}</div>'


def _panel(n: int, replay: Replay, tree: str, titled: bool) -> str:
    name = escape(replay.title)
    counts = "".join(
        f'<div title="{escape(meaning)}"><dt>{count}</dt><dd data-count="{count}"></dd></div>'
        for count, meaning in MEANINGS.items()
    )
    title = f"<h2>{name}</h2>" if titled else ""
    return (
        f'<section class="side" id="side-{n}" aria-label="{name}">{title}'
        f'<dl class="counts">{counts}</dl>'
        f'<div class="stage" tabindex="0" role="group" aria-label="tree, {name}">{tree}</div>'
        f'<div class="now jam"><p class="says"></p><svg class="interval" '
        f'role="img" aria-label="window"></svg><p class="window"></p>'
        '<div class="board" hidden></div></div>'
        f'<ol class="trace" tabindex="0" aria-label="steps, {name}"></ol></section>'
    )


def controls(replays: Sequence[Replay]) -> str:
    """Return the slider with its buttons, the lanes, the legend and the keys."""
    lanes = "".join(
        f'<div class="lanes jam"><h3>{escape(r.title)}</h3><svg role="img" '
        f'aria-label="workers, {escape(r.title)}"></svg></div>'
        for r in replays
    )
    jumps = "".join(
        f'<button type="button" data-jump="{kind}" title="next {name}: key {key}">'
        f"{name} <kbd>{key}</kbd></button>"
        for kind, name, key in JUMPS
    )
    own = buttons(
        ("first", "|◀", "to the start"), ("back", "◀", "one step back"), ("play", "play", "play"),
        ("next", "▶", "one step forward"), ("last", "▶|", "to the end"),
    )  # fmt: skip
    key = "".join(
        f'<span data-fate="{fate}" data-sign="{SIGNS[fate]}">{escape(text)}</span>'
        for fate, text in FATES.items()
    )
    how = "".join(f"<dt>{escape(by)}</dt><dd>{escape(does)}</dd>" for by, does in HOW)
    return (
        f'<div class="steer"><div class="tools">{own}{jumps}<output id="clock"></output></div>'
        '<input type="range" id="slider" min="0" value="0" aria-label="step">'
        f'<p class="unseen" id="told" role="status"></p><div class="workers" tabindex="0" '
        f'role="group" aria-label="workers">{lanes}</div></div>'
        f'<section id="legend"><h2>Signs and keys</h2><div class="key signs jam">{key}</div>'
        f'<details class="how" open><summary>Keys</summary><dl>{how}</dl></details></section>'
        "<footer>Made by jamboree.</footer>"
    )
