"""Late binding: a worker of a cluster gets its next bundle when it has room for it, not before.

Dask sends a task to the worker that has its inputs.  All branches of a node wait for the eldest one
of them, whose value is a few bytes: they would queue for one worker, and the others be idle.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from strategies.running.plans.bundling import Bundle

ALIKE: Final = 8
"""So many bundles that could begin are looked at for one whose subtree the worker has searched."""


class LateBinding:
    """The bundles of one graph that are still to be sent, and to whom.

    `homes` says which workers know the subtree of each bundle, if any do.  Those that are `light`
    search nothing, or seldom: they go to their inputs, and no worker has less room for them.

    >>> bundles = [Bundle((), needs, ()) for needs in ((), ((0, ()),), ((0, ()),), ((0, ()),))]
    >>> binding = LateBinding(bundles, [(), (), "b", ()], {3})
    >>> list(binding.assigned({"a": 1, "b": 1}))
    [(0, 'a'), (3, None)]
    >>> binding.done(0), list(binding.assigned({"a": 1, "b": 1}))
    (None, [(1, 'a'), (2, 'b')])
    """

    def __init__(
        self, bundles: Sequence[Bundle], homes: Sequence[Collection[str]], light: Collection[int]
    ) -> None:
        self.homes, self.light = homes, light
        self.needs = [{m for m, _ in bundle.needs} for bundle in bundles]
        """What each waits for: what is not done, or where it is light, what was not sent."""
        self.users: list[list[int]] = [[] for _ in bundles]
        for n, needs in enumerate(self.needs):
            for m in needs:
                self.users[m].append(n)
        free = [n for n, needs in enumerate(self.needs) if not needs]
        self.ready = [n for n in free if n not in light]
        self.light_ready = [n for n in free if n in light]
        self.at: dict[int, str] = {}
        """Where each bundle is that was sent, is not light, and is not done."""

    def done(self, n: int) -> None:
        """A bundle is done: those that waited for it alone may begin."""
        self.at.pop(n, None)
        self._met(n, light=False)

    def assigned(self, threads: Mapping[str, int]) -> Iterator[tuple[int, str | None]]:
        """Yield the bundles that are to be sent now, each with the address of its worker, None
        where Dask is to choose.

        `threads` are those of each worker.  One that would be idle gets the first bundle that can
        begin, rather one that it knows.  As long as there is more than all can do at once, each
        gets some ahead, which are there as soon as it is free, but none that others know.
        """
        yield from self._light_ones()
        total, sent = sum(threads.values()), Counter(self.at.values())
        for ahead in False, True:
            room = [
                (count, at)
                for at, many in threads.items()
                for count in range(sent[at], many + (many + 3) // 4 if ahead else many)
            ]
            for _, at in sorted(room):
                if ahead and len(self.ready) <= total:
                    return
                n = self.bundle_for(at, strange=not ahead)
                if n is not None:
                    sent[at] += 1
                    self.at[n] = at
                    yield n, at
                    self._met(n, light=True)
                    yield from self._light_ones()

    def _light_ones(self) -> Iterator[tuple[int, None]]:
        while self.light_ready:
            n = self.light_ready.pop(0)
            yield n, None
            self._met(n, light=True)

    def _met(self, n: int, *, light: bool) -> None:
        for user in self.users[n]:
            if (user in self.light) is light:
                self.needs[user].discard(n)
                if not self.needs[user]:
                    insort(self.light_ready if light else self.ready, user)

    def bundle_for(self, worker: str, *, strange: bool) -> int | None:
        """Take the bundle that a worker is to get; `strange` says whether it may be one that others
        know, where it knows none itself."""
        few = self.ready[:ALIKE]
        own = (n for n in few if not self.homes[n] or worker in self.homes[n])
        n = next(own, few[0] if few and strange else None)
        if n is not None:
            self.ready.remove(n)
        return n
