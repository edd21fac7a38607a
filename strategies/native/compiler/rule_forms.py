"""The forms in which kernels call rules: functions that are compiled together with a game's rules.

The rules of a problem of local search read and write a row of cells.

A kernel wants a status as an int, a value as a number of one type, and a hash of a position. Here
these are made of what the rules return.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from functools import cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType
from typing import Any

from attrs import evolve
from llvmlite import ir

from games.game import CHANCE, MAXIE, Game, Status, has_chance
from games.u64 import U64
from strategies.native.hashing import (
    BYTES,
    GOLDEN,
    NOTHING,
    SET,
    absorb,
    class_word,
    float_word,
    key_word,
    mix,
    opened,
    text_word,
    token,
    upper_word,
)
from strategies.native.hooks import BOUNDS, NUMBERS, defines, number_of
from strategies.rules.builtins.caching import can_be_copied, copied
from strategies.rules.builtins.declared import function
from strategies.rules.calls.invoking import call_function
from strategies.rules.code.coercion import as_text, spread
from strategies.rules.code.program import Program
from strategies.rules.code.val import Arguments, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.entries import Declared, Entries, found
from strategies.rules.kinds.kind import (
    BOOL,
    FLOAT,
    I64,
    INT,
    NEVER,
    NONE,
    STR,
    TEXT,
    WORD,
    Boxed,
    Either,
    Kind,
    Member,
    Record,
    Row,
    Scalar,
    Static,
    Tup,
)
from strategies.rules.kinds.parts import alternatives, can_change, in_memory, parts
from strategies.rules.kinds.record_classes import compared
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import source_of
from strategies.rules.language.text_numbers import letters_word
from strategies.rules.values import texts

TEXT_WORD = "jam.text_word"
GENERATING = "moves", "moves_in_play", "candidates", "rollout_moves"
"""The rules that generate moves."""
VALUES = "estimate", "utility", "promise", "learned_promise"
"""The rules that value a position."""
TAKES = {"prior": ("state", "move"), "window_bounds": ("state", "real", "real")}
"""What rules take that return a number or two; the others take the state."""
WHOLE = {
    "status": "a Status",
    "player": "an int",
    "count_moves": "an int",
    "key": "a 64-bit integer",
}
"""The rules that return whole numbers, and how a message names these."""
NEEDED = "start", "status", "player", "moves", "make_move"
"""The rules that every game defines."""

PROBLEM = {
    "load": (),
    "change": ("number", "number"),
    "assign": ("number", "number"),
    "conflicts": ("number",),
}
"""The rules of a problem, and what they take besides the cells."""


def forms(game: Any) -> dict[str, Declared]:
    """Return the functions to be compiled for a game, before the kinds of its values are known."""
    if not isinstance(game, Game):
        return {n: _method(game, n, ("cells", *more)) for n, more in PROBLEM.items()}
    for name in NEEDED:
        if getattr(type(game), name) is getattr(Game, name):
            cls = type(game).__qualname__
            raise Refusal(f"{cls} does not define {name}, which every game needs")
    made = {
        "moves": _generating(game, "moves"),
        "make_move": _method(game, "make_move", ("state", "move"), "state"),
        "status": Declared(_calling("game.status(state)"), ("state",)),
        "player": Declared(_calling("game.player(state)"), ("state",)),
        "estimate": Declared(_calling("game.estimate(state)"), ("state",)),
        "utility": Declared(_calling("game.utility(state)"), ("state",)),
    }
    if has_chance(type(game)):
        made["outcomes"] = evolve(_generating(game, "outcomes", "state", 1), wrong=_no_outcome)
    return made


def hooks_of(game: Any) -> dict[str, Declared]:
    """Return the optional rules that a game has, to be compiled with the others."""
    if not isinstance(game, Game):
        return {}
    made = {h: _generating(game, h) for h in GENERATING[1:] if defines(game, h)}
    if defines(game, "children"):
        made["children"] = _generating(game, "children", "state", 1)
    if defines(game, "nth_move"):
        made["nth_move"] = _method(game, "nth_move", ("state", "number"), "move")
    made |= {
        name: _method(game, name, takes) for name, takes in TAKES.items() if defines(game, name)
    }
    if defines(game, "net_revise"):
        made["net_revise"] = _method(game, "net_revise", ("state", "real", "real"))
        made["net_prefetch"] = _method(game, "net_prefetch", ("state",))
    if defines(game, "learned_promise") and defines(game, "net_sum"):
        made["learned_promise"] = Declared(_calling("game.learned_promise(state)"), ("state",))
    if defines(game, "measure"):
        made["measure"] = _method(game, "measure", ("state",), "measured")
        made["combine"] = _method(game, "combine", ("measured",) * 2, "measured")
    for name in ("count_moves", "near_end", "promise", "key", "bounds", "candidate_bounds"):
        if defines(game, name):
            made[name] = Declared(_calling(f"game.{name}(state)"), ("state",))
    return made


def finished(entries: Entries) -> dict[str, Declared]:
    """Return the functions whose form depends on the kinds that were found."""
    made: dict[str, Declared] = {}
    game: Any = entries.about
    if not isinstance(game, Game):
        return made
    for name in ("state", "move"):
        kind = entries.kinds.get(name, NEVER)
        if can_change(kind):
            raise Refusal(
                f"a {name} of {type(game).__qualname__} is a {kind}, which rules could change: let "
                "it hold tuples and frozensets in the place of lists, sets and dicts"
            )
    cls = type(game).__qualname__
    if entries.kinds.get("move", NEVER) is NEVER:
        raise _nothing(entries, "moves")
    kind = entries.kinds.get("measured", NEVER)
    if in_memory(kind):
        raise Refusal(
            f"{cls}.measure returns {kind}: machine code folds numbers, and tuples and records of "
            "them whose length is fixed, as (1, state.depth)"
        )
    if "outcomes" in entries.instances:
        kind = found(entries.instances["outcomes"])
        if not isinstance(kind, Tup):
            raise _nothing(entries, "outcomes")
        if kind.items[0] not in (INT, FLOAT, BOOL):
            text = "for p, after in game.outcomes(state):;    yield float(p), after"
            made["outcomes"] = Declared(_written(text), ("state",), "state", 1)
    for name in (*WHOLE, *VALUES, *BOUNDS, "prior"):
        if name not in entries.instances:
            continue
        chance = "outcomes" in entries.instances
        made[name] = _declared(game, name, found(entries.instances[name]), chance)
    if "key" not in entries.instances:
        made["digest"] = Declared(_calling("absorb(GOLDEN, state)"), ("state",))
    if in_memory(entries.kinds["state"]) and can_be_copied(entries.kinds["state"]):
        made["copied"] = Declared(_calling("copied(state)"), ("state",), "state")
    move = entries.kinds.get("move", NEVER)
    if _has_hash(move):
        made["identity"] = Declared(_calling("absorb(GOLDEN, state)"), ("move",))
    if move not in (NEVER, INT, BOOL, WORD):
        text = "return number_of(game, move, number)"
        made["number"] = Declared(_written(text, "move, number"), ("move", "number"))
    return made


def _nothing(entries: Entries, name: str) -> Refusal:
    """Return the refusal of a rule that yields nothing; it names a place that always fails."""
    told = f"{type(entries.about).__qualname__}.{name} yields nothing"
    refusal: Refusal | None = entries.instances[name].failure()
    if refusal is None:
        return Refusal(told)
    refusal.reason += f"; so {told}"
    return refusal


def _declared(game: Any, name: str, kind: Kind, chance: bool) -> Declared:
    """Return the form of a rule that returns this kind, in a game with chance or without."""
    takes = TAKES.get(name, ("state",))
    given = _named(takes)
    call = f"game.{name}({given})"
    if wrong := _wrong(name, kind):
        raise Refusal(f"{type(game).__qualname__}.{name} returns {kind}, not {wrong}")
    if name in BOUNDS:
        low, high = _pair(kind) or (FLOAT, FLOAT)  # it always raises
        ends = f"{_number(low, 'low')}, {_number(high, 'high')}"
        text = f"low, high = {call}; return ({ends})"
    elif name == "key":
        text = f"return U64({call})"
    elif name in WHOLE:
        numbers = _range_of(name, game.players, chance)
        text = _inside(f"int({call})", numbers)
    elif _is_row(kind):
        names = [f"value{i}" for i in range(game.players)]
        text = f"{', '.join(names)}, = {call}; return ({', '.join(f'float({n})' for n in names)},)"
    else:
        text = f"return {_number(kind, call)}"
    return Declared(_written(text, given), takes)


def _range_of(name: str, players: int, chance: bool) -> range | None:
    """Return the numbers that a rule may return, if not all; a game without `outcomes` has no
    chance."""
    if name == "status":
        return range(len(Status))
    if name == "player":
        return range(CHANCE if chance else MAXIE, players)
    return None


def _inside(call: str, numbers: range | None) -> str:
    """Return the text that returns a number, and raises an error if it is none of `numbers`."""
    if numbers is None:
        return f"return {call}"
    outside = (
        f"if not {numbers.start} <= found < {numbers.stop}:;    raise ValueError('wrong number')"
    )
    return f"found = {call}; {outside}; return found"


def _wrong(name: str, kind: Kind) -> str:
    """Return what a rule returns that does not return this kind; empty if it may."""
    if kind is NEVER:
        return ""
    if name in WHOLE:
        truth = name == "status" and any(_is_truth(k) for k in alternatives(kind))
        return "" if _whole(kind, WORD) and not truth else WHOLE[name]
    if name in BOUNDS:
        pair = _pair(kind)
        return "" if len(pair) == 2 and all(map(_is_number, pair)) else "a tuple of two numbers"
    if name == "prior":
        return "" if _is_number(kind) else "a number"
    found = (Tup, Row)
    items = (i for k in alternatives(kind) for i in (parts(k) if isinstance(k, found) else (k,)))
    return "" if all(map(_is_number, items)) else "a number or a tuple of numbers"


def _pair(kind: Kind) -> list[Kind]:
    """Return the kinds of the two parts of a pair; others, or none, if it is no pair."""
    if isinstance(kind, Row) or (isinstance(kind, Boxed) and kind.name == "list"):
        return [*parts(kind), *parts(kind)]
    return list(kind.items) if isinstance(kind, Tup) else []


def _no_outcome(kind: Kind) -> str:
    """Return what pairs outcomes yield in place of a probability and a state."""
    if not isinstance(kind, Tup) or not kind.items or _is_number(kind.items[0]):
        return ""
    return f"{kind}, not a probability and a state"


def _is_number(kind: Kind) -> bool:
    """Return whether all values of a kind are numbers."""
    return all(
        k in (INT, BOOL, FLOAT, WORD)
        or isinstance(k, Scalar)
        or (isinstance(k, Member) and issubclass(k.of, int | float))
        for k in alternatives(kind)
    )


def _is_row(kind: Kind) -> bool:
    return any(isinstance(k, Tup | Row) for k in alternatives(kind))


def _whole(kind: Kind, *more: Kind) -> bool:
    """Whether values of a kind are ints, or of more kinds."""
    return all(
        k in (INT, BOOL, *more)
        or (isinstance(k, Scalar) and k.plain in (INT, BOOL))
        or (isinstance(k, Member) and issubclass(k.of, int))
        for k in alternatives(kind)
    )


def _is_truth(kind: Kind) -> bool:
    """Return whether values of a kind are True or False."""
    return kind == BOOL or (isinstance(kind, Scalar) and kind.plain == BOOL)


def _number(kind: Kind, call: str) -> str:
    return f"int({call})" if _whole(kind) else f"float({call})"


# Functions


def _method(game: Any, name: str, takes: tuple[str, ...], adds: str = "") -> Declared:
    """Return the form of a rule: itself, or a function that calls it, if it is no method of just
    what it takes."""
    rule = getattr(type(game), name)
    if isinstance(rule, FunctionType):
        code = rule.__code__
        more = code.co_kwonlyargcount or code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
        if not more and code.co_argcount == 1 + len(takes):
            return Declared(rule, takes, adds)
    given = _named(takes)
    return Declared(_written(f"return game.{name}({given})", given), takes, adds)


def _named(takes: tuple[str, ...]) -> str:
    """Return parameters called after their kinds: ``state, real1, real2``."""
    return ", ".join(f"{k}{i}" if takes.count(k) > 1 else k for i, k in enumerate(takes))


def _generating(game: Any, name: str, adds: str = "move", place: int | None = None) -> Declared:
    rule = getattr(type(game), name)
    plain = isinstance(rule, FunctionType) and rule.__code__.co_flags & 0x20  # a generator
    made = rule if plain else _written(f"yield from game.{name}(state)")
    return Declared(made, ("state",), adds, place)


def _calling(text: str) -> FunctionType:
    return _written(f"return {text}")


@cache
def _written(text: str, given: str = "state") -> FunctionType:
    """Return a function of a game and a position, of which this is the text."""
    whole = f"def rule(game, {given}):\n    {text.replace('; ', chr(10) + '    ')}\n"
    name = f"<rule {len(linecache.cache)} of kernels>"
    linecache.cache[name] = len(whole), None, whole.splitlines(keepends=True), name
    names = {
        "absorb": absorb,
        "copied": copied,
        "GOLDEN": GOLDEN,
        "number_of": number_of,
        "U64": U64,
    }
    scope: dict[str, Any] = names | {"__name__": __name__}
    exec(compile(whole, name, "exec"), scope)
    made: FunctionType = scope["rule"]
    source_of(made)  # reads the text now: others may clear the cache of lines
    return made


# The hash of a position


def _absorb_row(word: U64, row: Any) -> U64:
    word = opened(word, U64(len(row)))
    for part in row:
        word = absorb(word, part)
    return word


def _absorb_set(word: U64, found: Any) -> U64:
    return token(word, SET + sum(mix(absorb(GOLDEN, part)) for part in found))


def _int_word(number: int) -> U64:
    return U64(number)


def _member_word(member: U64, of: U64) -> U64:
    return of + member


def define_text_words(program: Program) -> None:
    """Define the function that maps the number of a text to a word, if the hash needs it."""
    function = program.module.globals.get(TEXT_WORD)
    if function is None:
        return
    function.linkage = "internal"
    b, number = ir.IRBuilder(function.append_basic_block()), function.args[0]
    words = [text_word(text) for text in program.texts]
    start = program.constants.row(words, WORD).constant[0]
    with b.if_then(b.icmp_unsigned("<", number, c64(len(words)))):
        b.ret(b.load(b.gep(start, [number], source_etype=I64, inbounds=True), typ=I64))
    b.ret(number)  # of a text that no rule names


def _has_hash(kind: Kind) -> bool:
    """Return whether `absorb` is compiled for all values of a kind."""
    known = (INT, BOOL, WORD, FLOAT, NONE, STR, TEXT)
    return kind is not NEVER and all(
        k in known
        or isinstance(k, Member)
        or (isinstance(k, Static) and isinstance(k.value, bytes))
        or (isinstance(k, Tup | Row | Boxed) and all(map(_has_hash, parts(k))))
        or (isinstance(k, Record) and all(_has_hash(k.kinds[i]) for i in compared(k)))
        for k in alternatives(kind)
    )


@function(absorb, "word, value")
def _absorb(w: Walk, node: ast.AST, word: Val, a: Val) -> Val:
    """Compile `hashing.absorb` for a value of a known kind."""
    a = as_text(w, a)
    k = a.kind
    if k is NEVER:
        return a
    if isinstance(k, Either):
        return spread(w, a, lambda one: _absorb(w, node, word, one))
    if isinstance(k, Row):
        return _calls(w, _absorb_row, word, a)
    if isinstance(k, Boxed) and k.name == "frozenset":
        return _calls(w, _absorb_set, word, a)
    if not isinstance(k, Tup | Record):
        return _calls(w, token, word, _bits(w, a))
    kinds = k.items if isinstance(k, Tup) else tuple(k.kinds)
    tag, places = U64(len(kinds)), list(range(len(kinds)))
    if isinstance(k, Record) and not issubclass(k.of, tuple):
        tag, places = class_word(k.of), compared(k)
    word = _calls(w, opened, word, _word(tag))
    for i in places:
        part = Val(kinds[i], w.part(a.v, i) if w.emitting else w.undef(kinds[i]))
        word = _absorb(w, node, word, part)
    return word


@function(number_of, "game, move, index")
def _number_of(w: Walk, node: ast.AST, game: Val, move: Val, index: Val) -> Val:
    """Compile `hooks.number_of` for a move of a known kind."""
    if isinstance(move.kind, Either):
        return spread(w, move, lambda one: _number_of(w, node, game, one, index))
    if move.kind is not FLOAT and _whole(move.kind, WORD):
        return _calls(w, _residue, move)
    hashed = _has_hash(move.kind)
    return _calls(w, _residue, _absorb(w, node, _word(GOLDEN), move) if hashed else index)


def _residue(number: Any) -> int:
    return int(number % NUMBERS)


@function(key_word, "key")
def _key_word(w: Walk, node: ast.AST, key: Val) -> Val:
    """Compile `hashing.key_word`: a number of machine code has 64 bits."""
    return _calls(w, _int_word, key)


def _bits(w: Walk, a: Val) -> Val:
    """Return the token of a value that is one."""
    k = a.kind
    if k is FLOAT:
        return _calls(w, float_word, a, Val(WORD, w.b.bitcast(a.v, I64)))
    if k is WORD:
        return _calls(w, upper_word, a)
    if k in (INT, BOOL) or (isinstance(k, Member) and issubclass(k.of, int)):
        return _calls(w, _int_word, a)
    if k is NONE:
        return _word(NOTHING)
    if isinstance(k, Static) and isinstance(k.value, bytes):
        return _word(BYTES + letters_word(k.value))
    if isinstance(k, Member):
        return _calls(w, _member_word, Val(WORD, a.v), _word(class_word(k.of)))
    if k is STR:
        return Val(WORD, w.intrinsic(TEXT_WORD, I64, [a.v]))
    if k is TEXT:
        return texts.word(w, a)
    raise Refusal(
        f"a transposition table hashes what a state holds, and a {k} has no hash: define "
        "key(state) in the game, which returns a 64-bit integer for each state"
    )


def _calls(w: Walk, rule: Callable[..., Any], *given: Val) -> Val:
    return call_function(w, rule, Arguments(list(given), {}))  # type: ignore[arg-type]


def _word(word: U64) -> Val:
    """Return a constant that is not known as such, so that functions are not compiled for it."""
    return Val(WORD, c64(int(word)))
