"""Texts: those that are known, which are numbers, and those that are made, which are letters.

What is asked of known texts, such as `upper`, `in` and `<`, is in tables over all of them, which
are defined once the code is complete. One that a caller gives is known, too, or the rules are
compiled again. A text that is made, as by `+` or `join`, is the tuple of its letters' numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import frozen
from llvmlite import ir

from games.u64 import U64
from strategies.rules.code.coercion import CONVERTS, as_text, spread
from strategies.rules.code.emission import Code
from strategies.rules.code.storage import item_kind, span
from strategies.rules.code.val import ONE, ZERO, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import BOOL, I64, INT, NEVER, ROW, STR, TEXT, WORD, Kind, Row
from strategies.rules.kinds.parts import key
from strategies.rules.language.text_numbers import FACTOR, SEED, letters_word

RANK = "rank"
LETTERS = Row(STR)
CODES = Row(INT)
Answer = Callable[[str, Mapping[str, int]], Any]  # of a text, and its place among all in order


@frozen(eq=False)
class Table:
    """A function of texts: what it gives for each, where it may ask for all of them."""

    function: Any
    kind: Kind
    answer: Answer


def asked(c: Code, name: str, kind: Kind, answer: Answer, a: Val) -> Val:
    """Return what is asked of a text."""
    if a.known and name != RANK:
        return c.constant(answer(a.py, {}))
    if not c.emitting:
        return Val(kind)
    tables = c.program.tables_of_texts
    if not tables:
        c.program.checks.append(partial(complete, c.program))
    if name not in tables:
        t = ir.FunctionType(form(kind), [I64])
        function = ir.Function(c.program.module, t, f"jam.texts.{len(tables)}")
        function.linkage = "internal"
        tables[name] = Table(function, kind, answer)
    return Val(kind, c.b.call(tables[name].function, [a.v]))


def complete(program: Any) -> None:
    """Define the functions that were asked for, when all other code is there."""
    tables: list[Table] = list(program.tables_of_texts.values())
    done: set[str] = set()
    while todo := [text for text in program.texts if text not in done]:
        for table in tables:
            for text in todo if table.kind in (STR, LETTERS) else ():
                made = table.answer(text, {})
                for one in [made] if table.kind is STR else made:
                    program.texts.number(one)
        done.update(todo)
    places = {text: place for place, text in enumerate(sorted(program.texts))}
    for table in tables:
        _define(program, table, places)
    program.texts.complete = True


def _define(program: Any, table: Table, places: Mapping[str, int]) -> None:
    """Let a function read its answers from memory, where they lie by the numbers of the texts."""
    answers = [table.answer(text, places) for text in program.texts]
    t, f = form(table.kind), table.function
    b = ir.IRBuilder(f.append_basic_block())
    start = program.constants.row(answers, table.kind).constant[0]
    b.ret(b.load(b.gep(start, [f.args[0]], source_etype=t, inbounds=True), typ=t))


# What can be asked


def compare(c: Code, op: str, a: Val, b: Val) -> Val:
    """Return whether texts are in an order, by their places among all texts."""
    x, y = (asked(c, RANK, INT, lambda t, places: places[t], v) for v in (a, b))
    return Val(BOOL, c.b.icmp_signed(op, x.v, y.v))


def contains(c: Code, x: Val, a: Val) -> Val:
    """Return whether one text is in another, one of which is known."""
    if a.known:
        whole = a.py
        return asked(c, f"in {whole!r}", BOOL, lambda t, _: t in whole, x)
    part = x.py
    return asked(c, f"has {part!r}", BOOL, lambda t, _: part in t, a)


def letters(c: Code, a: Val) -> Val:
    """Return the tuple of a text's letters."""
    return asked(c, "letters", LETTERS, lambda t, _: tuple(t), a)


def codes(c: Code, a: Val) -> Val:
    """Return a text as the tuple of its letters' numbers."""
    a = spread(c, a, partial(as_text, c))
    if a.kind is TEXT:
        return Val(CODES, a.v)
    if a.known and c.emitting:
        return Val(CODES, c.program.constants.row(tuple(map(ord, a.py)), INT))
    if a.known:
        return Val(CODES)
    return asked(c, "codes", CODES, lambda t, _: tuple(map(ord, t)), a)


def made(c: Code, a: Val) -> Val:
    """Return the text whose letters have these numbers, in memory that does not change."""
    c.program.texts.made = True
    return Val(TEXT, a.v) if a.kind is not NEVER else a


def as_made(c: Code, a: Val) -> Val:
    """Return a text as one that is made."""
    return made(c, codes(c, a))


def letter(c: Code, letters: Any, i: Any) -> Val:
    """Return a letter, as a text in the memory of the whole."""
    return made(c, Val(CODES, c.row(c.element(letters, I64, i), ONE)))


def word(c: Code, a: Val) -> Val:
    """Return the word by which a text is a key; that of equal texts is the same."""
    if a.kind is STR:
        return asked(c, "word", WORD, lambda t, _: U64(letters_word(map(ord, t))), a)

    def build(r: Code, args: Any) -> Any:
        out = r.temp(I64)
        r.store(c64(SEED), out)
        place, n = span(r, Val(CODES, args[0]))
        with r.counting(n) as i:
            more = r.b.xor(r.load(out, I64), r.load(r.element(place, I64, i), I64))
            r.store(r.b.mul(more, c64(FACTOR)), out)
        return r.load(out, I64)

    return Val(WORD, c.helper("jam.word_of_text", I64, [a.v], build))


CONVERTS[STR, TEXT] = as_made


# Joining


def joined(w: Walk, separator: Val, a: Val) -> Val:
    """Return the texts of a list or tuple in memory as one, with a text between them."""
    item, k = item_kind(a.kind), a.kind
    if item is NEVER:
        return w.constant("")
    between = codes(w, separator)

    def build(r: Code, args: Any) -> Any:
        gap, gap_size = span(r, Val(CODES, args[0]))
        place, n = span(r, Val(k, args[1]))

        def letters(i: Any) -> tuple[Any, Any]:
            return span(r, codes(r, r.item(item, place, i)))

        total, at = r.temp(I64), r.temp(I64)
        some = r.b.icmp_signed(">", n, ZERO)
        gaps = r.b.mul(r.b.select(some, r.b.sub(n, ONE), ZERO), gap_size)
        r.store(gaps, total)
        r.store(ZERO, at)
        with r.counting(n) as i:
            r.store(r.b.add(r.load(total, I64), letters(i)[1]), total)
        made = r.alloc_for(r.load(total, I64), I64)

        def add(source: Any, size: Any) -> None:
            start = r.load(at, I64)
            r.copy(r.element(made, I64, start), source, size, I64)
            r.store(r.b.add(start, size), at)

        with r.counting(n) as i:
            with r.when(r.b.icmp_signed(">", i, ZERO)):
                add(gap, gap_size)
            add(*letters(i))
        return r.row(made, r.load(total, I64))

    found = w.risky(f"jam.join.{key(k)}", ROW, [between.v, a.v], build)
    return made(w, Val(CODES, found))
