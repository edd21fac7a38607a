"""Expand a sweep, a strategy in which names stand for numbers, into its cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.notation.using import parse_using
from strategies.studies.measure import Case

Asked = Strategy | Driver | str
"""A strategy, or text in which `p`, `plies` and `workers` stand for the numbers of a sweep."""

_NAME = {name: re.compile(rf"(?<![\w.]){name}\b(?!\s*=)") for name in ("p", "plies", "workers")}


def cases(
    algorithms: Sequence[Algorithm], strategies: Sequence[Asked], *, workers: Sequence[int],
    p: Sequence[float] = (), plies: Sequence[int] = (), simulate_above: int | None = None,
) -> tuple[Case, ...]:  # fmt: skip
    """Return the distinct cases of a sweep: for each algorithm, `seq` on one worker first.

    Cases on more than `simulate_above` workers are simulated.

    Raises: StrategyError, one line, if a strategy makes no sense, a name in it has no numbers, or
    no strategy uses the numbers of a name.

    >>> from strategies import alphabeta
    >>> found = cases([alphabeta(4)], ["jamboree(p).to_ply(plies)"], workers=[2], p=[0.5, 1],
    ...               plies=[1])
    >>> [(c.strategy, c.workers) for c in found]
    [(seq, 1), (jamboree(0.5).to_ply(1), 2), (jamboree(1).to_ply(1), 2)]
    """
    texts = [s if isinstance(s, str) else repr(s) for s in strategies]
    for name, numbers, example in (
        ("p", p, "p=[0.25, 0.5] (--p 0.25,0.5)"), ("plies", plies, "plies=[1, 2] (--plies 1,2)"),
    ):  # fmt: skip
        used = [t for t in texts if _NAME[name].search(t)]
        if used and not numbers:
            raise StrategyError(f"{used[0]} has no numbers for {name}: give some, as {example}")
        if numbers and not used:
            raise StrategyError(
                f"no strategy uses {name}: write it in place of the number, as in "
                "jamboree(p).to_ply(plies)"
            )
    found: dict[Case, None] = {}
    for algorithm in algorithms:
        found[Case(algorithm, seq, 1, template="seq")] = None
        for s in strategies:
            for case in _of(algorithm, s, p, plies, workers, simulate_above):
                if case.strategy != seq:
                    found.setdefault(case)
    return tuple(found)


def _of(
    algorithm: Algorithm, asked: Asked, p: Sequence[float], plies: Sequence[int],
    workers: Sequence[int], simulate_above: int | None,
) -> Iterator[Case]:  # fmt: skip
    """Yield the cases of one strategy."""
    text = asked if isinstance(asked, str) else repr(asked)
    of_p = p if _NAME["p"].search(text) else (None,)
    of_plies = plies if _NAME["plies"].search(text) else (None,)
    for one, n in product(of_p, of_plies):
        template = text
        if one is not None:
            template = _NAME["p"].sub(repr(float(one)), template)
        if n is not None:
            template = _NAME["plies"].sub(str(n), template)
        for count in workers:
            strategy = _strategy(asked, template, count)
            simulated = simulate_above is not None and count > simulate_above
            yield Case(algorithm, strategy, count, simulated, template, one, n)


def _strategy(asked: Asked, template: str, workers: int) -> Strategy | Driver:
    if not isinstance(asked, str):
        return asked
    found = parse_using(_NAME["workers"].sub(str(workers), template))
    if not isinstance(found, Strategy | Driver):
        raise StrategyError(f"{found} chooses a strategy: study the strategies to choose from")
    return found
