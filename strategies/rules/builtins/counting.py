"""Methods and operators of Counters, written in Python as Python's own are."""

from __future__ import annotations

from collections import Counter
from typing import Any

from strategies.rules.builtins.declared import written_method


def added(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        total = n + b[x]
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n > 0:
            found[x] = n
    return found


def subtracted(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        total = n - b[x]
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n < 0:
            found[x] = 0 - n
    return found


def largest(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        other = b[x]
        total = other if n < other else n
        if total > 0:
            found[x] = total
    for x, n in b.items():
        if x not in a and n > 0:
            found[x] = n
    return found


def smallest(a: Any, b: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        other = b[x]
        total = n if n < other else other
        if total > 0:
            found[x] = total
    return found


def positive(a: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        if n > 0:
            found[x] = n
    return found


def negative(a: Any) -> Any:
    found: Any = Counter()
    for x, n in a.items():
        if n < 0:
            found[x] = 0 - n
    return found


def _keep_positive(a: Any) -> None:
    gone = [x for x, n in a.items() if not n > 0]
    for x in gone:
        del a[x]


def add_to(a: Any, b: Any) -> None:
    for x, n in b.items():
        a[x] += n
    _keep_positive(a)


def subtract_from(a: Any, b: Any) -> None:
    for x, n in b.items():
        a[x] -= n
    _keep_positive(a)


def raise_to(a: Any, b: Any) -> None:
    for x, n in b.items():
        if n > a[x]:
            a[x] = n
    _keep_positive(a)


def lower_to(a: Any, b: Any) -> None:
    for x, n in a.items():
        other = b[x]
        if other < n:
            a[x] = other
    _keep_positive(a)


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
    range(n)  # n must be an int
    return found[: max(n, 0)]
