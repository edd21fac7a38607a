"""Read the values of ``using=`` from text, without running code."""

from __future__ import annotations

from typing import Final

from graphs.arguments import excerpt
from strategies.algebra.auto import Auto, auto
from strategies.algebra.drivers import Driver, DriverError, abdada, lazy_smp
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.notation.calls import CallError, name_called, parse_call
from strategies.notation.strategies import parse_strategy


def parse_auto(text: str) -> Auto | None:
    """Read an `Auto` from text; return None if the text does not begin as one.  No code is run.

    Raises: StrategyError, one line.

    >>> parse_auto("auto"), parse_auto("auto(2, drivers=True)"), parse_auto("automatic")
    (auto(), auto(workers=2, drivers=True), None)
    """
    if name_called(text) != "auto":
        return None
    try:
        return parse_call(text).to(auto)
    except CallError:
        why = f"{text[:60]}: auto takes only a number of workers and drivers=True"
        raise StrategyError(f"{why}, as in auto(workers=2)") from None


DRIVERS: Final = {"abdada": abdada, "lazy_smp": lazy_smp}


def parse_using(text: str) -> Strategy | Driver | Auto:
    """Read a strategy, a driver or an `auto()` from text; no code is run.

    Raises: DriverError, StrategyError, one line.

    >>> parse_using("abdada(2)"), parse_using("jamboree(0.5)")
    (abdada(workers=2), jamboree(0.5))
    """
    name = name_called(text) if isinstance(text, str) else ""
    if name not in DRIVERS:
        return (parse_auto(text) if name == "auto" else None) or parse_strategy(text)
    try:
        return parse_call(text).to(DRIVERS[name])
    except CallError:
        why = "a driver takes only its number of threads"
        raise DriverError(f"{excerpt(text)}: {why}, as in {name}(workers=2)") from None
