"""Methods of known texts: what can be told of a text once all texts are known."""

from __future__ import annotations

import ast

from strategies.rules.builtins import text_forms, text_methods  # noqa: F401 - each declares methods
from strategies.rules.builtins.declared import METHODS, method
from strategies.rules.code.val import Arguments, Val
from strategies.rules.code.walk import Walk
from strategies.rules.kinds.kind import BOOL, INT, NONE, STR, Kind
from strategies.rules.values.texts import asked

TO_TEXT = "upper lower swapcase title capitalize casefold"
TO_BOOL = "isupper islower isalpha isdigit isdecimal isnumeric isalnum isspace"


def _plain(name: str, kind: Kind) -> None:
    @method("str", name, "self, /")
    def ask(w: Walk, node: ast.AST, a: Val) -> Val:
        return asked(w, name, kind, lambda t, _: getattr(t, name)(), a)


def _with_text(name: str, kind: Kind) -> None:
    letters = METHODS["str", name]

    def by_letters(w: Walk, node: ast.AST, *values: Val) -> Val:
        return letters.call(w, Arguments(list(values), {}), node)

    @method("str", name, "self, text, start=None, end=None, /")
    def ask(w: Walk, node: ast.AST, a: Val, text: Val, start: Val, end: Val) -> Val:
        known = all(bound.known and bound.kind in (INT, NONE) for bound in (start, end))
        part = start.py, end.py
        if text.kind is not STR or not known:
            return by_letters(w, node, a, text, start, end)
        if text.known:
            given = text.py
            label = f"{name} {given!r} {part}"
            return asked(w, label, kind, lambda t, _: getattr(t, name)(given, *part), a)
        if a.known:
            whole = a.py
            label = f"{whole!r} {name} {part}"
            return asked(w, label, kind, lambda t, _: getattr(whole, name)(t, *part), text)
        return by_letters(w, node, a, text, start, end)


for _name in TO_TEXT.split():
    _plain(_name, STR)
for _name in TO_BOOL.split():
    _plain(_name, BOOL)
for _name in ("startswith", "endswith"):
    _with_text(_name, BOOL)
for _name in ("find", "rfind", "count"):
    _with_text(_name, INT)
