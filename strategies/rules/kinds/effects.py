"""Effects: what code does besides giving a value. It fails, or changes what others see."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from attrs import define, field

from strategies.rules.kinds.kind import Boxed, Cell, Generator, Instance, Kind, reachable
from strategies.rules.kinds.parts import mark, parts
from strategies.rules.language.messages import LIMITS

Changed = Cell | Instance
"""What can change: a container or a shared variable, by its cell; or a generator."""


@define(eq=False)
class Effects:
    """What was noted while code was emitted.

    Attributes:
        errors: what it fails with itself, and where first; `Exception` stands for any.
        calls: the instances that it calls, and where first.
        changes: the containers and variables that it changes itself, and the generators on which
            it steps. Containers that may be one have one cell.
        writes: whether it may write to an array of the game.
    """

    errors: dict[type[BaseException], ast.AST] = field(factory=dict)
    calls: dict[Instance, ast.AST] = field(factory=dict)
    changes: set[Changed] = field(factory=set)
    writes: bool = False

    def raised(self) -> set[type[BaseException]]:
        """Return all errors that it may end with, but for those of the compiler's own limits."""
        return _within_limits({*self.errors, *_errors_of(self.calls)})

    def failing(self) -> list[ast.AST]:
        """Return the places where it may end with such an error."""
        own = [at for error, at in self.errors.items() if _within_limits([error])]
        called = [at for one, at in self.calls.items() if _within_limits(_errors_of([one]))]
        return list(dict.fromkeys([*own, *called]))

    def are_seen(self, outside: Iterable[Kind], but: Iterable[Cell] = ()) -> bool:
        """Whether somebody else may see what it changes, who has values of these kinds.

        Args:
            but: what may be seen to change.
        """
        reached = list(_reached(self.calls))
        if self.writes or any(one.effects.writes for one in reached):
            return True
        seen = _seen_by_callers(reached)
        changes = _roots(self.changes).union(*(seen[one] for one in self.calls))
        return not (changes - _roots(but)).isdisjoint(_changeable(outside))


def _within_limits(errors: Iterable[type[BaseException]]) -> set[type[BaseException]]:
    return {e for e in errors if not issubclass(e, LIMITS)}


def _errors_of(first: Iterable[Instance]) -> set[type[BaseException]]:
    """Return the errors that calls may end with; StopIteration ends zip and its like quietly."""

    def called(instances: Iterable[Instance], ended: bool = False) -> list[tuple[Instance, bool]]:
        return [(i, ended or (i.source.is_generator and i.source.is_builtin)) for i in instances]

    found: set[type[BaseException]] = set()
    for one, ended in reachable(called(first), lambda c: called(c[0].effects.calls, c[1])):
        errors = set(one.effects.errors)
        found |= errors - {StopIteration} if ended else errors
    return found


def _reached(first: Iterable[Instance]) -> Iterator[Instance]:
    return reachable(first, lambda one: one.effects.calls)


def _seen_by_callers(functions: list[Instance]) -> dict[Instance, set[Changed]]:
    """Return what each function changes of what it is given or has captured.

    Requires: with a function, those that it calls. A function changes what it changes itself and
    what those change. The rest was made during the call. Functions may call each other in a circle,
    so this is the least fixed point.
    """
    own = {one: _roots(one.effects.changes) for one in functions}
    given = {one: _changeable(one.given) for one in functions}
    seen: dict[Instance, set[Changed]] = {one: set() for one in functions}
    settled = False
    while not settled:
        settled = True
        for one in functions:
            found = own[one].union(*(seen[other] for other in one.effects.calls)) & given[one]
            settled, seen[one] = settled and found == seen[one], found
    return seen


def outlasts_failure(one: Instance, changed: Iterable[Cell], guarded: Iterable[Instance]) -> bool:
    """Whether rules go on after a failure of a function, and see what it has changed.

    Args:
        guarded: the functions that rules call inside of `try`.
    """
    roots = _roots(changed)
    return any(roots & _changeable(g.given) and one in _reached([g]) for g in guarded)


def _roots(changes: Iterable[Changed]) -> set[Changed]:
    return {one.root() if isinstance(one, Cell) else one for one in changes}


def _changeable(kinds: Iterable[Kind]) -> set[Changed]:
    """Return all that can be changed by who has values of these kinds."""

    def held(k: Kind) -> Iterable[Kind]:
        if isinstance(k, Generator):
            return *k.instance.given, k.instance.yielded, k.instance.returned
        return parts(k)

    reached = list(reachable(kinds, held, mark))
    boxes: set[Changed] = {k.roots()[0] for k in reached if isinstance(k, Boxed)}
    return boxes | {k.instance for k in reached if isinstance(k, Generator)}
