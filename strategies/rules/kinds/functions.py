"""Kinds of functions: inner ones, bound ones and suspended ones; and instances of functions."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from strategies.rules.kinds.atoms import NEVER, Kind
from strategies.rules.kinds.kind import Shared
from strategies.rules.language.sources import FunctionNode, Source


class Closure(Shared):
    """An inner function with what it captured; `of` is its syntax, with the source around it."""

    __slots__ = ()
    of: tuple[FunctionNode, Source]

    def spelled(self, above: Any = ()) -> str:
        return "function"


@define(eq=False, repr=False)
class Method(Kind):
    """A function bound to a value."""

    function: Any
    self_kind: Kind


@define(eq=False, repr=False)
class Generator(Kind):
    """A suspended generator: the address of its frame."""

    instance: Instance


@define(eq=False)
class Instance:
    """A function for arguments of certain kinds.

    Attributes:
        returned, yielded: the kinds found so far.
        records: kinds at places of the function, found in the last round: the environments where
            control meets, the results of expressions with branches, the containers made there.
        callees: instances that it calls.
        remembers: whether it calls a cached function of a module.
        version: how often the kinds of its results changed.
        is_entry: whether it is called from outside.
        used: the instances whose results the last walk used, and their versions then.
        walked_at: the last of all `Changes` before that walk.
        effects: the `Effects` of its code, known when it is emitted.
    """

    number: int
    source: Source
    node: FunctionNode
    kinds: list[Kind]
    is_generator: bool
    name: str
    closure: Closure | None = None
    returned: Kind = NEVER
    yielded: Kind = NEVER
    records: dict[Any, Any] = field(factory=dict)
    callees: set[Instance] = field(factory=set)
    remembers: bool = False
    round: int = -1
    version: int = 0
    used: dict[Instance, int] = field(factory=dict)
    walked_at: int = -1
    function: Any = None
    frame_size: Any = None
    key: Any = None
    is_entry: bool = False
    effects: Any = None

    def recursive(self) -> bool:
        """Whether it may call itself."""
        return self in self._called()

    def remembering(self) -> bool:
        """Whether it, or what it calls, keeps results for later calls."""
        return self.remembers or any(one.remembers for one in self._called())

    def _called(self) -> set[Instance]:
        """Return all instances that it may call, also indirectly."""
        seen: set[Instance] = set()
        todo = list(self.callees)
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += one.callees
        return seen
