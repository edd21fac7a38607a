"""What was asked for: enough to ask again, without the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from attrs import frozen

from games import Game
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm

if TYPE_CHECKING:
    from strategies.searches.search import Search


@frozen(eq=False)
class Asked:
    """A search as it was written down, and how it was run.

    Ensures: small, and pickles; `search` makes the same plan again.
    """

    game: Game[Any, Any]
    algorithm: Algorithm
    strategy: Strategy | Driver
    state: Any
    engine: str = "auto"
    workers: int | None = None
    """How many workers ran it; None where the scheduler was not ours and did not say."""

    def search(self, strategy: Strategy | Driver | None = None) -> Search:
        """The search itself, or the same search under another strategy.

        Cost: the plan is made again, unless the search is still in use somewhere.
        """
        from strategies.running.plans.opening import MOST_TASKS
        from strategies.searches.search import search

        last = _made.get(self)
        known = last() if last is not None and strategy is None else None
        if known is not None:
            return known
        made = search(
            self.game, self.algorithm, state=self.state, using=strategy or self.strategy,
            engine=self.engine, most_tasks=100 * MOST_TASKS,
        )  # fmt: skip
        if strategy is None:
            remember(self, made)
        return made

    @property
    def written(self) -> str:
        """The Python expression that makes the search."""
        at_start = self.state == self.game.start()
        state = "" if at_start else f", state={self.state!r}"
        using = "" if self.strategy == seq else f", using={self.strategy!r}"
        return f"search({self.game!r}, {self.algorithm!r}{state}{using})"

    @property
    def expression(self) -> str:
        """The Python expression that makes the result.

        >>> from games import TicTacToe
        >>> from strategies import alphabeta, par_list, search
        >>> answer = search(TicTacToe(), alphabeta(depth=2), using=par_list)
        >>> answer.compute(num_workers=2).asked.expression
        'search(TicTacToe(), alphabeta(depth=2), using=par_list).compute(num_workers=2)'
        """
        workers = "" if self.workers is None else f"num_workers={self.workers}"
        return f"{self.written}.compute({workers})"


def remember(asked: Asked, search: Search) -> None:
    """This is the search that was asked for, as long as anyone else has it."""
    _made[asked] = ref(search)


_made: WeakKeyDictionary[Asked, ref[Search]] = WeakKeyDictionary()
"""The search last made again for each: a picture, a report and a replay need the same one."""
