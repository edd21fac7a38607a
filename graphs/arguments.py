"""Checks of arguments; a wrong one raises an `ArgumentError` that names it in one sentence."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from math import inf, isfinite
from numbers import Integral
from reprlib import Repr
from typing import TYPE_CHECKING, Any, Final, TypeVar

from graphs.errors import ArgumentError, printable

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T")
LONGEST_PATH: Final = 4096
"""The most characters of the path of a file, as on Linux."""
MOST_THREADS: Final = 1024
"""The most workers of a run whose threads this process starts itself."""
MOST_WORKERS: Final = 10**6
"""The most workers of a cluster or of a simulation, which may have more than one machine."""
QUOTED: Final = 80
"""The most characters of an argument that a message repeats."""


def shown(value: object) -> str:
    """Return a value as Python writes it, for a message: in one line of at most 80 characters.

    >>> shown(10**5000)
    'a number of very many digits'
    >>> len(shown("x" * 10**6)), shown(len)
    (80, 'the function len')
    """
    try:
        return _cut(" ".join(_short.repr(value).split("\n")), QUOTED)
    except ValueError:  # Python does not print ints of more than some thousand digits
        return "a number of very many digits"
    except RecursionError:
        return f"{type(value).__name__}(…), nested too deeply to print"


def excerpt(text: str, most: int = QUOTED) -> str:
    """Return a text in one line of at most `most` characters, with control characters escaped.

    >>> excerpt("two\\nlines"), excerpt("advancing", 7), excerpt("\\x1b[2J")
    ('two lines', 'advanc…', '\\\\x1b[2J')
    """
    return _cut(" ".join(text.split()), most)


def _cut(line: str, most: int) -> str:
    found = printable(line[: most + 1])
    return found if len(found) <= most else found[: most - 1] + "…"


class _Short(Repr):
    def repr_function(self, function: Any, _level: int) -> str:
        """Name a function, whose `repr` is an address."""
        return f"the function {function.__name__}"

    repr_method = repr_builtin_function_or_method = repr_function


_short: Final = _Short()
_short.maxstring = _short.maxother = _short.maxlong = QUOTED
_short.maxtuple = _short.maxlist = _short.maxset = _short.maxfrozenset = _short.maxdict = 20
_short.maxlevel = 3


def check_integers(least: float = -inf, most: float = inf, /, **numbers: object) -> None:
    """Check that each argument is a whole number from `least` to `most`.

    Raises: ArgumentError, which names the argument.

    >>> check_integers(1, rounds=2, games=1)
    >>> check_integers(1, rounds=0.5)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: rounds must be a whole number, 1 or more, not 0.5
    """
    for name, number in numbers.items():
        if type(number) is int and least <= number <= most:
            continue  # faster than checking for other classes of whole numbers
        whole = isinstance(number, Integral) and not isinstance(number, bool)
        if not whole or not least <= int(number) <= most:  # type: ignore[call-overload]
            raise ArgumentError(
                f"{name} must be a whole number{_range(least, most)}, not {shown(number)}"
            )


def check_workers(most: int = MOST_THREADS, /, **numbers: object) -> None:
    """Check that each argument is a number of workers, or None for as many as there are cores.

    Raises: ArgumentError, which names the argument.

    >>> check_workers(workers=2, num_workers=None)
    >>> check_workers(workers=10_000)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: workers must be a whole number, 1 to 1024, not 10000
    """
    check_integers(1, most, **{n: x for n, x in numbers.items() if x is not None})


def check_numbers(least: float = -inf, most: float = inf, /, **numbers: object) -> None:
    """Check that each argument is a finite number from `least` to `most`.

    Raises: ArgumentError, which names the argument.

    >>> check_numbers(0, 1, trace=0.5)
    >>> check_numbers(0, 1, trace="half")
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: trace must be a number, 0 to 1, not 'half'
    """
    for name, number in numbers.items():
        if not is_finite(number) or not least <= number <= most:  # type: ignore[operator]
            raise ArgumentError(
                f"{name} must be a number{_range(least, most)}, not {shown(number)}"
            )


def check_positive(**numbers: object) -> None:
    """Check that each argument is a finite number above 0.

    Raises: ArgumentError, which names the argument.
    """
    for name, number in numbers.items():
        if not is_finite(number) or not number > 0:  # type: ignore[operator]
            raise ArgumentError(f"{name} must be a number above 0, not {shown(number)}")


def is_finite(value: object) -> bool:
    """Return whether a value is a number that a float holds: not NaN, and not infinite.

    >>> is_finite(0.5), is_finite(10**400), is_finite(float("nan")), is_finite(True)
    (True, False, False, False)
    """
    if not hasattr(type(value), "__float__") or isinstance(value, bool):
        return False
    try:
        return isfinite(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        return False


def _range(least: float, most: float) -> str:
    if most < inf:
        return f", {least} to {most}"
    return "" if least == -inf else f", {least} or more"


def check_kind(kind: type | tuple[type, ...], meant: str, /, **values: object) -> None:
    """Check that each argument is of a class, which `meant` describes in words.

    Raises: ArgumentError, which names the argument.

    >>> check_kind(str, "a text, such as 'ann'", name=3)
    Traceback (most recent call last):
        ...
    graphs.errors.ArgumentError: name must be a text, such as 'ann', not 3
    """
    for name, value in values.items():
        if not isinstance(value, kind):
            raise ArgumentError(f"{name} must be {meant}, not {shown(value)}")


def check_text(text: object) -> None:
    """Check that the argument `text` is one.

    Raises: ArgumentError.
    """
    check_kind(str, "a str", text=text)


def check_flags(**flags: object) -> None:
    """Check that each argument is True or False.

    Raises: ArgumentError, which names the argument.
    """
    check_kind(bool, "True or False", **flags)


def check_functions(**functions: object) -> None:
    """Check that each argument is a function or another callable.

    Raises: ArgumentError, which names the argument.
    """
    for name, function in functions.items():
        if not callable(function):
            raise ArgumentError(f"{name} must be a function, not {shown(function)}")


def check_progress(progress: object) -> None:
    """Check that the argument `progress` is a function or None.

    Raises: ArgumentError.
    """
    if progress is not None:
        check_functions(progress=progress)


def checked_by(check: Callable[..., None], *how: Any) -> Callable[[Any, Any, Any], None]:
    """Return an attrs validator that applies one of these checks to the value of a field."""
    return lambda _instance, attribute, value: check(*how, **{attribute.name: value})


def row_of(name: str, values: Iterable[T], meant: str) -> tuple[T, ...]:
    """Return the elements of a row; a text is not a row.

    Raises: ArgumentError, which names the argument.

    >>> row_of("workers", [1, 2], "whole numbers, such as [1, 2]")
    (1, 2)
    """
    try:
        elements = None if isinstance(values, (str, bytes, Mapping)) else iter(values)
    except TypeError:
        elements = None
    if elements is None:
        raise ArgumentError(f"{name} must be a list or a tuple of {meant}, not {shown(values)}")
    return tuple(elements)


def choice(name: str, names: Collection[str]) -> str:
    """Return the advice for a name that is none of `names`: the nearest of them, or all.

    >>> choice("jambore", ["seq", "jamboree"]), choice("quick", ["seq", "jamboree"])
    ('did you mean jamboree?', 'choose from seq, jamboree')
    """
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(names)}"


def repeated(names: Iterable[str]) -> str:
    """Return the first repeated name, or an empty text.

    >>> repeated(["width", "height", "width"]), repeated(["width"])
    ('width', '')
    """
    seen = set[str]()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


def path_of(name: str, path: Any) -> Path:
    """Return the path of a text or a `Path`.

    Raises: ArgumentError, which names the argument, for anything else, and for an empty text.

    >>> path_of("record", "games.jsonl").suffix
    '.jsonl'
    """
    from pathlib import Path

    text = os.fspath(path) if isinstance(path, (str, os.PathLike)) else None
    if not isinstance(text, str) or not text:
        raise ArgumentError(
            f"{name} must be the path of a file, as a text or a Path, not {shown(path)}"
        )
    if len(text) > LONGEST_PATH:
        raise ArgumentError(f"{name} has more than {LONGEST_PATH} characters: {excerpt(text)}")
    return Path(text)
