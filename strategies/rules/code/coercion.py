"""Values by kind: truths and numbers, parts, alternatives, and conversion to a wider kind.

Also failing, which has no value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.code.storage import span
from strategies.rules.code.val import NOTHING, UNKNOWN, Val, c1, c32, c64
from strategies.rules.kinds.forms import APART, form, is_scalar, place_in
from strategies.rules.kinds.joining import are_alike, join, join_all
from strategies.rules.kinds.kind import (
    BOOL,
    F64,
    FLOAT,
    I8,
    I64,
    INT,
    NEVER,
    NUMBERS,
    PTR,
    STR,
    WORD,
    Array,
    Boxed,
    Either,
    Keywords,
    Kind,
    Member,
    Method,
    Record,
    Row,
    Scalar,
    Shared,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import alternatives, is_cell, is_flags, is_number, parts, same
from strategies.rules.language.messages import Refusal


def boolean(known: bool) -> Val:
    return Val(BOOL, c1(known), known)


def fail(c: Code, error: type[BaseException], message: str) -> Val:
    """Fail here in any case."""
    status = c32(c.program.error(error, message, c.where())) if c.emitting else NOTHING
    c.fail(status, error, message)
    c.dead()
    return c.never


def computed(c: Code, use: Callable[[], Any]) -> Val:
    """Return what Python gives for values that are known before, or fail as it does."""
    try:
        found = use()
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return fail(c, type(error), str(error))
    return c.constant(found)


def number(c: Code, a: Val) -> Val | None:
    """Return a value as a number, if it is one; a member of an `IntEnum` is."""
    if a.kind in NUMBERS:
        return a
    if isinstance(a.kind, Scalar | Array):
        refuse(a.kind)
    if not is_number(a.kind):
        return None
    return bits(a) if is_flags(a.kind) else Val(INT, c.program.constants.of_members(c, a, int).v)


def bits(a: Val) -> Val:
    """Return the value of flags."""
    return Val(INT, a.v, a.py._value_ if a.known else UNKNOWN)


def as_text(c: Code, a: Val) -> Val:
    """Return a member that is a text, as of a `StrEnum`, as that text; others as they are."""
    if not isinstance(a.kind, Member) or not issubclass(a.kind.of, str):
        return a
    found = c.program.constants.of_members(c, a, str.__str__)
    return Val(STR, found.v, found.py)


def opposite(c: Code, a: Val) -> Val:
    """Return `not a` of a bool."""
    if a.kind is NEVER:
        return a
    return boolean(not a.py) if a.known else Val(BOOL, c.b.not_(a.v))


ARRAY_ADVICE = "{} is not compiled; write a loop over the elements, and int(…) or float(…) of each"


def plain(c: Code, a: Val) -> Val:
    """Return a number of numpy's as the number of Python's that it equals; others as they are."""
    return Val(a.kind.plain, a.v) if isinstance(a.kind, Scalar) else a


def refuse(k: Kind) -> None:
    """Refuse what only numpy can do with its arrays and numbers."""
    if isinstance(k, Array):
        raise Refusal(ARRAY_ADVICE.format(f"an {k} as a whole"))
    if isinstance(k, Scalar):
        names: dict[Kind, str] = {BOOL: "bool", FLOAT: "float", WORD: "U64"}
        call = names.get(k.plain, "int")
        raise Refusal(f"this operation of a {k} is not compiled; write {call}(…)")


# Conversions that a module above this one knows, which adds them here: of texts.
CONVERTS: dict[tuple[Kind, Kind], Callable[[Code, Val], Val]] = {}


@contextmanager
def dry(c: Code) -> Iterator[None]:
    """Walk without emitting, to learn kinds."""
    kept = c.emitting, c.b, c.context, c.entry
    c.emitting, c.b, c.context, c.entry = False, NOTHING, NOTHING, NOTHING
    try:
        yield
    finally:
        c.emitting, c.b, c.context, c.entry = kept


def parts_of(c: Code, a: Val) -> list[Val]:
    """Return the parts of a tuple of known length, of a record, or of arguments with names."""
    k = a.kind
    assert isinstance(k, Tup | Shared | Keywords)
    known = a.py if a.known and isinstance(k, Tup) else None
    return [
        Val(x, c.part(a.v, i), UNKNOWN if known is None else known[i])
        for i, x in enumerate(parts(k))
    ]


def as_tuple(a: Val) -> Val:
    """Return a NamedTuple as the tuple that it is; others as they are."""
    if not isinstance(a.kind, Record) or not issubclass(a.kind.of, tuple):
        return a
    return Val(Tup(a.kind.kinds), a.v, tuple(a.py) if a.known else UNKNOWN)


def payload(c: Code, a: Val, index: int) -> Val:
    """Return one alternative of a value, which must be the one that it has."""
    assert isinstance(a.kind, Either)
    k = a.kind.items[index]
    place = place_in(a.kind, index)
    if place is None or not c.emitting:
        return Val(k, c.undef(k))
    v, t = c.part(a.v, place), form(k)
    if is_scalar(t):
        v = _from_word(c, v, t)
    return Val(k, v)


def _from_word(c: Code, v: Any, t: Any) -> Any:
    if t == F64:
        return c.b.bitcast(v, F64)
    if t == PTR:
        return c.b.inttoptr(v, PTR)
    return v if t == I64 else c.b.trunc(v, t)


def _to_word(c: Code, v: Any) -> Any:
    if v.type == F64:
        return c.b.bitcast(v, I64)
    if v.type == PTR:
        return c.b.ptrtoint(v, I64)
    return v if v.type == I64 else c.b.zext(v, I64)


def tag_is(c: Code, a: Val, index: int) -> Any:
    return c.b.icmp_unsigned("==", c.part(a.v, 0), I8(index))


def spread(c: Code, a: Val, use: Callable[[Val], Val]) -> Val:
    """Use the alternative that a value has; the results are joined."""
    if not isinstance(a.kind, Either):
        return use(a)
    path, env, kinds = c.path, c.env, []
    with dry(c):
        for i, k in enumerate(a.kind.items):
            c.path, c.env = (*path, i), _copied(env)
            kinds.append(use(Val(k)).kind)
    met = join_all(kinds)
    c.path, c.env = path, env
    if not c.emitting:
        return Val(met)
    return joined(c, met, (use(payload(c, a, i)) for i in cases(c, a)))


def joined(c: Code, k: Kind, values: Iterable[Val]) -> Val:
    """Return the one of several values that comes about, each in its own block, as one of a kind
    that has them all."""
    out, after = c.temp(form(k)), c.block("after")
    for a in values:
        arrive(c, a, k, out, after)
    c.at(after)
    return c.outcome(k, out)


def arrive(c: Code, a: Val, k: Kind, out: Any, after: Any) -> None:
    """Store a value as one of a wider kind and go on, unless it does not end."""
    if a.kind is NEVER:
        c.unreachable()
    else:
        c.store(coerce(c, a, k).v, out)
        c.goto(after)


def _copied(env: Any) -> Any:
    return None if env is None else dict(env)


def each_kind(c: Code, use: Callable[..., Val], *args: Val) -> Val:
    """Use arguments of one kind each; the results are joined."""
    at = next((i for i, a in enumerate(args) if isinstance(a.kind, Either)), None)
    if at is not None:
        before, after = args[:at], args[at + 1 :]
        return spread(c, args[at], lambda x: each_kind(c, use, *before, x, *after))
    if any(a.kind is NEVER for a in args):
        return c.never
    return use(*args)


def cases(c: Code, a: Val, tag: Any = None) -> Iterator[int]:
    """Yield the number of each alternative of a value, in the block where the value has it.

    Each has variables of its own. The tag may be one that was kept.
    """
    assert isinstance(a.kind, Either)
    path, env = c.path, c.env
    for i in range(len(a.kind.items)):
        one, other = c.block("is"), c.block("not")
        c.branch(
            tag_is(c, a, i) if tag is None else c.b.icmp_unsigned("==", tag, I8(i)), one, other
        )
        c.at(one)
        c.path, c.env = (*path, i), _copied(env)
        yield i
        c.at(other)
    c.path, c.env = path, env
    c.unreachable()


def narrowed(c: Code, a: Val, keep: Callable[[Kind], bool]) -> Val:
    """Return a value as one of those alternatives that it is known to have."""
    left = [k for k in alternatives(a.kind) if keep(k)]
    if not isinstance(a.kind, Either) or len(left) == len(a.kind.items):
        return a
    met = join_all(left)
    if not c.emitting:
        return Val(met)
    if len(left) == 1:
        return payload(c, a, a.kind.items.index(left[0]))
    return _each_coerced(c, a, met, keep)


def is_one_of(c: Code, a: Val, test: Callable[[Kind], bool]) -> Val:
    """Whether the alternative that a value has passes a test."""
    if not isinstance(a.kind, Either):
        return boolean(test(a.kind))
    met: Any = c1(False)
    for i, k in enumerate(a.kind.items):
        if test(k):
            met = c.b.or_(met, tag_is(c, a, i))
    return Val(BOOL, met)


def coerce(c: Code, a: Val, k: Kind) -> Val:
    """Return a value as one of a kind that has it."""
    ka = a.kind
    if ka is k or same(ka, k):
        return Val(k, a.v, a.py)
    if NEVER in (ka, k) or not c.emitting:
        return Val(k, c.undef(k))
    if isinstance(ka, Either) and (isinstance(k, Either) or len(ka.items) > 1):
        return _each_coerced(c, a, k, lambda item: _holds(k, item))
    if isinstance(k, Either):
        return _tagged(c, a, k)
    if _are_alike(ka, k):
        pairs = zip(parts_of(c, a), parts(k), strict=True)
        return Val(k, c.pack(form(k), [coerce(c, x, y).v for x, y in pairs]))
    if isinstance(ka, Tup) and isinstance(k, Row):
        return _as_row(c, a, k)
    if isinstance(ka, Row) and isinstance(k, Row):
        return _widened_row(c, a, k)
    if is_cell(ka) and is_cell(k):
        return Val(k, a.v)
    if isinstance(ka, Boxed) and isinstance(k, Boxed) and ka.name == k.name:
        return Val(k, a.v)
    if (ka, k) in CONVERTS:
        return CONVERTS[ka, k](c, a)
    if isinstance(ka, Method) and isinstance(k, Method):
        return Val(k, coerce(c, Val(ka.self_kind, a.v), k.self_kind).v)
    raise Refusal(f"{ka} and {k} meet here, which is not compiled")


def _are_alike(a: Kind, b: Kind) -> bool:
    """Whether values of two kinds have the same parts: tuples of one length, or keywords."""
    if isinstance(a, Keywords) and isinstance(b, Keywords):
        return a.names == b.names
    return isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items)


def _each_coerced(c: Code, a: Val, k: Kind, keep: Callable[[Kind], bool]) -> Val:
    """Return a value as one of a kind that has those alternatives which are kept."""
    values = (payload(c, a, i) for i in cases(c, a))
    return joined(c, k, (x if keep(x.kind) else c.never for x in values))


def _holds(k: Kind, item: Kind) -> bool:
    return same(join(k, item), k)


def _tagged(c: Code, a: Val, k: Either) -> Val:
    for i, item in enumerate(k.items):
        if _holds(item, a.kind):
            v = c.b.insert_value(c.undef(k), I8(i), 0)
            place = place_in(k, i)
            if place is not None:
                inner = coerce(c, a, item).v
                v = c.b.insert_value(
                    v, _to_word(c, inner) if is_scalar(form(item)) else inner, place
                )
            return Val(k, v)
    raise Refusal(f"{a.kind} is not one of {k}")


def _as_row(c: Code, a: Val, k: Row) -> Val:
    assert isinstance(a.kind, Tup)
    n = len(a.kind.items)
    if a.known:
        return Val(k, c.program.constants.row(a.py, k.item), a.py)
    place = c.alloc_for(c64(n), form(k.item))
    for i, x in enumerate(parts_of(c, a)):
        put_item(c, k.item, place, c64(i), x)
    return Val(k, c.row(place, c64(n)))


def _widened_row(c: Code, a: Val, k: Row) -> Val:
    assert isinstance(a.kind, Row)
    place, n = span(c, a)
    made = c.alloc_for(n, form(k.item))
    copy_items(c, a.kind.item, place, n, made, k.item)
    return Val(k, c.row(made, n))


def put_item(c: Code, k: Kind, place: Any, i: Any, a: Val) -> None:
    """Store a value in a row of values of a kind."""
    c.store(coerce(c, a, k).v, c.element(place, form(k), i))


def copy_items(c: Code, k: Kind, place: Any, n: Any, to: Any, wide: Kind) -> None:
    """Copy the values of a row to another one, of a kind that has them."""
    with c.counting(n) as i:
        put_item(c, wide, to, i, c.item(k, place, i))


def in_row(c: Code, a: Val) -> Val:
    """Return a tuple as one in memory."""
    return coerce(c, a, Row(join_all(a.kind.items))) if isinstance(a.kind, Tup) else a


def tuple_of(c: Code, parts: Sequence[Val]) -> Val:
    """Return the tuple of these values."""
    if any(p.kind is NEVER for p in parts):
        return c.never
    k = Tup(p.kind for p in parts)
    known: Any = tuple(p.py for p in parts)
    if not all(p.known for p in parts):
        known = UNKNOWN
    made = Val(k, c.pack(form(k), [p.v for p in parts]), known)
    plain = not any(isinstance(p.kind, Static) for p in parts)
    if len(parts) > APART and plain and are_alike(k.items):
        return coerce(c, made, Row(join_all(k.items)))
    return made
