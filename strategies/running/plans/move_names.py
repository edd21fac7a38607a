"""Name the branches of a plan by their moves."""

from __future__ import annotations

from typing import Any

from strategies.running.execution.live_windows import Place
from strategies.running.plans.plan import Node, Plan
from strategies.running.records.record import branch_numbers
from strategies.running.records.rows import Moves
from strategies.running.records.wording import outcome_names


class Names:
    """Names of moves: of a branch, and of the path from the root to a node."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._below = Moves(plan.game, plan.state)
        self._chances: dict[Place, list[str]] = {}
        self._nodes: dict[Place, tuple[Node | None, Any]] = {(): (plan.root, plan.state)}

    def node(self, path: Place) -> Node | None:
        """Return the plan's node at a place; None if the plan did not open it."""
        return self._at(path)[0]

    def move(self, path: Place, index: int) -> str:
        """Return the move that leads from the node at `path` to one of its branches."""
        node, state = self._at(path)
        if node is None:
            return self._below.move(branch_numbers(path), index)
        if node.kind == "chance":
            return self._outcomes(path, node)[index]
        return self.plan.game.move_text(state, node.branches[index].move)

    def _outcomes(self, path: Place, node: Node) -> list[str]:
        if path not in self._chances:
            self._chances[path] = outcome_names([b.chance for b in node.branches])
        return self._chances[path]

    def way(self, path: Place) -> list[str]:
        """Return the moves from the root to the node at `path`."""
        return [self.move(path[:i], step) for i, step in enumerate(branch_numbers(path))]

    def _at(self, path: Place) -> tuple[Node | None, Any]:
        if path not in self._nodes:
            node, _ = self._at(path[:-1])
            index = branch_numbers(path)[-1]
            if node is None:
                self._nodes[path] = None, None
            else:
                self._nodes[path] = node.nodes[index], node.branches[index].state
        return self._nodes[path]
