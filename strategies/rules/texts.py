"""What is asked of texts, such as `upper`, `in` and `<`: tables over all texts that the rules know.

A text is its number. The rules make no text but by these functions, so that all of them are known
once the code is complete. One that a caller gives is known, too, or the rules are compiled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import frozen
from llvmlite import ir

from strategies.rules.code import Code, Val, c64
from strategies.rules.forms import form
from strategies.rules.kinds import BOOL, I64, INT, STR, Either, Kind, Row
from strategies.rules.messages import Refusal
from strategies.rules.values import fail, spread

RANK = "rank"
LETTERS = Row(STR)
Answer = Callable[[str, Iterable[str]], Any]


@frozen(eq=False)
class Table:
    """A function of texts: what it gives for each, where it may ask for all of them."""

    function: Any
    kind: Kind
    answer: Answer


def asked(c: Code, name: str, kind: Kind, answer: Answer, a: Val) -> Val:
    """Return what is asked of a text."""
    if a.known and name != RANK:
        found: Val = c.program.constants.value(answer(a.py, ()))
        return found
    if not c.emitting:
        return Val(kind)
    tables = c.program.tables_of_texts
    if name not in tables:
        t = ir.FunctionType(form(kind), [I64])
        function = ir.Function(c.program.module, t, f"jam.texts.{len(tables)}")
        function.linkage = "internal"
        tables[name] = Table(function, kind, answer)
    return Val(kind, c.b.call(tables[name].function, [a.v]))


def complete(program: Any) -> None:
    """Define the functions that were asked for, when all other code is there."""
    tables: list[Table] = list(program.tables_of_texts.values())
    if not tables:
        return
    done: set[str] = set()
    while todo := [text for text in program.texts if text not in done]:
        for table in tables:
            for text in todo if table.kind in (STR, LETTERS) else ():
                made = table.answer(text, ())
                for one in [made] if table.kind is STR else made:
                    program.text_number(one)
        done.update(todo)
    for table in tables:
        _define(program, table)
    program.texts.complete = True


def _define(program: Any, table: Table) -> None:
    f, numbers = table.function, dict(program.texts)
    b = ir.IRBuilder(f.append_basic_block())
    other = f.append_basic_block("other")
    ir.IRBuilder(other).unreachable()
    choice = b.switch(f.args[0], other)
    cases: dict[Any, list[int]] = {}
    for text, number in numbers.items():
        cases.setdefault(table.answer(text, numbers), []).append(number)
    for found, many in cases.items():
        block = f.append_basic_block()
        if table.kind is LETTERS:
            value = program.constants.row(tuple(found), STR)
        else:
            number = numbers[found] if table.kind is STR else int(found)
            value = ir.Constant(form(table.kind), number)
        ir.IRBuilder(block).ret(value)
        for number in many:
            choice.add_case(c64(number), block)


# What can be asked


def compare(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return whether texts are in an order, by their places among all texts."""
    x, y = (asked(c, RANK, INT, lambda t, every: sorted(every).index(t), v) for v in (a, b))
    return Val(BOOL, c.b.icmp_signed(op, x.v, y.v))


def contains(c: Code, x: Val, a: Val) -> Val:
    """Return whether one text is in another, one of which is known."""
    if isinstance(x.kind, Either):
        return spread(c, x, lambda one: contains(c, one, a))
    if x.kind is not STR:
        return fail(c, TypeError, "a text contains texts only")
    if a.known:
        whole = a.py
        return asked(c, f"in {whole!r}", BOOL, lambda t, _: t in whole, x)
    if x.known:
        part = x.py
        return asked(c, f"has {part!r}", BOOL, lambda t, _: part in t, a)
    raise Refusal("`in` of a text is compiled if one of the two is known; use a tuple of texts")


def letters(c: Code, a: Val) -> Val:
    """Return the tuple of a text's letters."""
    if a.known:
        found: Val = c.program.constants.value(tuple(a.py))
        return found
    return asked(c, "letters", LETTERS, lambda t, _: t, a)


def length(c: Code, a: Val) -> Val:
    return asked(c, "len", INT, lambda t, _: len(t), a)
