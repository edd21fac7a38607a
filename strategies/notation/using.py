"""Read what ``using=`` takes from text, without running code."""

from __future__ import annotations

import ast
import re
from typing import Final

from strategies.algebra.auto import Auto, auto
from strategies.algebra.drivers import Driver, DriverError, abdada, lazy_smp
from strategies.algebra.strategy import Strategy, StrategyError
from strategies.notation.strategies import parse_strategy


def parse_auto(text: str) -> Auto | None:
    """The `Auto` that a text describes, None if it does not begin as one; no code is run.

    Raises: StrategyError, one line.

    >>> parse_auto("auto"), parse_auto("auto(2, drivers=True)"), parse_auto("automatic")
    (auto(), auto(workers=2, drivers=True), None)
    """
    if text.split("(")[0].strip() != "auto":
        return None
    if text.strip() == "auto":
        return Auto()
    why = f"{text[:60]}: auto takes a number of workers and drivers=True, and nothing is nested"
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise StrategyError(why)
        named = {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
        return auto(*map(ast.literal_eval, call.args), **named)
    except StrategyError:
        raise
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise StrategyError(f"{why}, as in auto(workers=2)") from None


DRIVERS: Final = {"abdada": abdada, "lazy_smp": lazy_smp}
_CALL: Final = re.compile(r"\s*(\w+)\s*(?:\(\s*(?:workers\s*=\s*)?([^()]*?)\s*\))?\s*")


def parse_using(text: str) -> Strategy | Driver | Auto:
    """The driver, the strategy, or the `auto()`, that `text` describes; no code is run.

    Raises: DriverError, StrategyError, one line.

    >>> parse_using("abdada(2)"), parse_using("jamboree(0.5)")
    (abdada(workers=2), jamboree(0.5))
    """
    name = text.split("(")[0].strip() if isinstance(text, str) else ""
    if name not in DRIVERS:
        return (parse_auto(text) if name == "auto" else None) or parse_strategy(text)
    call = _CALL.fullmatch(text)
    number = call and call[2]
    if call is None or (number and not number.isdecimal()):
        why = "a driver takes its number of threads, and nothing is nested in it"
        raise DriverError(f"{text}: {why}, as in {name}(workers=2)")
    return DRIVERS[name](int(number) if number else None)
