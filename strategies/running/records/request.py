"""Requests: the parameters of a search, from which its plan can be made again."""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits


@frozen
class NoRequest:
    """A placeholder for the request of a run that has no plan, with the error that says why."""

    refusal: Exception

    def __bool__(self) -> bool:
        return False


@frozen(eq=False)
class SearchRequest:
    """The parameters of a search, and how it was run.

    Ensures: it is small and pickles; `graph_of` makes the same plan again.
    """

    game: Game[Any, Any]
    algorithm: Algorithm
    strategy: Strategy | Driver
    state: Any
    engine: str = "auto"
    workers: int | None = None
    """The number of workers; None if another scheduler ran it and did not report them."""
    limits: Limits | None = None
    """The limits within which it deepened, if any; `algorithm` has the depth that it reached."""
    depth: int | None = None
    """The requested depth, if a limit ended the search before it."""
    trial: bool = False
    """Whether the rules were interpreted although `engine` is "auto", because the search ended
    before compiling them was worthwhile."""

    def reached(self, depth: int | None) -> SearchRequest:
        """Return the request with the depth that the search reached; None if it has no limit."""
        if depth is None or depth == self.algorithm.depth:
            return self
        wanted = self.algorithm
        return evolve(self, algorithm=wanted.at_depth(depth), depth=wanted.depth)

    @property
    def ran_on(self) -> str:
        """Return the choice of engine under which the same search runs as this one did."""
        return "interpreted" if self.trial else self.engine

    @property
    def written(self) -> str:
        """Return the Python expression of the search."""
        at_start = self.state == self.game.start()
        state = "" if at_start else f", state={self.state!r}"
        using = "" if self.strategy == seq else f", using={self.strategy!r}"
        engine = "" if self.engine == "auto" else f", engine={self.engine!r}"
        asked = self.algorithm if self.depth is None else self.algorithm.at_depth(self.depth)
        limits = "" if self.limits is None else self.limits.written
        return f"search({self.game!r}, {asked!r}{state}{using}{engine}{limits})"

    @property
    def expression(self) -> str:
        """Return the Python expression that computes the result.

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
