"""The tree of a Monte Carlo search: its most visited positions, with their visits and values."""

from __future__ import annotations

from typing import Any

from attrs import define

from games import Game, Status
from strategies.algorithms.positions import kind_of
from strategies.insight.analysis.replays.drawn_tree import LABEL, Spot, spots
from strategies.insight.analysis.trace_steps import Path, place_of
from strategies.insight.pictures.picture import Picture
from strategies.insight.pictures.search_tree import tree_picture
from strategies.insight.pictures.tree_states import State
from strategies.notation.wording import plural
from strategies.running.records.wording import sampled_value, shortened

MOST = 24
"""The most positions that are drawn."""


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
    """Draw the most visited positions of a Monte Carlo search, at most `MOST`.

    Triangles point up where Maxie moves and down where Minnie does, circles are chance, squares are
    finished games.  Beside each is its value, and below that its visits; tooltips also tell the
    standard deviation of the results.  The line of most visited moves is bold.

    Requires: a `MonteCarloResult` with its request.
    """
    asked = result.searched
    most = sorted(result.tree(), key=lambda p: (-p.visits, p.path))[: MOST - 1]
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
        place, name, label, kind, move.replace("outcome ", "#"), game.show(state), state,
        tuple(_spot(game, found, p.path, p.state) for p in sorted(below, key=lambda p: p.path)), 0,
    )  # fmt: skip
