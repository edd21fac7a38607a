"""Methods of Counters, written in Python as Python's own are."""

from __future__ import annotations

from typing import Any

from strategies.rules.builtins.declared import written_method


@written_method("counter", "total")
def total(self: Any, /) -> Any:
    return sum(self.values())


@written_method("counter", "elements")
def elements(self: Any, /) -> Any:
    for x, n in self.items():
        for _ in range(n):
            yield x


@written_method("counter", "most_common")
def most_common(self: Any, n: Any = None) -> Any:
    found = sorted(self.items(), key=lambda pair: pair[1], reverse=True)
    if n is None:
        return found
    if n == 1:
        return found[:1]  # as Python, which takes the greatest then, also for 1.0
    range(n)  # n must be an int
    return found[: max(n, 0)]
