"""Methods of texts, and `ord`: what can be told of a text once all texts are known."""

from __future__ import annotations

import ast

from strategies.rules.builtins.declared import method
from strategies.rules.code import Val
from strategies.rules.kinds import BOOL, INT, STR, Kind
from strategies.rules.messages import TEXTS, Refusal
from strategies.rules.texts import asked
from strategies.rules.walk import Walk

TO_TEXT = "upper lower swapcase title capitalize casefold"
TO_BOOL = "isupper islower isalpha isdigit isdecimal isnumeric isalnum isspace"


def _plain(name: str, kind: Kind) -> None:
    @method("str", name, "self, /")
    def ask(w: Walk, node: ast.AST, a: Val) -> Val:
        return asked(w, name, kind, lambda t, _: getattr(t, name)(), a)


def _with_text(name: str, kind: Kind) -> None:
    @method("str", name, "self, text, /")
    def ask(w: Walk, node: ast.AST, a: Val, text: Val) -> Val:
        if text.kind is not STR or a.kind is not STR:
            raise Refusal(f"{name} of a text is compiled with a text only")
        if text.known:
            given = text.py
            return asked(w, f"{name} {given!r}", kind, lambda t, _: getattr(t, name)(given), a)
        if a.known:
            whole = a.py
            label = f"{whole!r} {name}"
            return asked(w, label, kind, lambda t, _: getattr(whole, name)(t), text)
        raise Refusal(TEXTS)


for _name in TO_TEXT.split():
    _plain(_name, STR)
for _name in TO_BOOL.split():
    _plain(_name, BOOL)
for _name in ("startswith", "endswith"):
    _with_text(_name, BOOL)
for _name in ("find", "rfind", "count"):
    _with_text(_name, INT)
