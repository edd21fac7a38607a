"""Strategies as text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.errors import ArgumentError
from strategies import (
    Strategy,
    StrategyError,
    explain,
    par_list_chunk,
    parse_strategy,
    register_strategy,
    seq,
    split_at,
)
from strategies.algebra.groups import Group
from strategies.algebra.strategy import ListStrategy
from tests.strategies.given import searches


@given(searches())
def test_the_repr_of_a_strategy_recreates_it(s: Strategy) -> None:
    again = parse_strategy(repr(s))
    assert again == s
    assert hash(again) == hash(s)
    assert pickle.loads(pickle.dumps(s)) == s


@register_strategy
class Fans(ListStrategy):
    """A strategy of a user's own: rows of `width` branches, one after the other."""

    width: int = 2

    def groups(self, n: int) -> tuple[Group, ...]:
        return tuple(Group(i, i + 1, i - i % self.width) for i in range(n))


@given(searches(), st.integers(1, 4))
def test_strategies_of_a_registered_class_are_read_from_text(inner: Strategy, width: int) -> None:
    for s in Fans(width), Fans(width)(inner), split_at(1, Fans(width), inner).everywhere:
        again = parse_strategy(repr(s))
        assert again == s
        assert pickle.loads(pickle.dumps(again)) == s


def test_names_of_the_package_cannot_be_registered() -> None:
    for name in "seq", "jamboree", "alphabeta", "abdada", "cut", "everywhere":
        with pytest.raises(ArgumentError, match=f"'{name}' is a name of this package"):
            register_strategy(type(name, (Fans,), {}))
    with pytest.raises(ArgumentError, match="a subclass of Strategy is needed, not 'fans'"):
        register_strategy("fans")  # type: ignore[type-var]


@given(searches())
def test_every_strategy_can_be_explained(s: Strategy) -> None:
    assert explain(s).startswith(repr(s))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("jamboree(2)", "a share must be a number from 0 to 1, not 2 (at column 1"),
        ("par_list(jamboree(1.5))", "not 1.5 (at column 10"),
        ("jamboree", "it needs arguments, as in jamboree(0.5)"),
        ("split_at(0.5, seq)", "a required argument: 'rest'; write split_at(at, first, rest)"),
        ("par_list_chunk(0)", "a whole number, 1 or more, not 0"),
        ("par_buffer(0)", "a whole number, 1 or more, not 0"),
        ("nope", "no strategy is called 'nope'"),
        ("alphabeta(3)", "alphabeta is an algorithm, not a strategy"),
        (
            "abdada(workers=2)",
            "'abdada' is not part of a strategy; read it by itself with parse_using",
        ),
        ("seq.x", "seq has no .x"),
        ("__import__('os').system('true')", "no strategy is called '__import__'"),
        ("seq.__class__", "seq has no .__class__"),
        ("par_list.groups(3)", "par_list has no .groups"),
        ("(lambda: seq)()", "is not allowed in a strategy"),
        ("jamboree(nan)", "no strategy is called 'nan'"),
        ("jamboree(0/0)", "is not allowed in a strategy"),
        ("par_list(", "was never closed"),
        ("par_list(3)", "a strategy is needed here, not 3"),
        ("split_at(True, seq, seq)", "'True' is not allowed"),
        ("seq" + ".live()" * 5000, "nested"),
        ("", "the text is empty; write a strategy"),
        (
            "share(0.5)",
            "is a share, not a strategy; write split_at(share(0.5), eval_list, par_list)",
        ),
        ("par_list.live", "as in par_list.live()"),
        ("par_list.live.live()", "call par_list.live first"),
        ("3", "'3' is not a strategy; write one"),
        ("seq\x00", "null"),
        ("jamboree(-0.1)", "a share must be a number from 0 to 1, not -0.1 (at column 1"),
        ("jamboree(1e400)", "not inf"),
        ("jamboree(0.5, 0.5)", "too many positional arguments; write jamboree(p)"),
        ("par_list.live(2)", "too many positional arguments; write par_list.live()"),
        ("par_list.to_ply(plies=2)", "; write par_list.to_ply(n)"),
        ("par_list.grain(n=2)", "; write par_list.grain(plies)"),
        ("by_kind(par_list)", "arguments; write by_kind(max=seq, min=seq, chance=seq)"),
        (
            "par_list(jamboree)",
            "'jamboree' is not a strategy yet: it needs arguments, as in "
            "jamboree(0.5) (at column 10",
        ),
        ("split_at(1, seq, rest=par_list.to_ply)", "as in par_list.to_ply(n) (at column 23"),
        ("by_kind", "it needs arguments, as in by_kind(max=par_list)"),
        ("critical.at_type(cut)", "write 'cut' in quotes (at column 18"),
        ("budget(2, whole)", "write 'whole' in quotes (at column 11"),
        ("par_list(jamboree(1e400))", "jamboree(1e400): a share"),
        ("jamboree('half')", "not 'half'"),
        ("jamboree(1/0)", "'1 / 0' is not allowed in a strategy (at column 10"),
        ("jamboree(" + "9" * 5000 + ")", "a number of too many digits"),
        ("par_buffer(2.5)", "a whole number, 1 or more, not 2.5"),
        ("par_list_chunk(-1)", "a whole number, 1 or more, not -1"),
        ("par_list_chunk(10**400)", "'10 ** 400' is not allowed in a strategy (at column 16"),
        ("split_at(-1, seq, seq)", "a whole number, 0 or more, not -1"),
        ("split_at(1, 2, 3)", "a strategy is needed here, not 2"),
        ("budget(threads=2, deal='odd')", "one of even, rest, whole, not 'odd'"),
        ("budget(threads=2, at_max='odd')", "at_max must be one of even, rest, whole, not 'odd'"),
        ("par_list(seq.to_ply(-1))", "a whole number, 0 or more, not -1 (at column 10"),
        ("par_list.at_type('pv')", "it has .everywhere, .to_ply, .to_size, .grain, .live, .fixed"),
        ("by_kind(mid=par_list)", "unexpected keyword argument 'mid'"),
        ("critical.at_type('x')", "one of pv, cut, all, not 'x'"),
        ("parlist", "no strategy is called 'parlist'; did you mean par_list?"),
        ("par_list par_list", "invalid syntax (at column 10"),
        ("open('/etc/passwd')", "no strategy is called 'open'"),
        ("().__class__.__bases__", "'()' is not allowed in a strategy (at column 1"),
        ("par_list(*[seq])", "'*[seq]' is not allowed in a strategy (at column 10"),
        ("f'{seq}'", "is not allowed in a strategy (at column 1"),
        ("[seq for seq in par_list]", "is not allowed in a strategy"),
        ("par_list(" * 5000 + "seq" + ")" * 5000, "too many nested parentheses"),
        ("seq(x := seq)", "'(x := seq)' is not allowed in a strategy (at column 5"),
    ],
)
def test_a_wrong_text_is_refused_in_one_line_with_the_place(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as error:
        parse_strategy(text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 700


def test_groups_that_wait_for_the_same_branches_run_at_the_same_time() -> None:
    lines = explain(split_at(1, seq, par_list_chunk(2)), branches=6).splitlines()
    starts = [line.strip().partition(" branch")[0] for line in lines[2:6]]
    assert starts == ["branch 0 runs by itself;", "then", "at the same time,", "at the same time,"]
