"""`try`, `raise` and `assert`: tables, and random programs of nested statements."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from strategies import RuleError, compile_function
from tests.properties import examples
from tests.strategies.rules.cases import Cases
from tests.strategies.rules.compared import check, function_of, refused


class Mine(ValueError):
    """An exception of the tests' own."""


class Holds(Exception):
    def __init__(self, a, b):
        super().__init__(a)


FAILED = KeyError("x")
NUMBERS = (0, 1, 2, 3, 4, 5, -1)
case = Cases()


def boom(n):
    if n == 0:
        return 1 // n
    if n == 1:
        return [1][n]
    if n == 2:
        raise KeyError(n)
    if n == 3:
        raise Mine("x")
    if n == 4:
        raise ValueError(f"{n} {n:d}")
    return n


@case(*NUMBERS)
def one_of_several(n):
    try:
        return boom(n)
    except ZeroDivisionError:
        return "zero"
    except (IndexError, KeyError):
        return "look-up"
    except Mine:
        return "mine"
    except ValueError as e:  # noqa: F841
        return "value"


@case(*NUMBERS)
def all_parts(n):
    out = []
    try:
        out.append(1)
        x = boom(n)
        out.append(x)
    except LookupError:
        out.append("look-up")
    except Exception:
        out.append("else")
        raise
    else:
        out.append("fine")
    finally:
        out.append("finally")
    return out


@case(*NUMBERS)
def in_a_loop(n):
    out = []
    for i in range(6):
        try:
            if i == n:
                continue
            if i == n + 1:
                break
            out.append(boom(i))
        except ArithmeticError:
            out.append("a")
        except KeyError:
            continue
        except Mine:
            break
        finally:
            out.append(i)
    else:
        out.append("done")
    return out


@case(*NUMBERS)
def swallowed(n):
    try:
        try:
            boom(n)
        finally:
            if n == 1:
                return "swallowed"  # noqa: B012
            x = 3
    except Exception:
        return "outer"
    return x


@case(*NUMBERS)
def raised_again(n):
    while True:
        try:
            try:
                if n == 0:
                    return 1
                boom(n)
            except IndexError:
                raise KeyError from None
            except Mine as e:  # noqa: F841
                raise
            except ValueError as e:
                raise e
        except KeyError as err:
            raise RuntimeError(n) from err
        finally:
            n += 1
            if n == 6:
                break  # noqa: B012
    return n


@case(*NUMBERS)
def kinds_of_variables(n):
    a = 1
    try:
        a = 2
        b = boom(n)
        a = "s"
    except LookupError:
        return a
    except Exception:
        b = None
    return a, b


@case(*NUMBERS)
def unbound_after(n):
    e = 5
    try:
        boom(n)
    except LookupError as e:  # noqa: F841
        pass
    except Exception:
        pass
    return e


@case(*NUMBERS)
def in_a_generator(n):
    def g():
        for i in range(n + 3):
            try:
                yield boom(i)
            except ValueError:
                yield "v"
            except Exception:
                yield "x"
            else:
                yield "e"

    return list(g())


@case(*NUMBERS)
def of_a_generator(n):
    def g():
        for i in range(n + 3):
            yield boom(i)

    out = []
    try:
        for x in g():
            out.append(x)
    except Exception:
        out.append("e")
    return out


@case(*NUMBERS)
def operands_before(n):
    s = []

    def f(x):
        s.append(x)
        return x

    for i in range(4):
        try:
            if i == 0:
                f(1) + boom(n) * f(2)
            elif i == 1:
                [f(3), boom(n), f(4)]
            elif i == 2:
                s[f(0)] = boom(n)
            else:
                _, _ = f(5), boom(n)
        except Exception:
            s.append("e")
    return s


@case(*NUMBERS)
def recursion(n):
    seen = []

    def nest(k):
        try:
            if k == 0:
                return boom(n)
            return nest(k - 1)
        except KeyError:
            if k == 2:
                return "two"
            raise
        finally:
            seen.append(k)

    try:
        found = nest(3)
    except Exception:
        found = "?"
    return found, seen


@case(*NUMBERS)
def known_exceptions(n):
    if n == 0:
        raise FAILED
    if n == 1:
        raise Mine(1 // (n - 1))
    if n == 2:
        raise Mine(f"{1 // (n - 2)}")
    if n == 3:
        raise (KeyError() if n > 2 else ValueError)
    assert n > 4, boom(1)
    return n


@case(*NUMBERS)
def errors_of_python(n):
    found = []
    for i in range(7):
        try:
            if i == 0:
                found.append(sorted([1, None]))
            elif i == 1:
                found.append([1, 2][n])
            elif i == 2:
                a, b = [1] * n
                found.append((a, b))
            elif i == 3:
                found.append(unknown)
            elif i == 4:
                found.append(later)
            elif i == 5:
                found.append(n.foo)
            else:
                found.append([1].index(n))
        except TypeError:
            found.append("type")
        except LookupError:
            found.append("look-up")
        except UnboundLocalError:
            found.append("unbound")
        except NameError:
            found.append("name")
        except (AttributeError, ValueError):
            found.append("other")
    later = len(found)
    return later, found[1:]


@pytest.mark.parametrize("name", case.names())
def test_as_python(name: str) -> None:
    case.run(name)


# Limits


def caught_wide(n):
    try:
        return (2**62) * (n + 3)
    except OverflowError:
        return "caught"


def caught_deep(n):
    def f(k):
        return f(k + 1) + 1

    try:
        return f(n)
    except Exception:
        return "caught"


def caught_large(n):
    out = [n]
    try:
        while True:
            out = out * 1000
    except Exception:
        return "caught"
    finally:
        out.append(1)


def caught_complex(n):
    try:
        return (-8.0) ** (n / 2)
    except TypeError:
        return "caught"


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (caught_wide, OverflowError),
        (caught_deep, RecursionError),
        (caught_large, MemoryError),
        (caught_complex, TypeError),
    ],
)
def test_limits_are_not_caught(function: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        compile_function(function)(3)


def test_a_power_that_is_complex_is_told_with_its_line() -> None:
    with pytest.raises(RuleError, match=r"a power of abs\(x\), .* \(caught_complex, line \d+\)$"):
        compile_function(caught_complex)(3)


def catches_depth(n):
    try:
        return n
    except RecursionError:
        return 1


def raises_memory(n):
    raise MemoryError


def makes_with_more(n):
    raise Holds(1, 2)


def reads_it(n):
    try:
        return boom(n)
    except Exception as e:
        return e.args


def raises_nothing(n):
    raise


def left_early(n):
    def g():
        try:
            yield n
        finally:
            pass

    return list(g())


def catches_leaving(n):
    def g():
        try:
            yield n
        except (ValueError, GeneratorExit):
            yield 1

    return list(g())


def catches_all(n):
    def g():
        try:
            yield n
        except:  # noqa: E722
            yield 1

    return list(g())


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (catches_leaving, "catches (ValueError, GeneratorExit) is not compiled"),
        (catches_all, "catches BaseException is not compiled"),
        (catches_depth, "cannot be caught"),
        (raises_memory, "kept for the limits"),
        (makes_with_more, "cannot be made of one message"),
        (reads_it, "only be raised again"),
        (raises_nothing, "only directly in an `except`"),
        (left_early, "yield after it"),
    ],
)
def test_refused(function: Any, reason: str) -> None:
    assert reason in refused(function, 3)


# Random programs

SIMPLE = [
    "log.append({})", "x = boom(n + len(log))", "x = boom(i + n)", "n = n + 1", "y = x",
    "log.append(y)", "x = 's' if n % 2 else x",
    "return log, x", "return x", "raise Mine(n)", "raise KeyError",
    "raise ValueError(boom(n)) from None",
]  # fmt: skip
CLASSES = [
    "KeyError",
    "Mine",
    "ValueError",
    "LookupError",
    "ArithmeticError",
    "(KeyError, Mine)",
    "Exception",
]


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def block(r: random.Random, depth: int, loop: bool, caught: bool, most: int = 3) -> list[str]:
    return [line for _ in range(r.randint(1, most)) for line in statement(r, depth, loop, caught)]


def statement(r: random.Random, depth: int, loop: bool, caught: bool) -> list[str]:
    kind = r.choice(["simple", "simple", "for", "if", "try", "try", "try"]) if depth else "simple"
    if kind == "simple":
        more = [*["break", "continue"] * loop, *["raise"] * caught]
        line = r.choice([*SIMPLE, *more]).format(r.randint(0, 9))
        return [
            f"if n % {r.randint(2, 4)} == {r.randint(0, 1)}: {line}" if r.random() < 0.5 else line
        ]
    if kind == "for":
        return ["for i in range(2):", *indented(block(r, depth - 1, True, caught))]
    if kind == "if":
        return ["if n % 2:", *indented(block(r, depth - 1, loop, caught))]
    finally_, out = r.random() < 0.5, ["try:", *indented(block(r, depth - 1, loop, caught))]
    for _ in range(r.randint(0 if finally_ else 1, 2)):
        out += [f"except {r.choice(CLASSES)}:", *indented(block(r, depth - 1, loop, True))]
    if out[-1] != "pass" and any(line.startswith("except") for line in out) and r.random() < 0.3:
        out += ["else:", *indented(block(r, depth - 1, loop, caught, 1))]
    return [*out, "finally:", *indented(block(r, depth - 1, loop, False))] if finally_ else out


def program(seed: int) -> str:
    r = random.Random(seed)
    body = indented(block(r, 2, False, False))
    return "\n".join(
        ["def f(n):", "    log = []; x = 0; y = None; i = 0", *body, "    return log, x, y, n\n"]
    )


@examples(40)
@given(st.integers(0, 10**9))
def test_random_programs(seed: int) -> None:
    try:
        check(function_of(program(seed), boom=boom, Mine=Mine), *((n,) for n in range(5)))
    except RuleError:
        reject()


def told(n: int) -> int:
    if n == 0:
        raise ValueError("no such move")
    if n == 1:
        raise KeyError
    if n == 2:
        return math.isqrt(-n)
    assert n != 3, "a board has rows"
    assert n != 4
    if n == 6:
        row = [n]
        row[::2] = []
    raise LookupError(f"no row {n}")


TOLD = {
    0: r"^no such move \(told, line \d+\)$",
    1: r"^'\(told, line \d+\)'$",
    2: r"^isqrt\(\) of a negative number$",
    3: r"^a board has rows \(told, line \d+\)$",
    4: r"^n != 4 \(told, line \d+\)$",
    5: r"^no row \{n\} \(told, line \d+\)$",
    6: r"^a slice with a step takes as many values as it has elements$",
}
"""What the messages of machine code say: that of the rule, and its line; no line of a builtin."""


@pytest.mark.parametrize("n", TOLD)
def test_a_message_is_that_of_the_rule(n: int) -> None:
    fast: Any = compile_function(told)
    with pytest.raises(Exception, match=TOLD[n]) as ours:
        fast(n)
    with pytest.raises(ours.type):
        told(n)
