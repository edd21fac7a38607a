"""Turns Numba's messages into one that names the rule, the line and what to write instead."""

from __future__ import annotations

import builtins
import inspect
import re
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import attrs
from numba import types
from numba.core.compiler import run_frontend
from numba.core.registry import cpu_target

from games.game import Game
from strategies.native.compiler.advice import ADVICE, INSTEAD, in_plain_words
from strategies.native.compiler.constants import unfit
from strategies.native.compiler.layout import RecordType, plain_name, players_of
from strategies.native.compiler.rules import native_function, rule_of
from strategies.native.compiler.u64_type import WordType
from strategies.native.digest import uncached
from strategies.native.errors import RuleError
from strategies.native.packages import is_foreign
from strategies.native.references import references


def check_rules(game: Any, state: Any) -> None:
    """Compile each rule by itself, so that an error is reported for the rule that causes it.

    Raises: `RuleError`.
    """
    cls = game.cls
    value: Any = (types.Integer, types.Boolean, types.Float)
    wanted = "a number"
    many = players_of(game)
    if many > 2:
        value, wanted = types.UniTuple, f"a tuple of {many} numbers of one type"
    _expect(cls, "status", types.Integer, "a Status", game, state)
    _expect(cls, "player", types.Integer, "a player's index", game, state)
    move = _yielded(cls, "moves", game, state)
    _same(cls, "make_move", state, _returned(cls, "make_move", game, state, move))
    _expect(cls, "estimate", value, wanted, game, state)
    _expect(cls, "utility", value, wanted, game, state)
    if rule_of(cls, "outcomes") is not Game.outcomes:
        pair = _yielded(cls, "outcomes", game, state)
        if not (isinstance(pair, types.BaseTuple) and len(pair) == 2):
            raise _error(cls, "outcomes", f"yields {plain_name(pair)}, not (probability, state)")
        _same(cls, "outcomes", state, pair[1])


def check_hooks(game: Any, state: Any) -> None:
    """Compile each defined hook by itself, after a search with hooks could not be compiled.

    Raises: `RuleError`.
    """
    cls = game.cls
    number: Any = (types.Integer, types.Boolean, types.Float)
    move = _yielded(cls, "moves", game, state)
    found = {name: rule_of(cls, name) for name in HOOKS if getattr(cls, name, None) is not None}
    for name in found:
        if name == "key":
            _expect(cls, name, (types.Integer, WordType), "a 64-bit integer", game, state)
        elif name == "promise":
            _expect(cls, name, number, "a number", game, state)
        elif name in ("bounds", "candidate_bounds"):
            pair = _returned(cls, name, game, state)
            two = isinstance(pair, types.BaseTuple) and len(pair) == 2
            if not two or not all(isinstance(kind, number) for kind in pair):
                raise _error(cls, name, f"returns {plain_name(pair)}, not a tuple of two numbers")
        elif name == "children":
            pair = _yielded(cls, name, game, state)
            if not isinstance(pair, types.BaseTuple) or tuple(pair)[1:] != (state,):
                raise _error(cls, name, f"yields {plain_name(pair)}, not (move, state)")
        else:
            kind = _yielded(cls, name, game, state)
            if kind != move:
                differ = f"yields {plain_name(kind)}, but moves yields {plain_name(move)}"
                raise _error(cls, name, f"{differ}: use one type")


HOOKS = (
    "key", "promise", "bounds", "candidate_bounds", "children",
    "moves_in_play", "candidates", "rollout_moves",
)  # fmt: skip


def _returned(cls: type, name: str, *args: Any) -> Any:
    """Return the type that a rule returns."""
    function = rule_of(cls, name)
    if not isinstance(function, FunctionType):
        raise RuleError(f"{cls.__qualname__}.{name} is not a plain method: define it with def")
    if function is vars(Game).get(name) and name != "utility":
        raise RuleError(f"{cls.__qualname__} does not define {name}, which every game needs")
    made = native_function(function)
    try:
        cpu_target.typing_context.refresh()
        made.compile(args)
    except Exception as error:  # Numba also lets errors of other kinds through
        raise explain(error, cls, name) from error
    return made.overloads[args].signature.return_type


def _yielded(cls: type, name: str, *args: Any) -> Any:
    found = _returned(cls, name, *args)
    if not isinstance(found, types.Generator):
        raise _error(cls, name, f"returns {plain_name(found)}: make it a generator with yield")
    return found.yield_type


def _expect(cls: type, name: str, kind: Any, wanted: str, *args: Any) -> None:
    found = _returned(cls, name, *args)
    if isinstance(found, types.Optional) or found == types.none:
        paths = f"returns None on some path: return {wanted} on every path"
        raise _error(cls, name, f"{paths}, and start variables with a number, not with None")
    if not isinstance(found, kind):
        raise _error(cls, name, f"returns {plain_name(found)}, not {wanted}")


def _same(cls: type, name: str, state: RecordType, found: Any) -> None:
    if found == state:
        return
    verb = "yield" if name == "outcomes" else "return"
    if isinstance(found, types.Optional) or found == types.none:
        raise _error(cls, name, f"{verb}s None on some path: {verb} a state on every path")
    given, wanted = plain_name(found), plain_name(state)
    if given == wanted:
        for (field, kind), (_, first) in zip(found.fields, state.fields, strict=True):
            if kind != first:
                differ = f"whose {field} is {_a(kind)}, but in the start state it is {_a(first)}"
                raise _error(cls, name, f"{verb}s {_a(given)} {differ}: use one type")
    raise _error(cls, name, f"{verb}s {_a(given)}, but the start state is {_a(wanted)}")


def _a(native: Any) -> str:
    """Return the plain name of a native type, or a name, with its article."""
    name = native if isinstance(native, str) else plain_name(native)
    return f"an {name}" if name[0] in "aeioAEIO" else f"a {name}"


def _error(cls: type, name: str, text: str) -> RuleError:
    function = rule_of(cls, name)
    return RuleError(f"{_place(f'{cls.__qualname__}.{name}', function, None)}\n{name} {text}")


def _place(name: str, function: Any, line: int | None) -> str:
    """Describe a rule, its file and line, and the text of the line."""
    code = function.__code__
    line = line or code.co_firstlineno
    text = f"{name} cannot be compiled ({code.co_filename}:{line})"
    try:
        lines, start = inspect.getsourcelines(code)
    except (OSError, TypeError):  # defined at a prompt
        return text
    if start <= line < start + len(lines):
        text += f":\n    {lines[line - start].strip()}"
    return text


def explain(error: Exception, cls: type, name: str = "") -> RuleError:
    """Return the error of a rule, by the innermost line of rules that Numba's message mentions.

    Numba's message mentions the innermost line first, after the error there.
    """
    text = re.sub(r"\x1b\[[0-9;]*m|\.? Raised from None", "", str(error))
    found: list[tuple[str, int | None, int]] = [
        (m[1] or m[3], int(m[2] or m[4]), m.end())
        for m in re.finditer(r'"([^"]+)", line (\d+)|(?:at|from) (\S+) \((\d+)\)', text)
    ]
    rules = [rule for rule in (name, *dir(cls)) if rule and not rule.startswith("__")]
    named: dict[FunctionType, str] = {}
    for rule in rules:
        function = rule_of(cls, rule)
        function = function.fget if isinstance(function, property) else function
        function = getattr(function, "__func__", function)
        if isinstance(function, FunctionType):
            named.setdefault(function, f"{cls.__qualname__}.{rule}")
    caller = f", which {cls.__qualname__}.{name} needs," if name else ""
    for helper in _reached(list(named)):
        named.setdefault(helper, f"{helper.__qualname__}{caller}")
    for function, called in named.items() if "cell variable encountered" in text else ():
        at = _recursion_line(function)
        if at is not None:
            return RuleError(f"{_place(called, function, at)}\n{_reason(text)}")
    for file, line, end in (*found, ("", None, len(text))):
        # If no line is mentioned, the rule is known only if it was compiled by itself.
        for function, called in named.items() if file or name else ():
            if line is None or _holds(function, file, line):
                reason = _reason(text[:end], function) or _reason(text, function) or _raw(text)
                return RuleError(f"{_place(called, function, line)}\n{reason}")
    return RuleError(f"{cls.__qualname__} cannot be compiled: {_reason(text) or _raw(text)}")


def _reached(functions: list[FunctionType]) -> list[FunctionType]:
    """Return the functions that others refer to, directly or not, including those of states they
    create."""
    seen: dict[Any, None] = dict.fromkeys(functions)
    left: list[Any] = list(functions)
    while left:
        value = uncached(left.pop())
        value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if isinstance(value, FunctionType) and not is_foreign(value):
            seen[value] = None
            news: list[Any] = [found.value for found in references(value)]
        elif isinstance(value, type) and attrs.has(value):
            news = [v for k, v in vars(value).items() if not k.startswith("__")]
        else:
            continue
        for part in map(uncached, news):
            if isinstance(part, (FunctionType, type, property, staticmethod)) and part not in seen:
                seen[part] = None
                left.append(part)
    return [f for f in seen if isinstance(f, FunctionType) and f not in functions]


def _recursion_line(function: FunctionType) -> int | None:
    """Return the line of an inner function that refers to itself or to a later one: Numba's message
    does not mention it."""
    inner = [c for c in function.__code__.co_consts if isinstance(c, CodeType) and c.co_freevars]
    try:
        if inner:
            run_frontend(function)
    except NotImplementedError:
        return min(c.co_firstlineno for c in inner)
    except Exception:  # another error
        return None
    return None


def _holds(function: FunctionType, file: str, line: int) -> bool:
    """Return whether a line that the message mentions lies in a function.  Files are compared by
    name, because a message may give the folder relative to any other one."""
    lines = [n for _, _, n in function.__code__.co_lines() if n is not None]
    own = Path(function.__code__.co_filename).name
    return Path(file).name == own and min(lines) <= line <= max(lines)


def _reason(text: str, function: FunctionType | None = None) -> str:
    own = re.findall(r"⟦([^⟧]*)⟧", text)
    if own:
        return str(own[-1])
    *_, untyped = None, *re.finditer(r"Untyped global name '(\w+)'", text)
    if untyped and function is not None:
        known = {found.name: found.value for found in references(function)} | vars(builtins)
        if untyped[1] in known:
            return _unfit(untyped[1], known[untyped[1]])
    for line in text.splitlines():
        if re.search(OURS, line):
            return re.sub(r"^\W*(?:\w+\.)*\w+Error: ", "", line.strip())
    if "none" in text and re.search(r"[Uu]nify|Optional|none", text) and "unify" in text.lower():
        return "returns None on some path: return the same type on every path"
    for pattern, advice in ADVICE:
        *_, match = None, *re.finditer(pattern, text)  # the innermost comes last
        if match:
            return advice.format(*(in_plain_words(g) for g in match.groups() if g))
    return ""


def _raw(text: str) -> str:
    """Return the first line of a Numba error that has no advice."""
    skip = ("Failed", "During", "-", "There are", "File")
    lines = [k.strip() for k in text.splitlines() if k.strip() and not k.strip().startswith(skip)]
    return in_plain_words(lines[0] if lines else text) + CHOICES


def _unfit(name: str, value: Any) -> str:
    """Describe why rules cannot read a value of a module."""
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return unfit(name, value)
    if isinstance(value, str):
        return f"{name} is text, which cannot be compiled: use numbers"
    if type(value) is int:
        return f"{name} is {value}, which needs more than 64 bits: use a smaller number or U64"
    advice = INSTEAD.get(name)
    return f"{name} cannot be compiled" + (f": {advice}" if advice else "")


OURS = r" is declared |cannot be part of a state|compiled rules cannot|is not a plain arg"
"""What our own messages contain where Numba passes them on."""
CHOICES = "\n(compiled rules may use numbers, U64, tuples, states, and functions of these)"
