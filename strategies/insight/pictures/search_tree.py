"""The tree of a search, drawn as in textbooks, with what became of sparks, or with visits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define

from games import Game, Status
from graphs.errors import ArgumentError, unstyled
from graphs.limits import TREE_POSITIONS
from strategies.algebra.wording import plural
from strategies.algorithms.positions import kind_of
from strategies.insight.analysis.replays.drawn_tree import LABEL, Spot, spots, whole_tree
from strategies.insight.analysis.replays.moments import Turned, What
from strategies.insight.analysis.replays.replayed import replayed
from strategies.insight.analysis.trace import TraceWalk, whole
from strategies.insight.analysis.trace_steps import Inlined, Path, Step, place_of
from strategies.insight.pictures.picture import Picture, element, headed, picture_of
from strategies.insight.pictures.replay_tree import MANY, TREE_STYLE, tree_group
from strategies.insight.pictures.tree_shapes import tree_key
from strategies.insight.pictures.tree_states import State, states_after
from strategies.running.plans.plan import Plan
from strategies.running.plans.search_graph import SearchGraph
from strategies.running.records.search_run import SearchRun
from strategies.running.records.wording import sampled_value, shortened
from strategies.support.stacks import room_for

TOP = 76.0
"""The space above the tree, in pixels."""
NOT_TOLD = "the tree of one search to the full depth; what became of the sparks: see the timeline"


def draw_tree(search: SearchGraph, result: SearchRun | None = None, *, most: int = 500) -> Picture:
    """Draw the tree of a search: the positions that it visits, and those that it prunes.

    Triangles point up where Maxie moves and down where Minnie does, circles are chance, squares are
    leaves with their values.  Of several players, each has a shape, a colour and a name.  Under the
    value of a node is the window of its last search.  With a result, the tree is that of the run,
    and each spark has the sign and the colour of what became of it, as in replays.  Without a
    result, or if the run had many graphs, it is the tree of fixed windows, in which no spark has an
    outcome.

    Requires: a small tree, whose rules run interpreted.
    Ensures: one mark per position; squares with a value are the leaves that the search evaluates;
    what is written beside a node is true of its value; the legend lists what occurs.
    Raises: ArgumentError if there are more than `most` positions.
    Cost: linear in the positions, at most `most` of them before it refuses.
    Source: the figures of handouts on alpha-beta pruning.

    >>> from games import HANDOUT_FIRST
    >>> from strategies import alphabeta, search
    >>> draw_tree(search(HANDOUT_FIRST, alphabeta(depth=2))).svg.count(">✂<")
    1
    """
    with room_for(search.plan.algorithm.depth):
        root = whole_tree(search.plan, most)
        steps, told = _steps(search.plan, result)
        return _drawn(search.plan, root, states_after(steps, root), told)


def _steps(plan: Plan, result: SearchRun | None) -> tuple[list[What], str]:
    """Return the steps of a run, or of a search with fixed windows; and what they tell."""
    try:
        if result is not None:
            steps = [moment.what for moment in replayed(result).moments]
            sparks = result.sparks
            return steps, sparks.line if sparks.asked or sparks.inlined else "no sparks"
    except ArgumentError:  # a run of many graphs, or of none: the tree is that of fixed windows
        pass
    found: list[Step] = []
    whole(TraceWalk(plan.game, plan.algorithm, found.append), plan.state, plan.strategy)
    asked = {step.place.path: step.count for step in found if isinstance(step, Inlined)}
    count = f"{plural(sum(asked.values()), 'spark')} asked for" if asked else "no sparks"
    return [_asked(step) for step in found], count if result is None else NOT_TOLD


def _asked(step: Step) -> What:
    """Return a step of a search that has no tasks, whose sparks are only asked for."""
    if isinstance(step, Inlined):
        return Turned("asked", True, step.place, step.branches)
    return step


def _drawn(plan: Plan, root: Spot, states: Mapping[Path, State], told: str) -> Picture:
    every = list(spots(root))
    leaves = [p for p in every if p.kind == "leaf"]
    read = sum(p.path in states and states[p.path].seen for p in leaves)
    title = shortened(f"{plan.algorithm!r} using {plan.using!r}", 110)
    counts = f"{len(every):,} positions; {read:,} of {len(leaves):,} leaves read"
    heading = (title, counts, told)
    return tree_picture(repr(plan.strategy), heading, root, states, longest=1, many=len(every))


def tree_picture(
    name: str, heading: Sequence[str], root: Spot, states: Mapping[Path, State], *, longest: int,
    many: int = MANY,
) -> Picture:  # fmt: skip
    """Return the picture of a tree in its states, with a heading and a legend; see `tree_group`."""
    heads, least = headed(*heading)
    tree, across, tall = tree_group(root, longest, states, many=many)
    across = max(across, least)
    key, end = tree_key(list(spots(root)), [states], 14, across - 28, TOP + tall + 8)
    parts = [
        *heads,
        element("g", tree, transform=f"translate(0 {TOP:.0f})"),
        element("g", *key, class_="legend"),
    ]
    return picture_of(name, parts, across, end, TREE_STYLE)


@define
class Visited(State):
    """The state of a position that simulations visited."""

    visits: int = 0
    mean: str = ""
    deviation: str = ""

    @property
    def window(self) -> str:
        """Return the visits, which stand under the value."""
        return f"{self.visits:,}"

    @property
    def claim(self) -> str:
        """Return the value as text."""
        return self.mean

    def tips(self, leaf: bool) -> list[str]:
        """Return what a tooltip tells."""
        spread = [f"standard deviation {self.deviation}"] if self.deviation else []
        return [plural(self.visits, "visit"), f"value {self.mean}", *spread]


def draw_sampled_tree(result: Any) -> Picture:
    """Draw the most visited positions of a Monte Carlo search, at most `TREE_POSITIONS`.

    Triangles point up where Maxie moves and down where Minnie does, circles are chance, squares are
    finished games.  Beside each is its value, and below that its visits; tooltips also tell the
    standard deviation of the results.  The line of most visited moves is bold.

    Requires: a `MonteCarloResult` with its request.
    """
    asked = result.searched
    most = sorted(result.tree(), key=lambda p: (-p.visits, p.path))[: TREE_POSITIONS - 1]
    found = {p.path: p for p in most}
    total = sum(m.visits for m in result.moves)
    states: dict[Path, State] = {(): Visited(True, visits=total, mean=sampled_value(result.value))}
    states |= {
        k: Visited(
            True,
            visits=p.visits,
            mean=sampled_value(p.value, p.proven),
            deviation=sampled_value(p.deviation),
        )
        for k, p in found.items()
    }
    root = _spot(asked.game, found, (), asked.state)
    every = list(spots(root))
    for p in every:
        if p.kind != "chance" and p.below:  # the leftmost of the most visited
            states[p.path].lead = max(p.below, key=lambda b: found[b.path].visits).path[-1]
    counts = f"{result.simulations:,} simulations; the {len(every):,} most visited of "
    heading = (
        shortened(repr(asked.algorithm), 110),
        counts + plural(result.nodes, "position"),
        "beside each: its value, and its visits",
    )
    return tree_picture("Monte Carlo tree", heading, root, states, longest=6)


def _spot(game: Game[Any, Any], found: dict[Path, Any], path: Path, state: Any) -> Spot:
    """Return a position with those below it that are drawn."""
    below = [p for p in found.values() if p.path[:-1] == path]
    over = game.status(state) != Status.IN_PLAY
    kind = "leaf" if over else kind_of(game, state)
    kind = "max" if kind == "min" and game.players > 2 else kind
    place = place_of(game, path, state, game.players > 2)
    label = place.label if len(place.label) <= LABEL and place.label.isalnum() else ""
    moves = found[path].moves if path else ()
    move = moves[-1] if moves else ""
    name = f"({place.who},{' '.join(moves) or 'start'})"
    return Spot(
        place, name, label, kind, move.replace("outcome ", "#"), unstyled(game.show(state)), state,
        tuple(_spot(game, found, p.path, p.state) for p in sorted(below, key=lambda p: p.path)), 0,
    )  # fmt: skip
