"""ABDADA: one fixed-depth search by several threads together."""

from __future__ import annotations

from collections import deque
from functools import partial, reduce
from typing import Any, Final

from strategies.native.calls.alphabeta import UNLIMITED, Found, add_up, search_alphabeta
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.running.records.record import Tally
from strategies.running.runtime.together import threads, together

ALONE: Final = 5
"""Plies. A shallower search is over before a second thread has started."""


class SharedSearch:
    """Threads that search one position together; `search` replaces `search_alphabeta`."""

    def __init__(self, workers: int) -> None:
        self.tallies = tuple(Tally() for _ in range(workers))

    def search(
        self, engine: Engine, table: Table, state: Any, depth: int, *window: float,
        nodes: int = UNLIMITED, stop: Stop | None = None, **settings: Any,
    ) -> Found:  # fmt: skip
        """Search like `search_alphabeta`; return the first finished result, with all counts.

        All threads run the same search, so each of them would find the same value and move.
        """
        over, found = Stop(stop), list[Found]()

        def searched(stop: Stop) -> Found | None:
            tally = free.popleft()
            search = partial(
                search_alphabeta, engine, table, state, depth, *window,
                nodes=-(-nodes // many), stop=stop, marks=many > 1, **settings,
            )  # fmt: skip
            one = tally.spend(search)
            tally.count(one)
            found.insert(0, one)  # so that sorting puts the first finished one last
            return one

        many = 1 if depth < ALONE else len(self.tallies)
        free = deque(self.tallies[:many])
        together(searched, over, threads(many - 1))
        return reduce(add_up, sorted(found, key=lambda one: one.finished))
