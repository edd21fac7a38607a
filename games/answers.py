"""The results of a game's rules in a position, as plain data that two processes can compare.

Run as a program, it returns results to the law kit from a fresh process with other hashes.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from typing import Any, NamedTuple

from games.fields import record_fields
from games.game import CHANCE, WIN, Game, Status

OF_PLAY = ("status", "player", "moves", "outcomes", "make_move")
OF_VALUES = ("estimate", "utility")
OF_TEXTS = ("show", "label", "move_text")
OPTIONAL = (
    "key", "bounds", "candidates", "candidate_bounds", "children", "count_moves", "learned_promise",
    "moves_in_play", "near_end", "nth_move", "prior", "promise", "rollout_moves", "window_bounds",
)  # fmt: skip
"""The optional rules of a game."""
RULES = (*OF_PLAY, *OF_VALUES, *OF_TEXTS, *OPTIONAL)

_MOST = 1000
"""The most elements read of an answer, because a generator may be endless."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


class Answer(NamedTuple):
    """The answer of a rule, as plain data to compare and as text to print."""

    plain: Any
    text: str


def answers(game: Game[Any, Any], state: Any, rules: Iterable[str] = RULES) -> dict[str, Answer]:
    """Return the answers of these rules in a position, by the rule and, if any, its move.

    Rules that may not be called there, and those that the game lacks, are left out; an error counts
    as an answer.

    >>> from games import HANDOUT_SMALL
    >>> answers(HANDOUT_SMALL, HANDOUT_SMALL.start(), ["player", "moves"])["moves"].plain
    (0, 1, 2)
    """
    found: dict[str, Answer] = {}
    try:
        playing = game.status(state) == Status.IN_PLAY
        chance = playing and game.player(state) == CHANCE
        moves = tuple(islice(game.moves(state), _MOST)) if playing and not chance else ()
    except Exception as error:
        return {"status, player or moves": _error(error)}
    for rule in rules:
        if getattr(game, rule, None) is None or not _may_be_asked(rule, playing, chance):
            continue
        if rule in ("make_move", "move_text", "prior"):
            for move in moves:
                found[f"{rule}({move!r})"] = _answer(game, rule, state, move)
        elif rule == "nth_move":
            for n in range(len(moves)):
                found[f"{rule}({n})"] = _answer(game, rule, state, n)
        elif rule == "window_bounds":
            for low in (-WIN, -1, 0):
                found[f"{rule}({low})"] = _answer(game, rule, state, float(low), low + 1.0)
        else:
            found[rule] = _answer(game, rule, state)
            if getattr(type(game), rule) is getattr(Game, rule, None) and rule in OF_TEXTS:
                # Not the game's own: the repr of the position, in which sets have any order.
                found[rule] = found[rule]._replace(plain=plain(state))
    return found


def _may_be_asked(rule: str, playing: bool, chance: bool) -> bool:
    if rule in ("status", "player", "show", "label", "key", "bounds", "candidate_bounds"):
        return True
    if rule == "utility":
        return not playing
    if rule == "outcomes":
        return chance
    return playing and (rule == "estimate" or not chance)


def _answer(game: Game[Any, Any], rule: str, *args: Any) -> Answer:
    try:
        said = getattr(game, rule)(*args)
        if hasattr(said, "__next__"):
            said = tuple(islice(said, _MOST))
    except Exception as error:
        return _error(error)
    return Answer(plain(said), repr(said))


def _error(error: Exception) -> Answer:
    text = _ADDRESS.sub("0x…", f"{type(error).__name__}: {error}")
    return Answer(text, text)


def plain(value: Any) -> Any:
    """Return a value as numbers, texts and tuples, the same for equal values in every process.

    >>> plain({"b": {2, 1}, "a": None})
    ('dict', (("'a'", None), ("'b'", ('set', ('1', '2')))))
    """
    match value:
        case None | str() | bytes():
            return value
        case Enum():
            return value.name
        case int() | float():
            return "nan" if value != value else value + 0
        case tuple() | list():
            return tuple(map(plain, value))
        case set() | frozenset():
            return "set", tuple(sorted(repr(plain(each)) for each in value))
        case Mapping():
            return "dict", tuple(sorted((repr(plain(k)), plain(v)) for k, v in value.items()))
    if (fields := record_fields(value)) is not None:
        parts = (plain(getattr(value, name)) for name, compared in fields if compared)
        return type(value).__qualname__, *parts
    if hasattr(value, "tolist"):  # an array
        return plain(value.tolist())
    if hasattr(value, "__dict__") and " object at 0x" in repr(value):
        return type(value).__qualname__, plain(vars(value))
    return _ADDRESS.sub("0x…", repr(value))


# In a fresh process -------------------------------------------------------------------------------


def main() -> None:
    """Answer for the game and the positions that the standard input has."""
    files, asked = pickle.load(sys.stdin.buffer)
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # output of rules must not mix with the answers
    for name, file in files.items():
        _load(name, file)
    game, states = pickle.loads(asked)
    said = [answers(game, pickle.loads(state)) for state in states]
    out.write(pickle.dumps((answers_at_start(game), said)))
    out.flush()


def answers_at_start(game: Game[Any, Any]) -> Answer:
    """Return the first position, as an answer."""
    return _answer(game, "start")


def _load(name: str, file: str) -> None:
    """Import a module, from its file if it is not found by its name."""
    try:
        import_module(name)
    except ImportError:
        spec = spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
