"""The value of every move of a position, or all of its best moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple

from attrs import evolve, frozen

from games import MINNIE, Status
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.algebra.strategy import Strategy
from strategies.algorithms.fold import OPEN, Interval
from strategies.algorithms.positions import children, is_terminal, kind_of
from strategies.algorithms.with_chance import Expectimax
from strategies.native.memory.floats import above, below
from strategies.running.plans.opening import plan
from strategies.running.plans.plan import Plan
from strategies.running.records.request import SearchRequest
from strategies.running.records.search_run import M, SearchRun
from strategies.searches.endgame_transform import base_of
from strategies.support.printing import Printed, Table, data_frame

WANTED = ("all", "best")


@frozen
class MoveValue(Generic[M]):
    """A move with the value of the position that it leads to."""

    move: M
    value: float
    """The value from Maxie's side; under `maxn`, a tuple."""
    texts: tuple[str, ...]
    """The move and the principal variation after it, as the game writes them; the move alone if a
    null window showed that it is as good as the best, because that finds no variation."""
    nodes: int
    """The number of positions visited for it."""
    value_text: str
    """The value as people read it."""
    told: str
    """The same, with the plies to a forced win."""


@frozen
class MoveValues(Printed, Generic[M]):
    """Moves with their values, the best for the player to move first; equal ones in the game's
    order."""

    rows: tuple[MoveValue[M], ...]
    player: int = 0
    """The player to move."""

    def __iter__(self) -> Iterator[MoveValue[M]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, move: M) -> float:
        """Return the value of a move."""
        for row in self.rows:
            if row.move == move:
                return row.value
        raise KeyError(move)

    @property
    def best(self) -> tuple[M, ...]:
        """Return all moves that are worth most to the player to move, in the game's order."""
        worth = [_for_player(row.value, self.player) for row in self.rows]
        return tuple(row.move for row, w in zip(self.rows, worth, strict=True) if w == worth[0])

    @property
    def nodes(self) -> int:
        """Return the number of positions visited for all moves."""
        return sum(row.nodes for row in self.rows)

    @property
    def table(self) -> Table:
        """Return the moves as a table: move, value, principal variation, nodes."""
        rows = [("move", "value", "line", "nodes")]
        for row in self.rows:
            line = " ".join(row.texts)
            rows.append((row.texts[0], row.told, line, f"{row.nodes:,}"))
        return Table(rows, left=(0, 1, 2))

    def parts(self) -> list[object]:
        """Return the part to print: the table."""
        return [self.table]

    def to_pandas(self) -> Any:
        """Return the moves as a DataFrame of pandas, with the names of the `summary`.

        Raises: ImportError, which says what to install.
        """
        return data_frame(self.summary())

    def summary(self) -> list[dict[str, Any]]:
        """Return the moves as plain data for JSON, with stable names."""
        return [
            {
                "move": row.texts[0],
                "value": row.value,
                "estimate": row.value_text,
                "line": list(row.texts),
                "nodes": row.nodes,
            }
            for row in self.rows
        ]


def move_values(
    result: SearchRun[M], which: str, search: Callable[[Plan], SearchRun[Any]]
) -> MoveValues[M]:
    """Search below each move of a result's position by `search`; see `Result.values`.

    Requires: a result that knows its request.
    """
    if which not in WANTED:
        raise ArgumentError(f"which must be 'all' or 'best', not {shown(which)}")
    request: Any = result.request
    if result.move is None:
        raise ArgumentError(f"there are no moves to value: {result.no_move.removeprefix('none: ')}")
    if result.depth == 0:
        raise ArgumentError(
            "no depth was finished within the limit, so no move has a value: give more"
        )
    game, state = request.game, request.state
    player = game.player(state)
    tests = which == "best" and request.algorithm.narrows
    window = _as_good(result.value, player) if tests else OPEN
    rows: list[MoveValue[M]] = []
    for move, _, branch in branch_plans(request, request.algorithm.depth, request.strategy, window):
        if tests and not rows and move != result.move:
            continue  # the move of the result is the leftmost of the best
        found = search(branch)
        value = found.value
        if tests:
            if not _reaches(value, result.value, player):
                continue
            value = result.value
        texts, plain = _texts(game, state, move, found), request.algorithm.value_text(value)
        if tests and move == result.move:
            texts = tuple(result.line_texts)
        told = request.algorithm.text_with_plies(value, base_of(game))
        rows.append(MoveValue(move, value, texts, found.nodes, plain, told))
    rows.sort(key=lambda row: _for_player(row.value, player), reverse=True)
    if which == "best":
        most = _for_player(rows[0].value, player)
        rows = [row for row in rows if _for_player(row.value, player) == most]
    return MoveValues(tuple(rows), player)


def _as_good(value: float, player: int) -> Interval:
    """Return the null window in which a branch shows whether it is as good as the best."""
    return (value, above(value)) if player == MINNIE else (below(value), value)


def _reaches(found: float, value: float, player: int) -> bool:
    return found <= value if player == MINNIE else found >= value


def _for_player(value: Any, player: int) -> float:
    """Return the value from the side of the player to move."""
    if isinstance(value, tuple):
        return float(value[player])
    return -float(value) if player == MINNIE else float(value)


def _texts(game: Any, state: Any, move: Any, below: SearchRun[Any]) -> tuple[str, ...]:
    return (game.move_text(state, move), *below.line_texts)


class BranchPlan(NamedTuple):
    """A branch of a root: its move, or the number of an outcome; its probability; its search."""

    move: Any
    chance: float
    plan: Plan


def branch_plans(
    request: SearchRequest, depth: int, using: Strategy, window: Interval = OPEN
) -> list[BranchPlan]:
    """Return the plan of the search below each branch of a root that is searched to `depth`.

    Ensures: none if the position has no branches, or the depth is 0.
    """
    game, state, algorithm = request.game, request.state, request.algorithm
    if depth == 0 or is_terminal(game, state):
        return []
    kind = kind_of(game, state)
    found = []
    for move, chance, child in children(game, state, kind):
        below = algorithm.at_depth(depth - 1)
        if isinstance(algorithm, Expectimax) and algorithm.cutoff:  # a probability from the root
            stays = game.status(child) != Status.IN_PLAY or not algorithm.cuts(game, child, chance)
            left, cutoff = below.depth if stays else 0, algorithm.cutoff / chance
            below = evolve(algorithm, depth=left, cutoff=cutoff)
        planned = plan(game, below, using, child, window=window, engine=request.ran_on)
        found.append(BranchPlan(move, chance, planned))
    return found
