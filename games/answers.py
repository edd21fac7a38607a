"""The results of a game's rules in a position, as plain data that two processes can compare.

Run as a program, it returns results to the law kit from a fresh process with other hashes.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
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

_ELEMENTS_READ = 1000
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
    try:
        playing = game.status(state) == Status.IN_PLAY
        chance = playing and game.player(state) == CHANCE
        moves = tuple(islice(game.moves(state), _ELEMENTS_READ)) if playing and not chance else ()
    except (Exception, SystemExit) as error:
        return {"status, player or moves": _error(error)}
    found: dict[str, Answer] = {}
    for rule, args in calls(game, rules, playing, chance, moves):
        name = f"{rule}({args[0]!r})" if args else rule
        found[name] = _answer(game, rule, state, *args)
        if getattr(type(game), rule) is getattr(Game, rule, None) and rule in OF_TEXTS and not args:
            # Not the game's own: the repr of the position, in which sets have any order.
            found[name] = found[name]._replace(plain=plain(state))
    return found


def calls(
    game: Game[Any, Any], rules: Iterable[str], playing: bool, chance: bool, moves: Iterable[Any]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield each of the rules that a game has and that may be called in a position, with its
    arguments after the state: once for each of the moves, and for several windows.
    """
    for rule in rules:
        if getattr(game, rule, None) is None or not _may_be_asked(rule, playing, chance):
            continue
        if rule in ("make_move", "move_text", "prior"):
            yield from ((rule, (move,)) for move in moves)
        elif rule == "nth_move":
            yield from ((rule, (n,)) for n, _ in enumerate(moves))
        elif rule == "window_bounds":
            yield from ((rule, (float(low), low + 1.0)) for low in (-WIN, -1, 0))
        else:
            yield rule, ()


def _may_be_asked(rule: str, playing: bool, chance: bool) -> bool:
    if rule in ("status", "player", "show", "label", "key", "bounds", "candidate_bounds"):
        return True
    if rule in ("promise", "learned_promise", "near_end"):  # of what a move leads to
        return not chance
    if rule == "utility":
        return not playing
    if rule == "outcomes":
        return chance
    return playing and (rule == "estimate" or not chance)


def _answer(game: Game[Any, Any], rule: str, *args: Any) -> Answer:
    try:
        said = getattr(game, rule)(*args)
        if hasattr(said, "__next__"):
            said = tuple(islice(said, _ELEMENTS_READ))
    except (Exception, SystemExit) as error:
        return _error(error)
    return Answer(plain(said), repr(said))


def _error(error: BaseException) -> Answer:
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
        case int() | float():  # also a member of an IntEnum, which equals its number
            return "nan" if value != value else value + 0
        case Enum():
            return value.name
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
