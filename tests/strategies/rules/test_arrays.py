"""Arrays of numpy that rules read: tables of a module, and arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.u64 import U64
from strategies import compile_function
from tests.properties import DEEP, examples
from tests.strategies.rules.compared import differences, function_of, refused

TYPES = ["bool", "int8", "int64", "uint8", "uint64", "float32", "float64"]
FURTHER = ["uint8", "float32"] if DEEP else []
LONG = [f"{s}int{n}" for s in ("", "u") for n in (16, 32)]
WORDS = np.array([0, 1, 2**64 - 1, 3, 100, 255, 2**31 - 5, 2**63 - 1, 2**63], dtype="uint64")
CUBE = np.arange(24).reshape(2, 3, 4)


def row_of(name: str) -> Any:
    """Return an array with the edge values of a type."""
    if name.startswith("float"):
        return np.array([0.0, 0.1, math.nan, -0.0, 1e30, math.inf, 2.5, -7, 3.0]).astype(name)
    return WORDS.view("int64").astype(name)


def of_table(text: str, parameters: str = "i", **names: Any) -> Any:
    return function_of(f"def f({parameters}):\n    return {text}\n", U64=U64, np=np, **names)


ELEMENTS = [
    *("T[i]", "int(T[i])", "float(T[i])", "bool(T[i])", "1 if T[i] else 2", "not T[i]"),
    *("T[i].item()", "[x for x in T][i]", "len(T), T.shape, T.ndim, T.size", "tuple(T)[i]"),
    *("U64(T[i])", "sum(float(x) for x in T)", "list(T)", "(10, 11, 12)[T[i]]", "T[i,]"),
    *("T[U64(i)]", "T[i + 0.5]", "T[i, 0]", "T['a']", "T[i] is None", "(T[i], i)"),
    "isinstance(T[i], int), isinstance(T[i], float), isinstance(T[i], np.integer)",
]


@pytest.mark.parametrize("name", [*TYPES, *(pytest.param(n, marks=pytest.mark.long) for n in LONG)])
def test_elements_are_of_numpys_own_types(name):
    row = row_of(name)
    for text in ELEMENTS:
        f = of_table(text, T=row)
        assert differences(f, [(i,) for i in range(-11, 11)], wide=True) == [], text
    g = of_table("int(a[i]), a[i], len(a), [bool(x) for x in a]", "a, i")
    views = [(row, 0), (row, -1), (row, 99), (row[::-2], 1), (row[::-1], 2), (row[3:3], 0)]
    assert differences(g, views, wide=True) == []


PARTS = [
    *("int(g[i, j, k])", "g[i][j][k]", "g[i, j][k]", "g[i].shape", "g[i, j, k, 0]"),
    *("g.shape, g.size, len(g), len(g[0])", "[[int(y) for y in x] for x in g[i]]"),
    *("[r[0] for r in g[i]]", "[int(x) for p in g for q in p for x in q]"),
    "[(a.shape, n) for n, a in enumerate(g)]",
    "[int(x) + int(y) for x, y in zip(g[0, 0], g[1, 1])]",
    "[a for a, *_ in g[0]], list(g[0, 0]), tuple(x for x in g[0, 0])",
]


@pytest.mark.parametrize("text", PARTS)
def test_parts_of_arrays_have_fewer_dimensions(text):
    calls = [(i, j, k) for i in (-3, -2, 0, 2) for j in (0, -3, 3) for k in (0, 1, -4, 5)]
    f = of_table(text, "g, i, j, k")
    for n, g in enumerate((CUBE, CUBE.T, CUBE[:, ::-1], np.asfortranarray(CUBE))):
        if DEEP or n == 1:
            assert differences(of_table(text, "i, j, k", g=g), calls) == []
        assert differences(f, [(g, *c) for c in calls]) == []


WHOLE = [
    *("g.sum(), g.max(), g.min()", "int(g.sum()) + 1, [r.max() for r in g]"),
    *("g[:0].max()", "g[:, :0].sum(), g[:0].any(), g[:0].all(), g[:0].tolist()"),
]
VIEWS = [
    "g.any(), g.all(), g.tolist(), [r.any() for r in g], 1 if g[i:].any() else 2",
    "g[i:].shape, g[i:j].shape, g[::-1].tolist(), g[i::2].tolist(), g[j:i:-1].tolist()",
    "g[:, i].tolist(), g[i:, j].tolist(), g[i, j:].tolist(), g[::-1, i::2].tolist(), g[:, :].size",
    "g.T.tolist(), g.T.shape, g[i:].T.shape, len(g.T), [x.tolist() for x in g.T[1:]]",
    "[int(x) for x in g[:, 0]], [int(x) for r in g for x in r[1:]], g[i:][j:].tolist()",
    "list(reversed(g[0])), [r.tolist() for r in reversed(g)], list(zip(*g))",
    "g[(i if j else None):, 0].tolist(), g[:, i : (j if i else None)].tolist()",
    *("g.T[i].tolist()", "g[i, :].tolist()", "g[1.5, :]", "g[i, :, 0]", "g['a', :]", "g['a':]"),
]
NUMBERS = [
    "g.sum() > 3, g.sum() + i",
    "i in g, 300 in g, g[0, 0] in g, -1 in g[0], 4 in g.T[1:], i not in g",
    "True in g",
]


def tables(*names: str) -> list[Any]:
    table = np.arange(12).reshape(3, 4) - 3
    kept = [table, table.T, table[:, ::-1], np.asfortranarray(table)] if "int64" in names else []
    return [*kept, *((table + 3 * name.startswith("u")).astype(name) for name in names)]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        *((text, tables("int64", "int8", "uint8", "uint32")) for text in WHOLE),
        *((text, tables("int64", "bool", "uint64", *FURTHER)) for text in VIEWS),
        *((text, tables("int64")) for text in NUMBERS),
        ("g.sum(), int(g.sum()), g.any()", tables("bool")),
    ],
)
def test_methods_and_views_of_whole_arrays(text: str, given: list[Any]) -> None:
    calls = [(g, i, j) for g in given for i in (-2, 0, 1, 9) for j in (0, 2, -1)]
    assert differences(of_table(text, "g, i, j"), calls) == []


def test_arrays_of_three_dimensions_are_read_as_wholes() -> None:
    text = "g.sum(), g.max(), g.all(), g.tolist(), g[:, i].tolist(), g[i, :, 1].sum(), 7 in g"
    assert differences(of_table(text + ", g.T.tolist()", g=CUBE), [(0,), (1,), (2,), (-1,)]) == []


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=9),
    st.integers(-12, 12),
    st.sampled_from(["int8", "uint16", "int64"]),
)
@examples(40)
def test_any_array_is_read_as_numpy_does(values, i, name):
    row = np.array(values).astype(name)
    assert differences(READER, [(row, i), (row[::-1], i)], wide=True) == []


READER = of_table("int(a[i]), [int(x) for x in a], a[i], len(a)", "a, i")


def test_numbers_of_numpy_are_passed_on():
    values = [(np.int8(3),), (np.float32(0.1),), (np.bool_(True),), (np.uint64(2**63),)]
    assert differences(of_table("g, [g]", "g"), values) == []
    assert differences(of_table("float(g), bool(g)", "g"), values) == []
    assert differences(of_table("int(K), K, g", "g", K=np.int16(5)), [(3,)]) == []


def test_an_array_is_used_wherever_values_are():
    f = function_of(
        "def f(g, c):\n"
        "    def walk(a):\n"
        "        for x in a:\n"
        "            yield int(x)\n"
        "    a = g if c else K\n"
        "    first, *rest = g\n"
        "    return list(walk(g)), [float(x) for x in a], a[0], first, rest, max(walk(a))\n",
        K=np.array([0.5, 2.5]),
    )
    assert differences(f, [(np.array([1, 2]), True), (np.array([1, 2]), False)]) == []


def test_a_table_that_changes_is_read_anew():
    table = np.array([1, 2, 3])
    f = compile_function(of_table("int(T[i])", T=table))
    assert f(1) == 2
    table[1] = 9
    assert f(1) == 9


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a[0] ** 2", "write int(…)"),
        ("b[0] // 2", "write float(…)"),
        ("w[0] & 1", "write U64(…)"),
        ("{a[0]}", "write int(…)"),
        ("a + a", "write a loop"),
        ("a == a", "write a loop"),
        ("a.mean()", "write a loop"),
        ("a.sum(axis=0)", "without arguments; write a loop"),
        ("b.sum()", "write sum(x.item() for x in …)"),
        ("b.max()", "write max(x.item() for x in …)"),
        ("w.sum()", "write sum(x.item() for x in …)"),
        ("w[0] < 1", "write int(…)"),
        ("a[1:]", "return numbers"),
        ("a[:, None]", "use ints"),
        ("'a' in a", "compiled for numbers"),
        ("a if a else 0", "write len(…)"),
        ("a", "return numbers"),
        ("a[a]", "use ints"),
        ("a[True]", "use ints"),
        ("a[None]", "use ints"),
        ("a[0][0]", "write int(…)"),
        ("a[0] is a[0]", "identity"),
    ],
)
def test_what_only_numpy_can_do_is_refused(text, sentence):
    row = np.array([1, 2])
    f = of_table(text, "a, b, w")
    assert sentence in refused(f, row, row.astype("float64"), row.astype("uint64"))


def test_arrays_are_not_changed():
    for text in ("g[0] = 1", "del g[0]", "g += 1"):
        f = function_of(f"def f(g):\n    {text}\n    return 1\n")
        assert refused(f, np.array([1, 2]))


@pytest.mark.parametrize(
    "value",
    [
        *(np.array(["a"]), np.array([1j]), np.array(3), np.array([None]), np.ma.array([1])),
        *(np.array([1, 2], dtype=">i4"), np.array([1], dtype="float16"), [np.array([1])]),
    ],
)
def test_other_arrays_are_refused(value):
    assert refused(of_table("int(g[0])", "g"), value)
