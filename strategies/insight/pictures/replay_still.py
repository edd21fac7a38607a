"""A replay at its end, as a picture: the trees side by side, their counts and their workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from strategies.insight.analysis.replays.drawn_tree import Spot, spots
from strategies.insight.analysis.replays.moments import Replay, Task
from strategies.insight.analysis.trace_steps import Path
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.picture import Picture, picture_of
from strategies.insight.pictures.replay_tree import TREE_STYLE, tree_group
from strategies.insight.pictures.svg import element, words
from strategies.insight.pictures.tree_key import tree_key
from strategies.insight.pictures.tree_states import State, states_after
from strategies.running.records.wording import seconds

TOP, LANE, LEFT, GAP = 92.0, 24.0, 14.0, 28.0
"""In pixels: the space above the trees, the height of a lane, the left edge, the space between."""


def draw_replay(root: Spot, replays: Sequence[Replay]) -> Picture:
    """Draw replays of one search on its tree, as they are at their ends.

    Ensures: the same text for the same replays.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, search
    >>> from strategies.insight.analysis.replays.drawn_tree import drawn_tree
    >>> from strategies.insight.analysis.replays.replayed import replayed
    >>> answer = search(HANDOUT_SMALL, alphabeta(2))
    >>> replay = replayed(answer.compute())
    >>> draw_replay(drawn_tree(answer.plan, [replay]), [replay]).svg.count("✂<")
    2
    """
    end = max(replay.end for replay in replays)
    parts, left, tall = [], LEFT, 0.0
    states = [states_after((m.what for m in replay.moments), root) for replay in replays]
    for replay, state in zip(replays, states, strict=True):
        side, across, high = _side(root, replay, state, end)
        parts.append(element("g", *side, transform=f"translate({left:.0f} 0)"))
        left, tall = left + across + GAP, max(tall, high)
    wide = left - GAP
    key, low = tree_key(list(spots(root)), states, LEFT, wide - LEFT, tall + 16)
    parts.append(element("g", *key, class_="legend"))
    title = " and ".join(replay.title for replay in replays)
    return picture_of(title, parts, wide + LEFT, low, TREE_STYLE)


def _side(
    root: Spot, replay: Replay, states: Mapping[Path, State], end: float
) -> tuple[list[str], float, float]:
    counts = replay.counts()
    tree, across, tall = tree_group(root, 3, states)

    def told(x: float) -> str:
        return f"{x:,.0f}" if replay.ticks else seconds(x)

    costs = f"leaves {counts.get('leaves', 0):,}, work {told(counts.get('work', 0))}"
    sparks = ", ".join(
        f"{counts[name]:.0f} {name}"
        for name in ("converted", "fizzled", "aborted", "opened")
        if counts.get(name)
    )
    parts = [
        words(replay.title, 0, 30, "head"),
        words(f"{costs}, span {told(counts.get('span', 0))}", 0, 52, "sub"),
        words(f"sparks: {sparks}" if sparks else "no sparks", 0, 70, "sub"),
        element("g", tree, transform=f"translate(0 {TOP - 12:.0f})"),
    ]
    top = TOP + tall
    scale = (across - 30) / (end or 1)
    for worker in range(replay.workers):
        y = top + LANE * worker
        parts.append(words(str(worker + 1), 4, y + 12, "clock"))
        parts += [_bar(t, scale, y) for t in replay.tasks if t.worker == worker]
    return parts, across, top + LANE * replay.workers


def _bar(task: Task, scale: float, y: float) -> str:
    kind = "step" if task.role == "step" else task.became
    x, across = 20 + scale * task.start, max(4.0, scale * (task.end - task.start) - 1)
    bar = element("rect", class_=f"bar {kind}", x=x, y=y, width=across, height=LANE - 8, rx=2.0)
    sign = SIGNS.get(kind, "") if across > 14 else ""
    return element("g", bar, words(sign, x + across / 2, y + 12, "sign"), class_="task")
