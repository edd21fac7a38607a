"""Format numbers for people: windows, bounds, amounts, times."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any, Final

from games import WIN, Estimate
from games.lessons import NAMED
from strategies.algorithms.fold import Interval
from strategies.running.records.record import Record


def seconds(x: float) -> str:
    """Format a time.

    >>> seconds(0), seconds(0.0005), seconds(0.012), seconds(1.5), seconds(2e-7)
    ('0', '500 µs', '12 ms', '1.5 s', '200 ns')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if x >= size * 0.9995:
            return f"{x / size:.3g} {unit}"
    return f"{x * 1e9:.3g} ns" if x else "0"


def ratio(x: float) -> str:
    """Format a ratio of two numbers.

    >>> ratio(1.9), ratio(0.5), ratio(0.00042)
    ('1.90', '0.50', '0.00042')
    """
    return f"{x:.2f}" if x >= 0.1 or not x else f"{x:.2g}"


def took(r: Record) -> str:
    """Format the time that a task took, and its processor time."""
    return f"{seconds(r.seconds)} ({seconds(r.cpu)} of CPU time)"


def shortened(text: str, most: int) -> str:
    """Shorten a text to at most `most` characters on one line, with an ellipsis for the rest.

    >>> shortened("advance", 7), shortened("advancing", 7), shortened("two\\nlines", 12)
    ('advance', 'advanc…', 'two lines')
    """
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def game_text(game: object, most: int) -> str:
    """Return a game, or its repr, as people read it: the name of a tree of this package, else the
    repr; of one longer than `most` characters, only the class.

    >>> from games import HANDOUT_SMALL, Nim
    >>> game_text(HANDOUT_SMALL, 60), game_text(Nim(), 60), game_text(Nim(), 20)
    ('HANDOUT_SMALL', 'Nim(heaps=(3, 4, 5), misere=False)', 'Nim(…)')
    """
    text = game if isinstance(game, str) else repr(game)
    named = next((name for name, tree in NAMED.items() if repr(tree) == text), text)
    return named if len(named) <= most else f"{named.partition('(')[0]}(…)"


def value_shown(value: object, most: int) -> str:
    """Format any value as Python writes it, shortened; say why, if Python cannot write it.

    >>> value_shown([1, 2], 20)
    '[1, 2]'
    >>> value_shown(10**5000, 40)
    'int without a text: Exceeds the limit (…'
    """
    try:
        text = repr(value)
    except Exception as error:
        text = f"{type(value).__name__} without a text: {error}"
    return shortened(text, most)


FOLDED: Final = 40
"""The most letters of a value that is no number."""
TINIEST = 5e-324
"""The smallest number above 0."""


def search_lines(r: Record) -> list[str]:
    """Describe the search of a record, line by line."""
    if r.role == "fold":
        return []
    lines = [f"window {window(r.window)}"]
    lines.append(became(r))
    lines.append(f"{r.nodes:,} nodes, {r.leaves:,} leaves")
    lines += [f"{r.inlined:,} sparks inlined"] if r.inlined else []
    lines += [f"{r.pruned:,} branch{'es' * (r.pruned > 1)} pruned"] if r.pruned else []
    return lines


def became(r: Record) -> str:
    """Describe the outcome of a task, with its result or the reason why it has none."""
    if r.became == "aborted":
        return f"aborted: its window was closed half-way; found {known(r.found)}"
    return r.outcome + (f": {r.reason}" if r.reason else f", found {known(r.found)}")


SPARKS: Final = {
    "converted": "spark, converted",
    "aborted": "spark, aborted: its window was closed half-way",
    "fizzled": "spark, fizzled: its window was closed when it started",
    "known": "spark, fizzled: its value was already known",
}
"""The outcomes of a spark, as in legends."""
JOINS: Final = "join: a worker without a task searches with a running one"
"""The meaning of a join, as in legends."""


def window(ab: Interval) -> str:
    """Format a window.

    >>> window((3, float("inf"))), window((2.9999999999999996, 3.0)), window((1, 0))
    ('(3, ∞)', '(2.9999999999999996, 3.0)', 'closed')
    >>> window((0, 5e-324)), window((-5e-324, 0))  # a test: is it above 0, is it below?
    ('(0, 0⁺)', '(0⁻, 0)')
    """
    a, b = ab
    if a >= b:
        return "closed"
    if a == 0 and b == TINIEST:
        return "(0, 0⁺)"
    if b == 0 and a == -TINIEST:
        return "(0⁻, 0)"
    if bound(a) == bound(b):
        return f"({a!r}, {b!r})"
    return f"({bound(a)}, {bound(b)})"


def bound(x: Any) -> str:
    """Format one end of a window, the values of several players, or the value of any fold.

    >>> bound(0.1 + 0.2), bound(1607536.2141039967), bound((1607536.2, 2.5)), bound("text")
    ('0.3', '1,607,536', '(1607536, 2.5)', "'text'")
    """
    if isinstance(x, tuple):  # the comma between thousands would be one between players
        return f"({', '.join(bound(one).replace(',', '') for one in x)})"
    is_number = isinstance(x, Real)
    if not is_number:
        return value_shown(x, FOLDED)
    if abs(x) == float("inf"):
        return "∞" if x > 0 else "-∞"
    if abs(x) >= WIN:
        return "Maxie wins" if x > 0 else "Minnie wins"
    return f"{x:.6g}" if abs(x) < 1e6 else f"{x:,.0f}"


def sampled_value(value: float | None, proven: bool = False) -> str:
    """Return a value of a Monte Carlo search as text: a mean of wins and losses to three decimals.

    >>> sampled_value(0.21), sampled_value(1234.5678), sampled_value(WIN, proven=True)
    ('0.210', '1235', 'Maxie wins!, proven')
    """
    if value is None:
        return "-"
    text = f"{value:.3f}" if abs(value) < 10 else bound(float(f"{value:.4g}"))
    text = str(Estimate(value)) if abs(value) >= WIN else text
    return f"{text}, proven" if proven else text


def outcome_names(chances: Sequence[float]) -> list[str]:
    """Return names for the outcomes of a chance node: their probabilities, numbered if equal.

    >>> outcome_names([0.75, 0.25]), outcome_names([0.5, 0.5])
    (['75%', '25%'], ['#0 50%', '#1 50%'])
    """
    shares = [f"{100 * chance:.3g}%" for chance in chances]
    if len(set(shares)) == len(shares):
        return shares
    return [f"#{number} {share}" for number, share in enumerate(shares)]


def known(interval: Interval) -> str:
    """Format the bounds on a value.

    >>> known((3, 3)), known((3, float("inf"))), known((float("-inf"), 2)), known((1, 2))
    ('3', '≥3', '≤2', '1…2')
    """
    lo, hi = interval
    if lo == hi:
        return bound(lo)
    if hi == float("inf"):
        return "?" if lo == -hi else f"≥{bound(lo)}"
    return f"≤{bound(hi)}" if lo == -float("inf") else f"{bound(lo)}…{bound(hi)}"


def amount(n: int) -> str:
    """Format a count in few characters.

    >>> amount(7), amount(1234), amount(2_500_000)
    ('7', '1.2k', '2.5M')
    """
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n >= size:
            return f"{n / size:.1f}{unit}" if n < 10 * size else f"{n // size}{unit}"
    return str(n)
