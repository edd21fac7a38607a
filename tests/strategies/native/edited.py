"""A module of rules that use most of what rules may use, and edits of it that change a value."""

RULES = """
from enum import IntEnum
from typing import Any

import numpy as np
from attrs import Factory, field, frozen

from games.game import Game, Status

TABLE = [1, 2, 3]
NESTED = [[1, 2], [3, 4]]
ROWS = (np.array([1, 2]), np.array([3, 4]))
PRICES = {0: 5, 1: 7}
KNOWN = {3, 5}
ARRAY = np.array([1, 2, 3])
UNDER = np.array([1, 2, 3])
VIEW = UNDER[:]
VIEW.flags.writeable = False


class Mark(IntEnum):
    LOW = 1


class Meta(type):
    pass


def clamp(x):
    return min(x, 3)


def near(x, by=1, *, step=1):
    return x + by + step


def least(self, attribute, value):
    if value > 3:
        raise ValueError("too large")


@frozen
class Pair:
    a: int = 1
    b: int = 2


@frozen
class At:
    n: int = 0
    ply: int = 0


class Over:
    def bonus(self, state):
        return 1


@frozen
class Rules(Game, Over):
    SCALE = 2
    costs: Any = field(factory=lambda: [1, 2], eq=False)
    weights: Any = field(factory=lambda: np.array([[1, 2], [3, 4]])[:, 0], eq=False)

    def start(self):
        return At()

    def status(self, state):
        return Status.IN_PLAY

    def player(self, state):
        return 0

    def moves(self, state):
        yield 1
        yield 2

    def make_move(self, state, move):
        return At(n=state.n + move, ply=state.ply + 1)

    def estimate(self, state):
        pair, k = Pair(state.n), state.ply % 2
        found = TABLE[k] + 3 * NESTED[k][1] + 5 * PRICES[k] + 7 * ARRAY[k] + 9 * VIEW[k]
        found += 11 * (state.n in KNOWN) + 13 * near(state.n) + 17 * Mark.LOW + 19 * pair.a
        found += 23 * (state == At(n=4, ply=3)) + 29 * self.SCALE + 31 * self.bonus(state)
        found += 37 * self.costs[k] + 41 * self.weights[k] + 43 * pair.b + state.n + ROWS[0][k]
        return found
"""

FIELD = "n: int = 0"
PAIR = "a: int = 1"
AT = "@frozen\nclass At:\n"
LAST = "    ply: int = 0\n"


def _method(name: str, body: str, arguments: str = "self") -> tuple[str, str]:
    return LAST, f"{LAST}\n    def {name}({arguments}):\n        {body}\n"


EDITS = {
    "converter": (FIELD, "n: int = field(default=0, converter=clamp)"),
    "validator": (FIELD, "n: int = field(default=0, validator=least)"),
    "key of ==": (FIELD, "n: int = field(default=0, eq=lambda n: n // 2)"),
    "no ==": (FIELD, "n: int = field(default=0, eq=False)"),
    "no order": (AT, AT.replace("frozen", "frozen(order=True)")),
    "key of order": (FIELD, "n: int = field(default=0, order=abs)"),
    "identity": (AT, AT.replace("frozen", "frozen(eq=False)")),
    "factory": (FIELD, "n: int = Factory(lambda: 2)"),
    "factory of self": (FIELD, "n: int = Factory(lambda self: 2, takes_self=True)"),
    "default": (FIELD, "n: int = 4"),
    "by name": (PAIR, "a: int = field(default=1, kw_only=True)"),
    "no argument": (FIELD, "n: int = field(default=0, init=False)"),
    "aliases": (
        FIELD + "\n" + LAST,
        "n: int = field(default=0, alias='ply')\n    ply: int = field(default=0, alias='n')\n",
    ),
    "order of fields": ("a: int = 1\n    b: int = 2", "b: int = 2\n    a: int = 1"),
    "after init": _method("__attrs_post_init__", "object.__setattr__(self, 'n', clamp(self.n))"),
    "before init": _method("__attrs_pre_init__", "assert False"),
    "own init": (
        AT + "    " + FIELD + "\n" + LAST,
        AT + "    " + FIELD + "\n" + LAST
        + "    def __init__(self, n=0, ply=0):\n        self.__attrs_init__(clamp(n), ply)\n",
    ),
    "own new": _method(
        "__new__", "return object.__new__(cls if ply < 2 else Pair)", "cls, n=0, ply=0"
    ),
    "own ==": _method("__eq__", "return True", "self, other"),
    "own reading": _method(
        "__getattribute__",
        "found = object.__getattribute__(self, name); return 5 if name == 'n' else found",
        "self, name",
    ),
    "metaclass": ("class At:", "class At(metaclass=Meta):"),
    "call of a metaclass": (
        "class Meta(type):\n    pass",
        "class Meta(type):\n    def __call__(cls, n=0, ply=0):\n"
        "        return super().__call__(clamp(n), ply)",
    ),
    "base class": ("class Rules(Game, Over)", "class Rules(Game, Further)"),
    "method of a base": ("return 1\n\n\n@frozen", "return 3\n\n\n@frozen"),
    "constant": ("SCALE = 2", "SCALE = 3"),
    "member": ("LOW = 1", "LOW = 2"),
    "default of a function": ("by=1", "by=2"),
    "default by name": ("step=1", "step=2"),
    "list": ("TABLE = [1, 2", "TABLE = [1, 9"),
    "inner list": ("[3, 4]]\nROWS", "[3, 9]]\nROWS"),
    "array in a tuple": ("ROWS = (np.array([1, 2])", "ROWS = (np.array([1, 9])"),
    "dict": ("1: 7", "1: 8"),
    "set": ("{3, 5}", "{4, 5}"),
    "array": ("ARRAY = np.array([1, 2", "ARRAY = np.array([1, 9"),
    "view": ("UNDER = np.array([1, 2", "UNDER = np.array([1, 9"),
}  # fmt: skip
"""By name: a part of the text, and its replacement."""
BEFORE = {
    "base class": RULES.replace(
        "@frozen\nclass Rules",
        "class Further:\n    def bonus(self, state):\n        return 2\n\n\n@frozen\nclass Rules",
    ),
    "call of a metaclass": RULES.replace("class At:", "class At(metaclass=Meta):"),
}
"""The texts that are edited, where they are not `RULES`."""

ASSIGNED = {
    "list": "TABLE[1] = 9",
    "inner list": "NESTED[1][1] = 9",
    "new list": "TABLE = [1, 9, 3]",
    "array in a tuple": "ROWS[0][1] = 9",
    "dict": "PRICES[1] = 8",
    "set": "KNOWN.add(4)",
    "array": "ARRAY[1] = 9",
    "view": "UNDER[1] = 9",
    "default": "near.__defaults__ = (2,)",
    "default of another type": "near.__defaults__ = (1.5,)",
    "default by name": "near.__kwdefaults__ = {'step': 2}",
    "default by name in place": "near.__kwdefaults__['step'] = 2",
    "code": "near.__code__ = (lambda x, by=1, *, step=1: x).__code__",
    "function": "near = lambda x: x",
    "rule": "Rules.bonus = lambda self, state: 4",
    "method of a base": "Over.bonus = lambda self, state: 4",
    "constant": "Rules.SCALE = 3",
    "own ==": "At.__eq__ = lambda self, other: True",
    "own init": "old = At.__init__\n"
    "def init(self, n=0, ply=0):\n    old(self, clamp(n), ply)\nAt.__init__ = init",
    "own reading": "At.__getattribute__ = lambda self, name: "
    "5 if name == 'n' else object.__getattribute__(self, name)",
    "call of a metaclass": "Meta.__call__ = lambda cls, n=0, ply=0: "
    "type.__call__(cls, clamp(n), ply)",
    "list in a field": "game.costs[1] = 9",
    "array in a field": "game.weights[1] = 9",
    "field": "object.__setattr__(game, 'costs', [1, 9])",
}
"""By name: what is run in the namespace of the module, in which `game` is a game."""


def edited(kind: str) -> tuple[str, str]:
    """Return the text of the rules before and after an edit."""
    before = BEFORE.get(kind, RULES)
    old, new = EDITS[kind]
    assert old in before
    return before, before.replace(old, new, 1)
