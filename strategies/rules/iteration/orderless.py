"""Where a set may be iterated: only where no order can be told from another, for it is chance.

Sorting is such a place if `<` puts the elements in one order, in whatever order they come.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from attrs import define, field

from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.effects import Effects
from strategies.rules.kinds.joining import join_all
from strategies.rules.kinds.kind import (
    FLOAT,
    NEVER,
    NONE,
    NUMBERS,
    Boxed,
    Closure,
    Generator,
    Kind,
    Member,
    Record,
    Row,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import (
    alternatives,
    is_cell,
    is_letters,
    is_number,
    parts,
    somewhere,
)
from strategies.rules.kinds.record_classes import compared, defined, fields_in, is_generated, own
from strategies.rules.language.messages import Refusal
from strategies.rules.language.names import comprehension_names, names_in
from strategies.rules.language.sources import parameters, source_of

COMPARISONS = ("__eq__", "__lt__", "__gt__")


def sorts_alike(k: Kind) -> bool:
    """Whether sorting values that differ gives one list, or fails, in whatever order they come.

    Lists, sets and dicts do not: they may change, and sets are ordered only in part. What a class
    says of `<` need be no order.
    """
    return not somewhere(k, _has_other_order)


def _has_other_order(k: Kind) -> bool:
    if isinstance(k, Member):
        return any(own(k, name) is not None for name in COMPARISONS)
    return isinstance(k, Boxed) or (isinstance(k, Record) and not _is_by_fields(k))


def _is_by_fields(k: Record) -> bool:
    """Whether `<` compares the fields of a record that `==` compares, and nothing else."""
    if issubclass(k.of, tuple):
        return True
    found = [defined(k.of, name) for name in COMPARISONS]
    if any(one is None or not is_generated(*one) for one in found):
        return False
    owners = {one[1] for one in found if one is not None}
    if len(owners) > 1:
        return False
    owner = owners.pop()
    chosen = fields_in(owner, "order")
    return chosen == fields_in(owner, "eq") and not any(key for _, key in chosen)


def least_alike(k: Kind) -> bool:
    """Whether the least of values that sort alike is one, or fails, in whatever order they come.

    Of (0, 0), (1, None) and (1, 2) it is the first, unless the others are compared before it is
    met. Values without parts meet the least, all of them.
    """
    items = [i for i in alternatives(k) if isinstance(i, Tup | Row | Record)]
    return not items or _compares(items)


def _compares(kinds: Sequence[Kind]) -> bool:
    """Whether `<` fails for no two values of these kinds."""
    items = [i for k in kinds for i in alternatives(k)]
    if any(all(map(test, items)) for test in (is_number, is_letters, lambda k: k is NONE)):
        return True
    if not all(isinstance(i, Tup | Row | Record) for i in items):
        return False
    classes = {i.of for i in items if isinstance(i, Record) and not issubclass(i.of, tuple)}
    if classes and len({id(i) for i in items}) > 1:
        return False
    places = max(len(tuple(parts(i))) for i in items)
    return all(
        _compares([part for i in items for part in _at(i, place)]) for place in range(places)
    )


def _at(k: Kind, place: int) -> Sequence[Kind]:
    """Return the kind of a part of tuples and records, which a tuple of any length has."""
    return (k.item,) if isinstance(k, Row) else tuple(parts(k))[place : place + 1]


CHANCE = "the order of a set is chance; write sorted(…)"
SUMS = ("sum_", "compensated_sum")
FOUND = "a set"
SEEN = "a step changes what is seen outside of it"
COMPREHENSION = "comprehension"  # says that a loop is a comprehension's own
Made = ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
# Builtins whose result does not depend on the order of what they read.
SETTLED = (any, all, next, sum, min, max, sorted, set, frozenset, len, bool)
# Methods of sets of which the same holds.
METHODS = {
    "update": set, "union": set, "difference": set, "difference_update": set,
    "symmetric_difference": set, "symmetric_difference_update": set, "issubset": set,
    "issuperset": all, "isdisjoint": all,
}  # fmt: skip
STOPPING = (any, all, next)  # those that may not read everything


def check_order(w: Walk, node: ast.AST, a: Val, what: str) -> None:
    """Refuse an iteration over a set unless its order cannot matter."""
    item = a.boxed.item
    source = w.instance.source
    if source.is_reader:
        return check_reader(source.name, w.instance, item)
    for one in w.comprehensions if what == COMPREHENSION else ():
        if one.settled and any(g.target is node for g in one.node.generators):
            if not one.found:  # what is done before it comes in an order of its own
                w.effects.append(one.effects)
            one.found = True
            own = comprehension_names(one.node)
            one.outside += outlasting(w, {w.full(name) for name in own})
            return None
    raise Refusal(CHANCE)


def check_reader(name: str, instance: Any, item: Kind) -> None:
    """Refuse what a builtin makes of a set where the order shows."""
    kinds = dict(zip(parameters(instance.source.node), instance.kinds, strict=True))
    if name in SUMS and not (is_exact(item) and is_exact(kinds["start"])):
        raise Refusal("the sum of floats depends on the order of a set; write sum(sorted(…))")
    if name in ("min_", "max_", "sorted_"):
        plain, key, by_fields = name.removesuffix("_"), kinds.get("key", NONE), ""
        if isinstance(item, Record) and not sorts_alike(item):
            fields = ", ".join(f"x.{name}" for name in item.names)
            fields += "," * (len(item.names) == 1)
            by_fields = f"write a key of all its fields, key=lambda x: ({fields})"
        if key is not NONE:
            keys = _keys_apart(key, item)
            if keys is None:
                advice = by_fields or f"write {plain}(sorted(…), key=…)"
                raise Refusal(f"{plain} of a set by a key may meet equal keys; {advice}")
            item, by_fields = keys, ""
        if somewhere(item, lambda k: k is FLOAT):
            raise Refusal(
                f"a set of floats may hold NaN, so {plain} depends on its order; write a list"
            )
        if not _is_settled(plain, item):
            raise Refusal(
                f"{plain} of a set of {item} depends on its order; {by_fields or 'write a list'}"
            )


def _keys_apart(f: Kind, item: Kind) -> Kind | None:
    """Return the kind of the keys of elements if each is a tuple of all that tells them apart."""
    function = f.value if isinstance(f, Static) else None
    node = source_of(function).node if isinstance(function, FunctionType) else None
    match f.of.node if isinstance(f, Closure) else node:
        case ast.Lambda(ast.arguments(args=[one]), ast.Tuple(found)):
            pass
        case ast.FunctionDef(args=ast.arguments(args=[one]), body=[ast.Return(ast.Tuple(found))]):
            pass
        case _:
            return None
    if not isinstance(item, Tup | Record):
        return None
    kinds, of = tuple(parts(item)), item.of if isinstance(item, Record) else tuple
    needed = compared(item) if isinstance(item, Record) else range(len(kinds))
    places: dict[str, int] = {}
    for i, k in enumerate(kinds):
        names = [f"{one.arg}.{item.names[i]}"] if isinstance(item, Record) else []
        if issubclass(of, tuple):
            names.append(f"{one.arg}[{i}]")
        for name in names:
            places |= {name: i, f"-{name}": i} if k in NUMBERS else {name: i}
    chosen = [places[text] for text in map(ast.unparse, found) if text in places]
    whole = len(chosen) == len(found) and set(needed) <= set(chosen)
    return Tup(kinds[i] for i in chosen) if whole else None


def _is_settled(name: str, item: Kind) -> bool:
    """Whether `sorted`, `min` or `max` of values that differ does not depend on their order."""
    return sorts_alike(item) and (name == "sorted" or least_alike(item))


def is_exact(k: Kind) -> bool:
    """Whether the sum of numbers does not depend on their order."""
    return all(i in NUMBERS and i is not FLOAT for i in alternatives(k))


def mixes_numbers(k: Kind) -> bool:
    """Whether equal values of a kind may differ in type, as 1 and True do."""
    return somewhere(k, _is_mixed)


def _is_mixed(k: Kind) -> bool:
    items = alternatives(k)
    tuples = {c for i in items if (c := _class_of_tuple(i)) is not None}
    return (
        max(sum(map(is_number, items)), len(tuples), sum(isinstance(i, Boxed) for i in items)) > 1
    )


def _class_of_tuple(k: Kind) -> type | None:
    """Return the class of tuples: a NamedTuple equals a tuple of the same elements."""
    if isinstance(k, Record):
        return k.of if issubclass(k.of, tuple) else None
    return tuple if isinstance(k, Tup | Row) else None


def is_told_apart(k: Kind) -> bool:
    """Whether equal values of a kind may differ, as 0.0 and -0.0 do."""
    if not isinstance(k, Record):
        return k is FLOAT
    return len(compared(k)) < len(k.names)


def shows_first(k: Kind) -> bool:
    """Whether equal values of a kind may differ, so that the one that came first shows."""
    return mixes_numbers(k) or somewhere(k, is_told_apart)


# Comprehensions over sets


@define(eq=False)
class Comprehension:
    """A comprehension while it is walked over.

    Attributes:
        settled: whether what reads it asks for no order.
        found: whether it steps over a set.
        effects: those of its steps over sets.
        outside: the kinds of what outlasts a step.
    """

    node: Made
    settled: bool
    found: bool = False
    effects: Effects = field(factory=Effects)
    outside: list[Kind] = field(factory=list)


def begin(w: Walk, node: Made, settled: bool) -> Comprehension:
    """Note what a comprehension does from here on, once it steps over a set."""
    binds = any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))
    found = Comprehension(node, settled and not binds)
    w.comprehensions.append(found)
    return found


def end(w: Walk, one: Comprehension) -> None:
    """Note no more, and remember what was found for who reads the comprehension."""
    w.comprehensions.pop()
    if one.found:
        w.effects.pop()
    w.instance.records[FOUND, id(one.node)] = one if one.found else None


def outlasting(w: Walk, own: set[str]) -> list[Kind]:
    """Return the kinds of what the steps of a loop over a set have from before it.

    A variable of the loop's own is bound anew before it is read; what it holds may last.
    """
    return [
        k.item if name in own and isinstance(k, Boxed) and is_cell(k) else k
        for name, k in (w.env or {}).items()
    ]


def mark(w: Walk, f: Any, node: ast.Call) -> None:
    """Let a comprehension step over sets, if the builtin that reads it asks for no order."""
    many = 2 if f is sum or f is next else 1
    plain = all(k.arg in ("default", "reverse", "start") for k in node.keywords)
    plain = plain and not any(isinstance(a, ast.Starred) for a in node.args)
    asks = any(f is s for s in SETTLED) and plain and 1 <= len(node.args) <= many
    if asks and (f is not next or _gives_one(node.args[0])):
        mark_all(w, node.args[0])


def _gives_one(node: ast.expr) -> bool:
    """Whether all elements of a generator expression are one, such as True."""
    if not isinstance(node, ast.GeneratorExp):
        return False
    return not names_in(node.elt, ast.Load) & comprehension_names(node)


def mark_all(w: Walk, node: ast.expr) -> None:
    """Let a comprehension step over sets, since what reads it asks for no order."""
    if isinstance(node, Made):
        w.asked = node


def check_call(w: Walk, f: Any, node: ast.Call, given: Arguments, into: Kind = NEVER) -> None:
    """Refuse a reader of a comprehension over sets, if the order shows in its result.

    `into` is the kind of elements that what is made has besides.
    """
    inner = node.args[0] if node.args else None
    if not isinstance(inner, Made):
        return
    k = given.first[0].kind
    if isinstance(k, Generator):
        records, item, reader = k.instance.records, k.instance.yielded, f
    elif isinstance(k, Boxed):
        records, item, reader = w.instance.records, k.item, None
    else:
        return
    found = FOUND, id(inner)
    if records.get(found) is not None:
        start = [*given.first[1:], *given.named.values()] if f is sum else []
        check_result(f, join_all([item, into, *(a.kind for a in start)]))
        check_steps(w, node, reader, partial(records.__getitem__, found))


def check_effects(w: Walk, node: ast.AST, shown: Callable[[], str]) -> None:
    """Refuse steps that show their order, once it is known what they do: `shown` says how."""
    if not w.emitting:
        return
    place = w.refused(node, Refusal(""))

    def check() -> None:
        if how := shown():
            place.reason = f"{how}, and {CHANCE}"
            raise place

    w.program.checks.append(check)


def failing(effects: Effects) -> str:
    """Return which steps may fail, if in several ways: the first failure shows; or else nothing."""
    errors = effects.raised()
    if len(errors) < 2 and Exception not in errors:
        return ""
    return f"{places_of(effects)} may fail in several ways"


def places_of(effects: Effects) -> str:
    """Return the texts of the places that may fail."""
    return " or ".join(ast.unparse(node).partition("\n")[0] for node in effects.failing())


def check_steps(w: Walk, node: ast.AST, f: Any, of: Callable[[], Comprehension | None]) -> None:
    """Refuse steps of a comprehension that show their order to what reads it."""
    check_effects(w, node, partial(_shown, f, of))


def _shown(f: Any, of: Callable[[], Comprehension | None]) -> str:
    """Return how the steps of a comprehension show their order to what reads it; empty if not."""
    steps = of()
    if steps is None:  # no code comes to the set
        return ""
    if steps.effects.are_seen(steps.outside):
        return SEEN
    errors = steps.effects.raised()
    if any(f is s for s in STOPPING):
        told = f"{f.__name__} may end before a step that fails, as {places_of(steps.effects)} may"
        return told if errors else ""
    return failing(steps.effects)


def check_result(f: Any, k: Kind) -> None:
    """Refuse what a builtin makes of values that come in the order of a set."""
    if f is sum and not is_exact(k):
        raise Refusal(
            "the sum of floats depends on the order of a set; write sum(… for x in sorted(…))"
        )
    if f in (min, max, sorted) and (shows_first(k) or not _is_settled(f.__name__, k)):
        raise Refusal(
            f"{f.__name__} of {k} depends on the order of a set; write … for x in sorted(…)"
        )
    if f in (set, frozenset) and shows_first(k):
        raise Refusal(
            "which of two equal elements stays depends on the order of a set; write sorted(…)"
        )
