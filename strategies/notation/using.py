"""Read the values of ``using=`` from text, without running code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from graphs.arguments import excerpt
from strategies.algebra.auto import Auto, auto
from strategies.algebra.drivers import Driver, DriverError, abdada, lazy_smp
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.notation.calls import CallError, name_called, parse_call
from strategies.notation.strategies import parse_strategy

MADE: Final[dict[str, Callable[..., Driver | Auto]]] = {
    "auto": auto, "abdada": abdada, "lazy_smp": lazy_smp,
}  # fmt: skip
"""What `using=` takes besides strategies, by the names of its functions."""


def parse_using(text: str) -> Strategy | Driver | Auto:
    """Read a strategy, a driver or an `auto()` from text; no code is run.

    Raises: DriverError, StrategyError, one line.

    >>> parse_using("abdada(2)"), parse_using("jamboree(0.5)"), parse_using("auto(drivers=True)")
    (abdada(workers=2), jamboree(0.5), auto(drivers=True))
    """
    name = name_called(text) if isinstance(text, str) else ""
    if name not in MADE:
        return parse_strategy(text)
    try:
        return parse_call(text).to(MADE[name])
    except CallError:
        kind = StrategyError if name == "auto" else DriverError
        only = "auto takes only a number of workers and drivers=True"
        only = only if name == "auto" else "a driver takes only its number of threads"
        raise kind(f"{excerpt(text)}: {only}, as in {name}(workers=2)") from None
