"""Whether `<` puts values of a kind in one order, in whatever order they come."""

from __future__ import annotations

from collections.abc import Sequence

from strategies.rules.kinds.atoms import NONE, Kind
from strategies.rules.kinds.contained import somewhere
from strategies.rules.kinds.kind import Boxed, Member, Record, Row, Tup
from strategies.rules.kinds.parts import alternatives, is_letters, is_number, parts
from strategies.rules.kinds.record_classes import defined, fields_in, is_generated, own

COMPARISONS = ("__eq__", "__lt__", "__gt__")


def sorts_alike(k: Kind) -> bool:
    """Whether sorting values that differ gives one list, or fails, in whatever order they come.

    Lists, sets and dicts do not: they may change, and sets are ordered only in part. What a class
    says of `<` need be no order.
    """
    return not somewhere(k, _has_other_order)


def _has_other_order(k: Kind) -> bool:
    if isinstance(k, Member):
        return _says_itself(k)
    return isinstance(k, Boxed) or (isinstance(k, Record) and not _is_by_fields(k))


def _says_itself(k: Member | Record) -> bool:
    return any(own(k, name) is not None for name in COMPARISONS)


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
    if any(all(map(test, items)) for test in (is_number, is_letters, _is_none)):
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


def _is_none(k: Kind) -> bool:
    return k is NONE
