"""Texts that are made of those in a list or tuple, in one piece of memory."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.code.storage import item_kind, span
from strategies.rules.code.val import ONE, ZERO, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import I64, NEVER, ROW
from strategies.rules.kinds.parts import key
from strategies.rules.values import texts


def joined(w: Walk, separator: Val, a: Val) -> Val:
    """Return the texts of a list or tuple in memory as one, with a text between them."""
    item, k = item_kind(a.kind), a.kind
    if item is NEVER:
        return w.program.constants.value("")
    between = texts.codes(w, separator)

    def build(r: Code, args: Any) -> Any:
        gap, gap_size = span(r, Val(texts.CODES, args[0]))
        place, n = span(r, Val(k, args[1]))

        def letters(i: Any) -> tuple[Any, Any]:
            return span(r, texts.codes(r, r.item(item, place, i)))

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
            with r.counting(size) as j:
                x = r.load(r.element(source, I64, j), I64)
                r.store(x, r.element(made, I64, r.b.add(start, j)))
            r.store(r.b.add(start, size), at)

        with r.counting(n) as i:
            with r.when(r.b.icmp_signed(">", i, ZERO)):
                add(gap, gap_size)
            add(*letters(i))
        return r.row(made, r.load(total, I64))

    found = w.risky(f"jam.join.{key(k)}", ROW, [between.v, a.v], build)
    return texts.made(w, Val(texts.CODES, found))
