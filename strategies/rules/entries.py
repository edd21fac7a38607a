"""Entries: several functions about one object, compiled together for the kinds of their values.

The rules of a game take and return states and moves. Their kinds are found together: from the kind
of the first state, by what the rules return, until nothing new comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from strategies.rules.code.program import Program
from strategies.rules.kinds.joining import join, join_all
from strategies.rules.kinds.kind import NEVER, Instance, Kind, Static, Tup
from strategies.rules.kinds.parts import key
from strategies.rules.language.messages import (
    GENERATED_EQUALITY,
    OTHER_INTS,
    OwnEquality,
    Refusal,
    TooWide,
)
from strategies.rules.language.sources import source_of
from strategies.rules.placing import at_rule, changes, field_of, of_numpy, own_equality
from strategies.rules.syntax.bodies import walk


@frozen
class Declared:
    """A function to be compiled, and what it takes and adds.

    Attributes:
        function: takes the object and values of the kinds named in `takes`.
        takes: names of kinds.
        adds: the kind to which what it returns or yields is joined; empty for none. With a place,
            only that part of a tuple is.
        wrong: says what a kind that is added is and should be; nothing if all is well.
    """

    function: Any
    takes: tuple[str, ...] = ()
    adds: str = ""
    place: int | None = None
    wrong: Callable[[Kind], str] | None = None


class Entries:
    """Functions about one object as machine code.

    Attributes:
        kinds: the kinds of values that pass between them, by name.
        instances: the compiled functions, by name.
    """

    def __init__(
        self, about: object, given: dict[str, Sequence[Any]], declared: dict[str, Declared],
        finish: Callable[[Entries], dict[str, Declared]] | None = None,
        constant_lengths: bool = True,
    ) -> None:  # fmt: skip
        self.program = Program(type(about).__qualname__, walk)
        self.program.constant_lengths = constant_lengths
        self.program.constants.one = about
        self.program.paths[id(about)] = ""
        self.program.reads.space(type(about))
        self.about, self.given = about, given
        self.kinds: dict[str, Kind] = dict.fromkeys(given, NEVER)
        self.instances: dict[str, Instance] = {}
        self.at = ""  # the rule whose kinds are being found
        try:
            self._compile(declared, finish)
        except Refusal as refusal:
            refusal.reads = self.program.reads
            raise self._placed(refusal) from None

    def _placed(self, refusal: Refusal) -> Refusal:
        """Point at the rule that a refusal is about, and at the cause if it is a number of numpy's.

        The number is a field of states or moves, where code wants one of Python's. A class that has
        an == of its own is named with the field that holds it.
        """
        if refusal.line:
            return refusal
        cls = type(self.about).__qualname__
        for name in ("state", "move"):
            kind, owner = self.kinds.get(name, NEVER), f"a {name} of {cls}"
            found = field_of(kind, of_numpy, owner)
            if found:
                told = f"{found[0]} holds a {found[1]}, where rules want Python's"
                refusal.reason = f"{told}: write int(…) or float(…)"
                return refusal
            if isinstance(refusal, OwnEquality) and (told := own_equality(kind, refusal.of, owner)):
                key = "; or define key(state) in the game" if self.at == "digest" else ""
                refusal.reason = f"{told}: {GENERATED_EQUALITY}{key}"
                return refusal
            found = field_of(kind, changes, owner)
            if found and found[0] != owner and refusal.reason.startswith(owner):
                refusal.reason += f"; {found[0]} holds a {found[1]}"
        named = [n for n in self.instances if refusal.reason.startswith(f"{cls}.{n} ")]
        return at_rule(refusal, self.about, named[0] if named else self.at)

    def _compile(
        self, declared: dict[str, Declared], finish: Callable[[Entries], dict[str, Declared]] | None
    ) -> None:
        self.program.solve(lambda: self._round(declared))
        if finish is not None:
            more = declared | finish(self)
            self.program.solve(lambda: self._round(more))
        for instance in self.instances.values():
            self.program.declare(instance)
            instance.function.linkage = "external"
        self.program.emit()

    def _round(self, declared: dict[str, Declared]) -> None:
        self.at = "start"
        for name, values in self.given.items():
            self._add(name, join_all(self._given(i, v) for i, v in enumerate(values)))
        self.at = ""
        for name, one in declared.items():
            kinds = [self.kinds[k] for k in one.takes]
            if any(k is NEVER for k in kinds):
                self.instances.pop(name, None)
                continue
            self.program.reads.function(one.function)
            source = source_of(one.function)
            own: list[Kind] = [Static(self.about), *kinds]
            instance = self.program.instance(source, own, is_entry=True)
            self.at = name
            self.program.analyse(instance)
            self.at = ""
            self.instances[name] = instance
            if one.wrong is not None and (wrong := one.wrong(found(instance))):
                raise Refusal(f"{type(self.about).__qualname__}.{name} yields {wrong}")
            if one.adds:
                self._add(one.adds, self._part(found(instance), one))
                self._widen(instance, one)

    def _given(self, place: int, value: Any) -> Kind:
        if isinstance(value, Kind):
            return value
        try:
            return self.program.constants.kind(value)
        except TooWide as wide:
            if place:  # a later state: who gave it hears of it
                raise
            raise Refusal(f"{wide}: {OTHER_INTS}") from None

    def _part(self, kind: Kind, one: Declared) -> Kind:
        if one.place is None or kind is NEVER:
            return kind
        if not isinstance(kind, Tup) or len(kind.items) <= one.place:
            raise Refusal(f"{one.function.__qualname__} yields {kind}, not a tuple of two")
        return kind.items[one.place]

    def _widen(self, instance: Instance, one: Declared) -> None:
        """Let a function give all that is passed on under a name, so that it is of one form."""
        kind, given = self.kinds[one.adds], found(instance)
        if one.place is not None:
            if not isinstance(given, Tup):
                return
            kind = Tup((*given.items[: one.place], kind, *given.items[one.place + 1 :]))
        met = join(given, kind)
        if key(met) == key(given):
            return
        self.program.changed = True
        instance.version += 1
        if instance.source.is_generator:
            instance.yielded = met
        else:
            instance.returned = met

    def _add(self, name: str, kind: Kind) -> None:
        new = join(self.kinds.get(name, NEVER), kind)
        if key(new) != key(self.kinds.get(name, NEVER)):
            self.program.changed = True
        self.kinds[name] = new


def found(instance: Instance) -> Kind:
    """Return the kind of what a function returns, or a generator yields."""
    return instance.yielded if instance.source.is_generator else instance.returned
