"""Expressions that templates cannot say: what depends on the names in scope or on own classes."""

from __future__ import annotations

from typing import Final

from tests.programs import records
from tests.programs.choices import one_of
from tests.programs.kinds import Kind
from tests.programs.scope import Scope
from tests.programs.writer import Special, Writer


def call(writer: Writer, scope: Scope, wanted: Kind, depth: int) -> str | None:
    """Return a call of a function in scope that gives the wanted kind."""
    found = [
        (name, one)
        for name, one in scope.names.items()
        if one.head == "fn" and one.parts[-1] == wanted
    ]
    if not found:
        return None
    name, one = one_of(writer.choices, found)
    arguments = (writer.expression(scope, part, depth) for part in one.parts[:-1])
    return f"{name}({', '.join(arguments)})"


def read_field(writer: Writer, scope: Scope, wanted: Kind, depth: int) -> str | None:
    """Return a field, property or method call of a record."""
    heads = [Kind(head) for head in ("hrec", "rec") if head in writer.fields or writer.chance(8)]
    options = [
        (head, name)
        for head in heads
        for name, one in records.needed(writer, head)
        if one == wanted
    ]
    if not options:
        return None
    head, name = one_of(writer.choices, options)
    return f"{writer.expression(scope, head, depth)}.{name}"


def record(writer: Writer, scope: Scope, wanted: Kind, depth: int) -> str | None:
    """Return a new record, or a changed copy of one."""
    if wanted.head not in ("rec", "hrec"):
        return None
    records.needed(writer, wanted)
    make = records.changed if writer.chance(60) else records.construction
    return make(writer, scope, wanted, depth)


SPECIALS: Final[tuple[Special, ...]] = (call, call, read_field, record)
