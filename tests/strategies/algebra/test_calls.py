"""Parsing of calls: a written call is read back without running code; other texts are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies.algebra.calls import CallError, parse_call

names = st.from_regex(r"[a-z]{3,8}z", fullmatch=True)  # so that no name is a Python keyword
literals = st.none() | st.booleans() | st.integers() | st.floats(1e-300, 1e300) | st.text()


@given(names, st.lists(literals, max_size=3), st.dictionaries(names, literals, max_size=3))
def test_a_written_call_is_read_back(
    name: str, args: list[object], named: dict[str, object]
) -> None:
    written = [*map(repr, args), *(f"{key}={value!r}" for key, value in named.items())]
    call = parse_call(f" {name}({', '.join(written)})")
    assert call.name == name
    assert call.arguments() == (args, named)
    assert call.to(lambda *a, **k: (a, k)) == (tuple(args), named)


def refusal(text: str) -> str:
    try:
        parse_call(text).arguments()
    except CallError as error:
        return str(error)
    return ""


@given(st.text(alphabet="ab(),=*+-.1e'[]:\n ", max_size=30))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    assert "\n" not in refusal(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("f(g(1))", "g(1) is neither a number nor a text in quotes"),
        ("f(a=1, a=2)", "a is given twice"),
        ("f(**{'a': 1})", "** is not allowed"),
        ("f(a=1e-400)", "a: 1e-400 is too small for a float"),
        ("f(" + "-" * 5000 + "1)", "-----"),
        ("f(" + "+".join("1" * 5000) + ")", "1+1+1"),
        ("(" * 5000, "is not a name with arguments"),
        ("f(1)(2)", "is not a name with arguments"),
        ("os.remove('x')", "is not a name with arguments"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    assert said in refusal(text)
    assert len(refusal(text)) < 250
