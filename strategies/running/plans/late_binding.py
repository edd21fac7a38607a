"""Late binding: a worker of a cluster gets its next bundle only when it has room for it.

Dask sends a task to the worker that has its inputs.  All branches of a node wait for the eldest,
whose value is a few bytes: they would queue for one worker, while the others are idle.

Each iteration searches the same subtrees, some plies deeper.  A worker that has searched a subtree
has its best moves and bounds in its table; other workers know only the little that was sent back.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from strategies.running.execution.iteration import Path
from strategies.running.plans.bundling import Bundle

ALIKE: Final = 8
"""The number of ready bundles among which one is chosen whose subtree the worker has searched."""


class LateBinding:
    """The bundles of one graph that are still to be sent, with their workers.

    `homes` are the workers that know the subtree of each bundle.  The `light` bundles search
    nothing, or rarely: they go where their inputs are, and do not count towards a worker's load.

    >>> bundles = [Bundle((), needs, ()) for needs in ((), ((0, ()),), ((0, ()),), ((0, ()),))]
    >>> binding = LateBinding(bundles, [(), (), "b", ()], {3})
    >>> list(binding.assigned({"a": 1, "b": 1}))
    [(0, 'a'), (3, None)]
    >>> binding.done(0), list(binding.assigned({"a": 1, "b": 1}))
    (None, [(1, 'a'), (2, 'b')])
    """

    def __init__(
        self, bundles: Sequence[Bundle], homes: Sequence[Collection[str]], light: Collection[int],
        helped: bool = False,
    ) -> None:  # fmt: skip
        self.homes, self.light, self.helped = homes, light, helped
        self.needs = [{m for m, _ in bundle.needs} for bundle in bundles]
        """The bundles for which each still waits: until they are done; if it is light, sent."""
        self.users: list[list[int]] = [[] for _ in bundles]
        for n, needs in enumerate(self.needs):
            for m in needs:
                self.users[m].append(n)
        free = [n for n, needs in enumerate(self.needs) if not needs]
        self.ready = [n for n in free if n not in light]
        self.light_ready = [n for n in free if n in light]
        self.at: dict[int, str] = {}
        """The worker of each bundle that was sent, is not done, and is not light."""

    def done(self, n: int) -> None:
        """Record that a bundle is done, so that bundles that wait only for it are ready."""
        self.at.pop(n, None)
        self._met(n, light=False)

    def assigned(self, threads: Mapping[str, int]) -> Iterator[tuple[int, str | None]]:
        """Yield the bundles to send now, with the addresses of their workers, or None for Dask's
        choice.

        `threads` are those of each worker.  An idle worker gets the first ready bundle, preferably
        one that it knows.  While there are more bundles than threads, each worker also gets some in
        advance, but none that others know; if workers can be `helped`, while there are any.
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
                if ahead and len(self.ready) <= (0 if self.helped else total):
                    return
                n = self.bundle_for(at, allow_unfamiliar=not ahead)
                if n is not None:
                    sent[at] += 1
                    self.at[n] = at
                    yield n, at
                    self._met(n, light=True)
                    yield from self._light_ones()

    def unhelped(
        self, threads: Mapping[str, int], large: Collection[int], helping: Collection[str],
        neighbours: Callable[[str], Collection[str]],
    ) -> Iterator[tuple[int, str]]:  # fmt: skip
        """Yield `large` bundles that were sent, with idle workers that can help: the
        `neighbours` of the bundle's worker, which share its table.

        `helping` are the workers of the helpers so far.  The leftmost bundle gets the first one.
        """
        busy = Counter([*self.at.values(), *helping])
        running = sorted(n for n in self.at if n in large)
        for at, many in threads.items():
            near = [n for n in running if at in neighbours(self.at[n])]
            for n in near[: max(0, many - busy[at])]:
                yield n, at

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

    def bundle_for(self, worker: str, *, allow_unfamiliar: bool) -> int | None:
        """Take the next bundle for a worker, one that only others know if `allow_unfamiliar`."""
        few = self.ready[:ALIKE]
        own = (n for n in few if not self.homes[n] or worker in self.homes[n])
        n = next(own, few[0] if few and allow_unfamiliar else None)
        if n is not None:
            self.ready.remove(n)
        return n


class Homes:
    """The worker that last searched each branch."""

    def __init__(self) -> None:
        self.known: dict[Path, str] = {}

    def home(self, branches: Iterable[tuple[Path, float]]) -> str | None:
        """Choose the worker that has searched most of some branches, or their ancestors.

        `branches` are given with their expected nodes.
        Returns: its address; None if no worker has searched any.

        >>> homes = Homes()
        >>> homes.searched([(0,), (3, 1)], "a")
        >>> homes.home([((0, 5), 70)]), homes.home([((3,), 10)])
        ('a', None)
        """
        weights: dict[str, float] = {}
        for path, nodes in branches:
            above = (path[:plies] for plies in range(len(path), 0, -1))
            at = next((self.known[p] for p in above if p in self.known), None)
            if at is not None:
                weights[at] = weights.get(at, 0.0) + nodes
        return max(weights, key=weights.__getitem__, default=None)

    def searched(self, paths: Iterable[Path], address: str) -> None:
        """Record that a worker has searched some branches."""
        self.known.update(dict.fromkeys(paths, address))
