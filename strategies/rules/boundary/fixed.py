"""Fixed containers: lists, sets, dicts and deques that rules share, laid out before the code runs.

They may be read only. As arguments of a function, only their kinds are found.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.code.constants import MAKERS, Constants
from strategies.rules.code.storage import SMALL, TABLE, entry_type, is_list, value_kind
from strategies.rules.code.val import FIXED, LIST, NULL, UNKNOWN, ZERO, Val, c64, undefined
from strategies.rules.containers.deques import DEQUE
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.joining import join, join_all
from strategies.rules.kinds.kind import CELLS, I32, INT, PTR, Boxed, Cell
from strategies.rules.kinds.parts import CONTAINERS, key
from strategies.rules.language.messages import Refusal
from strategies.rules.values.hashing import key_hash, room_for, slots_for

NAMES = {cls: name for name, cls in CONTAINERS.items()}


def table(constants: Constants, value: Any, argument: bool) -> Val:
    """Return a container as a value of the code."""
    name = NAMES[type(value)]
    k = constants.lists.get(id(value))
    if k is None:
        cells = CELLS.get(name, 1)
        frozen = not argument and name != "frozenset"
        k = Boxed(name, *(Cell(frozen=frozen) for _ in range(cells)))
        constants.keep(value, k, argument)
        k.cells[0].root().kind = join_all(constants.value(v, argument).kind for v in _steady(value))
        if cells > 1:
            found = join_all(constants.value(v, argument).kind for v in value.values())
            k.cells[1].root().kind = join(found, INT) if name == "counter" else found
        if cells > 2:
            if not (value.default_factory is None or callable(value.default_factory)):
                raise Refusal("the factory of this defaultdict is not compiled")
            k.cells[2].root().kind = constants.value(value.default_factory).kind
            if form(k.cells[2].root().kind) != ir.LiteralStructType([]):
                raise Refusal("the factory of this defaultdict is not compiled")
    if argument:
        return Val(k)
    known = value if name in ("dict", "set", "frozenset") else UNKNOWN
    if not constants.program.queue:  # kinds may still change, and addresses in it are not known
        return Val(k, undefined(PTR), known)
    at = name, id(value), key(k)
    if at not in constants.made:
        constants.made[at] = (_sequence if is_list(k) else _laid_out)(constants, value, k)
    return Val(k, constants.made[at], known)


def _steady(value: Any) -> Any:
    """Return the elements of a table in an order that is the same in each process.

    Texts are numbered as they are met, and the order of a set of texts is another one each time.
    """
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else value


def _sequence(constants: Constants, value: Any, k: Boxed) -> Any:
    """Return the address of a list or deque."""
    parts = [constants.row(list(value), k.item).constant[0], c64(len(value)), FIXED]
    if k.name == "list":
        return constants.place("list", ir.Constant(LIST, parts))
    longest = -1 if value.maxlen is None else value.maxlen
    return constants.place("deque", ir.Constant(DEQUE, [*parts, ZERO, c64(longest), ZERO]))


def _laid_out(constants: Constants, value: Any, k: Boxed) -> Any:
    """Return the address of a table."""
    t, rows = entry_type(k), []
    for x in value:
        h = key_hash(x, constants.program.texts.key)
        parts = [c64(h), constants.as_kind(constants.value(x), k.item, x)]
        if len(k.cells) > 1:
            parts.append(constants.as_kind(constants.value(value[x]), value_kind(k), value[x]))
        rows.append((h, str(parts[1]), ir.Constant(t, parts)))
    if isinstance(value, set | frozenset):
        rows.sort(key=lambda row: row[:2])  # not by chance, so that the code is the same each time
    room, n = room_for(len(rows)), c64(len(rows))
    entries, slots = NULL, NULL
    if rows:
        entries = constants.place(
            "entries", ir.Constant(ir.ArrayType(t, len(rows)), [r[2] for r in rows])
        )
    if room > SMALL:
        numbers = [I32(i) for i in slots_for([r[0] for r in rows], room)]
        slots = constants.place("slots", ir.Constant(ir.ArrayType(I32, len(numbers)), numbers))
    header = ir.Constant(TABLE, [entries, slots, n, n, c64(room), FIXED, n, ZERO])
    if len(k.cells) > 2:
        made, factory = constants.value(value.default_factory), k.cells[2].root().kind
        parts = [header, constants.as_kind(made, factory, value.default_factory)]
        header = ir.Constant(ir.LiteralStructType([TABLE, form(factory)]), parts)
    return constants.place("table", header)


MAKERS.update(dict.fromkeys(NAMES, table))
