"""The cutoff at the first improvement: a search stops at the first move that beats a known value.

It misses better moves that come later, so it is for studies, not for strong play.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, field, frozen

from games import CHANCE, MINNIE, Game
from games.game import check_game
from graphs.arguments import check_kind, checked_by, shown
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import Algorithm, check_algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import is_terminal
from strategies.players.search_agent import SearchAgent


@frozen
class FirstBetter:
    """The result of a search that stops at the first improvement."""

    move: Any
    value: float
    """The value of the move, not of the position; a later move may be worth more."""
    searched: int
    """The number of moves searched."""
    nodes: int
    leaves: int


def first_better(
    game: Game[Any, Any], algorithm: Algorithm, last: float | None, *, state: Any = None,
    engine: str = "auto",
) -> FirstBetter:  # fmt: skip
    """Search for the first move worth more than `last` to the mover; the best if there is none.

    Requires: an algorithm with one value per position and a depth of 1 or more; a position in which
    a player moves.
    Ensures: with ``last=None`` all moves are searched, and the answer is that of the full search.
    Raises: AlgorithmError, ValueError.
    Source: K. Willeford's report on parallel expectimax (CSCI 176), which warns of it.

    >>> from games import ExplicitGame
    >>> from strategies import minimax
    >>> tree = ExplicitGame.from_nested([[1], [-2], [9]])
    >>> first_better(tree, minimax(2), last=0).value, first_better(tree, minimax(2), None).value
    (1, 9)
    """
    from strategies.searches.search import search

    check_game(game)
    check_algorithm(algorithm)
    _check(algorithm, game)
    if last is not None and not (isinstance(last, (int, float)) and last == last):
        raise ArgumentError(f"last must be the value to beat, a number or None, not {shown(last)}")
    state = game.start() if state is None else state
    if is_terminal(game, state) or game.player(state) == CHANCE:
        raise ArgumentError(f"no player is to move in {game.label(state)}")
    sign = -1 if game.player(state) == MINNIE else 1
    below = evolve(algorithm, depth=algorithm.depth - 1)
    best: tuple[Any, float] | None = None
    searched = nodes = leaves = 0
    for move in game.moves(state):
        result = search(game, below, state=game.make_move(state, move), engine=engine).compute()
        searched, nodes, leaves = searched + 1, nodes + result.nodes, leaves + result.leaves
        if best is None or sign * result.value > sign * best[1]:
            best = move, result.value
        if last is not None and sign * result.value > sign * last:
            break
    assert best is not None
    return FirstBetter(*best, searched, nodes, leaves)


def _check(algorithm: Algorithm, game: Game[Any, Any] | None = None) -> None:
    """Raise AlgorithmError if moves have no single value to compare with `last`."""
    if game is not None and game.players > 2:
        raise AlgorithmError(
            f"a hasty search is for one or two players, but {type(game).__name__} has "
            f"{game.players}; leave out hasty, as in maxn(depth=3)"
        )
    if algorithm.many:
        raise AlgorithmError(
            f"{algorithm.name} is for three players or more, a hasty search for one or two; "
            "leave out hasty, or use expectimax(depth=5)"
        )
    if algorithm.depth < 1:
        raise AlgorithmError(f"{algorithm} cannot be hasty; use expectimax(depth=5)")


@frozen
class HastyAgent:
    """A player that takes the first move whose value is above that of its last move.

    `agent` makes the searches.  The player remembers the value of its last move, so use a new one
    for each game.

    >>> from games import HANDOUT_SMALL
    >>> HastyAgent.parse("hasty alphabeta(depth=2)").next_move(HANDOUT_SMALL, HANDOUT_SMALL.start())
    1
    """

    agent: SearchAgent = field(
        validator=checked_by(
            check_kind, SearchAgent, "a search agent, as SearchAgent(alphabeta(4))"
        )
    )
    last: dict[int, float] = field(factory=dict, init=False, eq=False, repr=False)
    """The value of the last move of each player."""

    @staticmethod
    def parse(text: str) -> HastyAgent:
        """Read an agent from text such as ``hasty expectimax(depth=5)``.

        Raises: AlgorithmError, one line.
        """
        agent = SearchAgent.parse(text.removeprefix("hasty "))
        if not isinstance(agent.algorithm, Algorithm):
            raise AlgorithmError(
                f"{agent.algorithm} samples, but a hasty search needs exact values; "
                "use expectimax(depth=5)"
            )
        if " using " in text or agent.ties is not None or agent.endgame is not None:
            raise AlgorithmError(
                "a hasty search searches one move after another; leave out the strategy, ties and "
                "endgame"
            )
        _check(agent.algorithm)
        return HastyAgent(agent)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if the searches of this agent do not fit `game`."""
        assert isinstance(self.agent.algorithm, Algorithm)
        _check(self.agent.algorithm, game)
        self.agent.check(game)

    def look(self, game: Game[Any, Any], state: Any) -> FirstBetter:
        """Search for the move to play, and return the result of the search."""
        player = game.player(state)
        assert isinstance(self.agent.algorithm, Algorithm)
        result = first_better(
            game, self.agent.algorithm, self.last.get(player), state=state, engine=self.agent.engine
        )
        self.last[player] = result.value
        return result

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        """Return the move to play."""
        return self.look(game, state).move

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return f"hasty {self.agent}"
