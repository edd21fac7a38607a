"""Texts that rules make: each operation as in Python, for any texts, and what is refused."""

from __future__ import annotations

import enum
from collections import Counter, deque
from functools import cache, reduce
from itertools import (
    accumulate,
    chain,
    combinations,
    groupby,
    pairwise,
    permutations,
    product,
    zip_longest,
)
from typing import Any

import pytest
from attrs import frozen
from hypothesis import example, given
from hypothesis import strategies as st

from strategies import compile_function
from tests.properties import examples
from tests.strategies.rules.compared import differences, function_of, refused

LETTERS = "ab" * 4 + "ABxo.0129-+ ,\n\t'\\" + "éßΣσİǆ٣😀\u2028\x1c\r"
TEXTS = st.text(LETTERS, max_size=9)
SHORT = st.text(LETTERS, max_size=2)
NUMBERS = st.integers(-11, 11)


class Colour(enum.Enum):
    RED = "r"
    GREEN = "g"


class Level(enum.IntEnum):
    LOW = 1


@frozen
class Board:
    cells: str
    turn: str = "x"


SCORES = {"x": 1, "o": -1, "ab": 7}
PAIRS = {("a", 1), ("b", 2)}
NAMES = frozenset({"a", "b", "ab"})
SWAP = str.maketrans("ab", "ba", "x")
SCOPE = {
    "Colour": Colour, "Level": Level, "Board": Board, "SCORES": SCORES, "PAIRS": PAIRS,
    "NAMES": NAMES, "SWAP": SWAP, "Counter": Counter, "deque": deque,
    "cache": cache, "reduce": reduce,
    **{f.__name__: f for f in (combinations, product, groupby, permutations, chain, zip_longest)},
    "pairwise": pairwise, "accumulate": accumulate,
}  # fmt: skip

EXPRESSIONS = """
x + y, y + x + "-", x * 2, n * y, x * True, x * n + y
x[n:m], x[::-1], x[n:], x[:m], x[n:m:2], x[m:n:-3], x[None:m], "abcdef"[n:m], "abc"[:2]
x[n]
x[n:m][0]
x[::n]
x[1:] == y, x + y == y + x, x[:1] != "a", x[:1] == "a", "" == x[1:], x[:2] in ("ab", y)
x + y < y + x, x[1:] <= y, x[1:] > "ab", "b" >= x[:1], max(x, y[1:]), sorted([x[1:], y, "b"])
x[1:] in y, x in y, "a" in x[1:], "" in x, x[:1] in "ab", x[:2] not in "abab", y[:1] in x + "a"
len(x[1:]), len(x + y), bool(x[1:]), not x + y, 1 if x[2:] else 2
list(x[1:]), tuple(x + y), [c + "." for c in x]
[*x, *y[1:]], (*x[:2],), [c == "a" for c in x + y]
list(enumerate(x + y, n)), list(zip(x, y[1:])), list(reversed(x)), list(reversed(x[1:]))
sorted(x + y), sorted(set(x + y)), len({x, y, x[:1], y[:1]}), min(x + "z"), max(y + "a")
dict(Counter(x + y)), Counter(x[1:])["a"], [SCORES.get(c, 0) for c in x + y], SCORES.get(x[:2])
SCORES[x[:1]]
x[:2] in NAMES, (x[:1], n) in PAIRS, {x: n, y[:1]: m}, {c: i for i, c in enumerate(x + y)}
{(x[:1], n): y}, {(c, "a") for c in x} == {("a", c) for c in y}, (x[1:], "a") == (y, "a"[:n])
"".join(x), "-".join([x, y[1:], "c"]), y.join(x), x.join(("a", y)), "".join([]), y.join([x])
", ".join(c + y for c in x), "".join(sorted(x)), "/".join([str(n), x]), y.join([c for c in x])
"-".join([x, n])
"-".join(n)
x.replace(y, "zz"), x.replace("a", y)
x.replace("", y, n), x.replace(y, ""), y.replace("ab", x, n)
x.find(y), x.find(y, n), x.find(y, n, m)
x.find(y, None, m), x.rfind(y), x.rfind(y, n, m), y.find("b")
x.index(y, n)
x.rindex(y)
(x + y).count(y), x.count("a", n), x.count(y, n, m), x.count(""), x.count("", n, m)
x.startswith(y), x.startswith(("a", y))
x.startswith(y, n), x.endswith(y, n, m), x.endswith((y, "b"))
x.removeprefix(y), x.removesuffix(y), x.startswith(()), x[1:].startswith(y[:1], 1)
x.split(), x.split(None, n), x.split(","), x.rsplit(), x.rsplit(None, n), x.rsplit("a", n)
x.split(y)
x.split(y, n)
x.rsplit(y, n)
x.split("a", maxsplit=n), (x + "," + y).split(sep=","), " a  b ".split(), x[1:].split("ab")
x.partition(y)
x.rpartition(y)
x.splitlines(), x.splitlines(True), (x + "\\r\\n" + y).splitlines(keepends=n > 0)
x.strip(), x.lstrip(), x.rstrip(), x.strip(y), x.lstrip("ab"), x.rstrip(y), x[1:].strip(None)
x.upper(), y.lower(), x.swapcase(), y.title(), x.capitalize(), y.casefold(), (x + "Σ").lower()
x.isupper(), y.islower(), x.isalpha(), y.isdigit(), x.isalnum(), y.isspace(), x.isascii()
x.istitle(), y.isidentifier(), x.isprintable(), y.isdecimal(), x.isnumeric(), x[:1].isdigit()
x.zfill(n), ("-" + x).zfill(m), x.ljust(n, "*"), x.rjust(m), x.center(n, "."), y.center(m)
x.ljust(n, y)
str(n), str(n * 100003 ** 3), str(-(2**63) + abs(n)), str(n > m)
str(None), str(x), str(x[1:]), str(7)
str(n / 4), str(Colour.RED if n else Colour.GREEN), str(Level.LOW)
repr(n), repr(x), repr(x[1:] + "'")
f"{x}{n}", f"{n}{m}", f"{x[1:]!r}:{y!s}"
f"", f"{n:3d}|{n:<4}|{n:+05d}|{n:x}|{n:,}", f"{n / 4:.2f}"
f"{x:>5}|{y[1:]:*^7.3}|{n > m}|{n > m:2}|{None}|{Level.LOW}", f"{f'{n}'!r}", f"{{{x}}}"
f"{x:d}"
f"{n:q}"
format(n, "04d"), format(x, "^9"), "{}-{:>3}".format(x, n), "{1}{0}{k}".format(x, y, k=n)
"{0}-{1!r}-{0!s:>4}{k!r:3}".format(n, x[1:], k=y), "{!q}".format(x) if n > m else 0
"%s-%d" % (x, n), "%d%%" % n, "%s" % y, "%s" % (x[1:],), "ab" % ()
"%d" % (n, m)
format(x, 0)
x.translate({97: n})
"%d" % x
int(str(n) + "0"), int("7" + str(abs(n)))
int(f" {n}_0 "), int(str(abs(n)), 16), int(hex_of(n), 16)
int(x)
int(y + "1", n)
float(str(n) + ".5"), float(str(n))
float(x)
ord((x + "a")[0]), chr(ord("a") + abs(n)), "".join(chr(65 + i) for i in range(abs(n))), chr(8364)
ord(x)
chr(n)
x.translate(SWAP), x.translate([x, "b", 98] * 40), x.translate(y), x.splitlines(n)
x.splitlines([n])
x.translate({97: "zz", 98: None, 120: 121}), y.translate(str.maketrans("b", "c"))
isinstance(x[1:], str), type(x + y) is str
[x[:1], "a", y], x[1:] if n else "k", [n, x + y, None]
Board(x[1:], y), Board(x + y) == Board(y + x), hash_key({Board(x[1:]): 1}, Board(y[1:]))
[x, y].index(y[:]), [x, y + "a"].count(x + ""), {x + "a": 1}.get(y + "a"), Colour(x[:1] or "r")
[s for s in {x[:1]: 1, y[:1]: 2}], x[1:] if x[1:] is not None else y, [*map(str, range(abs(n)))]
[c for c in map(str.upper, x)],
sorted([x, y[1:], "B"], key=str.lower), "+".join(map(str.strip, [x]))
list(combinations(x[:4], 2)), list(product(x[:2], repeat=2))
[(c, len([*g])) for c, g in groupby(x)], list(permutations(y))
list(chain(x, y[1:])), list(zip_longest(x, y, fillvalue="-"))
list(pairwise(x)), list(accumulate(x))
any(c in "ab" for c in x), all(map(str.isdigit, x)), max(x + "a", key=ord), reduce(joined, x, "")
dict.fromkeys(x[1:], 0), set(x[1:]) & set(y) == set(y) & set(x[1:])
deque(x), [*"ab"] + list(x[1:])
several(x, y, n)
matched(x[:2]), matched(y), matched("a" + "b"), [matched(c) for c in x[1:]]
bound(x[1:], y), remembered(x[:2]) + remembered(x[:2]), [*halves(x)], unpacked(x[:2])
unpacked(x)
{**{x[1:]: 1}, "b": 2}, {x[1:]: n} == {y: n}
frozenset([x[1:]]) == frozenset([y]), {(x[1:],): 2}.get(("a",))
len({frozenset(x[1:]), frozenset(y)}), {frozenset(x[:2]): 1}.get(frozenset("ab"), 0)
sum([x[1:]], y)
x[0:1].join(None)
x + None
x @ y
-x
x[1:]["a"]
put(x, n)
x + n
x - y
x[:1] < n
n in x[1:]
"""
HELPERS = """
def hex_of(n):
    return "0123456789abcdef"[n]

def hash_key(table, key):
    return table.get(key, 0)

def joined(a, b):
    return b + a

def several(x, y, n):
    s, found = "", []
    s += x
    for c in x:
        s += c.upper() + y[:n]
        found += c
    found[1:2] = y[::-1]
    found.extend(s)
    while len(s) > 3 and s[0] != s[-1]:
        s = s[1:-1]
    return s, found

def matched(t):
    match t:
        case "ab" | "ba":
            return 1
        case str(u) if u[:1] == "a":
            return u
    return None

def bound(x, y):
    find, low = x.find, x.lower
    return find(y), low()

@cache
def remembered(t):
    return t * 2

def halves(x):
    yield x[: len(x) // 2]
    yield from x[len(x) // 2 :]

def unpacked(x):
    a, b = x
    return b + a

def put(x, n):
    x[n:][0] = "a"

def f(x, y, n, m):
    return {}
"""
RULES = [line for line in EXPRESSIONS.strip().splitlines() if line]


def rule(text: str) -> Any:
    return function_of(HELPERS.replace("{}", text), **SCOPE)


FUNCTIONS = {text: rule(text) for text in RULES}


@examples(25)
@given(TEXTS, SHORT, NUMBERS, NUMBERS)
@example("aXb", "a", 1, 2)
@example("abab", "ab", 2, -1)
def test_each_operation_is_pythons(x: str, y: str, n: int, m: int) -> None:
    for text, function in FUNCTIONS.items():
        assert not differences(function, [(x, y, n, m)]), text


def test_a_dict_of_the_caller_gets_texts_that_are_made() -> None:
    f = function_of("def f(d, s, n):\n    d[s + 'b'] = d.get(s, n)\n    return s + 'b' in d\n")
    calls = [({"ab": 1, "a": 2}, "a", 5), ({"é": 1}, "é", 6), ({}, "", 7), ({"zc": 3}, "z", 8)]
    assert not differences(f, calls)


ASKED = """
def f(i):
    made = f"n{i}"
    known = NAMES[i % len(NAMES)]
    parts = known.upper(), known < NAMES[0], "7" in known, len(known), list(known), known + "!"
    return made in SET, TABLE.get(made, -1), parts
"""


def test_a_table_of_many_texts_is_data_and_no_code() -> None:
    found = set()
    for n in (20, 300):
        table = {f"n{i}": i for i in range(n)}
        f = compile_function(function_of(ASKED, TABLE=table, SET=set(table), NAMES=list(table)))
        for i in range(-3, n + 3):
            assert f(i) == f.function(i)
        functions = f._made[0].program.module.functions
        found.add(sum(len(function.blocks) for function in functions))
    assert len(found) == 1


REFUSED = {
    "x[1:] is y": "no identity",
    "f'{n:{m}}'": "rjust",
    "f'{x!a}'": "!a",
    "str((x, n))": "the text of a (str, int) is not compiled",
    "x.encode()": "the method encode of str",
    "x[1:].expandtabs()": "the method expandtabs of str",
    "'{0.real}'.format(n)": "the place {0.real} of a format is not compiled; write an f-string",
    "'{:>{}}'.format(x, n)": "the place {:>{}} of a format is not compiled; write an f-string",
    "x % n": "write an f-string",
    "'%5d' % n": "write an f-string",
    "''.join({x, y})": "the order of a set is chance",
    "str.maketrans({x: y})": "write the dict itself",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_exact_is_refused(text: str) -> None:
    assert REFUSED[text] in refused(rule(text), "ab", "b", 1, 2)
