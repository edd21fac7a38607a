"""Requests: enough of a search to make it again, without the plan."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits


@frozen
class NoRequest:
    """What stands in place of a request where a run was never planned, and why it has no graph."""

    refusal: Exception

    def __bool__(self) -> bool:
        return False


@frozen(eq=False)
class SearchRequest:
    """A search as it was written down, and how it was run.

    Ensures: small, and pickles; `graph_of` makes the same plan again.
    """

    game: Game[Any, Any]
    algorithm: Algorithm
    strategy: Strategy | Driver
    state: Any
    engine: str = "auto"
    workers: int | None = None
    """How many workers ran it; None where the scheduler was not ours and did not say."""
    limits: Limits | None = None
    """When it was to end, if it deepened until then; `algorithm` is what it got to."""
    depth: int | None = None
    """The depth that was asked for, if a limit ended the search before it."""

    @property
    def written(self) -> str:
        """Return the Python expression that makes the search."""
        at_start = self.state == self.game.start()
        state = "" if at_start else f", state={self.state!r}"
        using = "" if self.strategy == seq else f", using={self.strategy!r}"
        engine = "" if self.engine == "auto" else f", engine={self.engine!r}"
        asked = self.algorithm if self.depth is None else self.algorithm.at_depth(self.depth)
        limits = "" if self.limits is None else self.limits.written
        return f"search({self.game!r}, {asked!r}{state}{using}{engine}{limits})"

    @property
    def expression(self) -> str:
        """Return the Python expression that makes the result.

        >>> from games import TicTacToe
        >>> from strategies import alphabeta, par_list, search
        >>> answer = search(TicTacToe(), alphabeta(depth=2), using=par_list)
        >>> answer.compute(num_workers=2).request.expression
        'search(TicTacToe(), alphabeta(depth=2), using=par_list).compute(num_workers=2)'
        >>> search(TicTacToe(), alphabeta(depth=9), nodes=500, engine="interpreted")
        search(TicTacToe(), alphabeta(depth=9), engine='interpreted', nodes=500)
        """
        workers = "" if self.workers is None else f"num_workers={self.workers}"
        return f"{self.written}.compute({workers})"
