"""Games by name, as on the command line: ``connect_four(width=5,height=4)``."""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from attrs import frozen

from games.game import MAXIE, MINNIE, Game
from games.transforms.chance import with_chance
from games.transforms.repetition import with_repetition
from graphs.arguments import excerpt, repeated, shown
from graphs.errors import ArgumentError, MalformedError

PLAYERS = {"maxie": MAXIE, "minnie": MINNIE}


@frozen
class Entry:
    """An entry of the catalogue: a description, and the module and name of the game's maker."""

    about: str
    module: str
    maker: str

    def load(self) -> Any:
        """Import the game, or the function that makes it."""
        made = import_module(self.module)
        for name in self.maker.split("."):
            made = getattr(made, name)
        return made

    def parameters(self) -> dict[str, Parameter]:
        """Return the parameters that the game takes in parentheses."""
        made = self.load()
        return {} if isinstance(made, Game) else dict(signature(made).parameters)


CATALOGUE = {
    "tictactoe": Entry("three in a row on nine cells", "games.tictactoe", "TicTacToe"),
    "connect_four": Entry("four in a row, any small board", "games.connect_four", "ConnectFour"),
    "othello": Entry("turn discs, on 8, 6 or 4 rows", "games.othello", "Othello"),
    "twenty48": Entry("2048, one player against chance", "games.twenty48", "Twenty48"),
    "twenty48_features": Entry("2048 by weighed features", "games.twenty48", "Featured2048"),
    "twenty48_pessimistic": Entry(
        "the same, tiles in the worst cell", "games.twenty48", "Pessimistic2048"
    ),
    "nim": Entry("take from heaps, as nim:3-4-5", "games.nim", "Nim.of"),
    "pacman": Entry("one against several ghosts", "games.pacman", "Pacman.on"),
    "pig": Entry("roll or hold, a one loses the turn", "games.pig", "Pig.of"),
    "riskless": Entry("armies on a map, as riskless:islands", "games.riskless", "Riskless.on"),
    "pursuit": Entry("run for a goal on a grid", "games.pursuit", "Pursuit"),
    "pursuit_line": Entry("run for a goal on a line", "games.pursuit", "Pursuit.line"),
    "chess": Entry("chess, by python-chess", "games.adapters.chess", "Chess"),
    "chess960": Entry(
        "the start of a number, as chess960:518", "games.adapters.chess", "Chess.numbered"
    ),
    "openspiel": Entry(
        "a game of OpenSpiel, as openspiel:hex(board_size=3)",
        "games.adapters.openspiel",
        "OpenSpiel.of",
    ),
    "handout_first": Entry("a tree of 7 nodes", "games.explicit", "HANDOUT_FIRST"),
    "handout_big": Entry("a tree of 4 plies", "games.explicit", "HANDOUT_BIG"),
    "handout_small": Entry("a tree of 2 plies", "games.explicit", "HANDOUT_SMALL"),
    "best_last": Entry("a tree: all sparks convert", "games.lessons", "BEST_LAST"),
    "best_first": Entry("a tree: the first prunes the rest", "games.lessons", "BEST_FIRST"),
    "late_spark": Entry("a tree: sparks fizzle", "games.lessons", "LATE_SPARK"),
    "stopped_short": Entry("a tree: a spark is aborted", "games.lessons", "STOPPED_SHORT"),
}
"""The games by name."""

ALSO_CALLED = {"2048": "twenty48", "reversi": "othello", "noughts_and_crosses": "tictactoe"}
"""Other names of games, for hints."""

SHAPE = re.compile(r"(?P<name>\w+)(?::(?P<first>[^()=,\s]+))?(?:\((?P<rest>[^()]*)\))?")


def find_game(text: str) -> Game[Any, Any]:
    """Return the game that a text names: ``name``, ``name:first`` or ``name(parameter=value,…)``.

    Every game takes the parameter `chance`, ``maxie`` or ``minnie``: that player moves at random.
    Every game of two takes `repetition`, as ``repetition=16``: a position that is one of the last
    so many of its play is a draw (`with_repetition`).
    Values are numbers, None, True, False or words; no code is evaluated.

    Raises: ValueError, which lists the known names or parameters.

    >>> find_game("connect_four(width=5, height=4)")
    ConnectFour(width=5, height=4, connect=4, pairs=0)
    >>> find_game("riskless:islands").map.target
    44
    >>> find_game("pursuit_line(chance=minnie)").player(find_game("pursuit").start())
    0
    """
    if not isinstance(text, str):
        raise ArgumentError(
            f"a game's name must be a text, such as 'connect_four(width=5)', not {shown(text)}"
        )
    shape = SHAPE.fullmatch(text.strip())
    if shape is None:
        raise MalformedError(
            f"{shown(text)} is not a game; write name, name:first or name(parameter=value,…)"
        )
    name, first, rest = shape["name"], shape["first"], shape["rest"] or ""
    if name not in CATALOGUE:
        joined = {key.replace("_", ""): key for key in CATALOGUE}  # ConnectFour is a class
        near = get_close_matches(name, CATALOGUE, 1, 0.8)
        meant = ALSO_CALLED.get(name.lower()) or joined.get(name.lower().replace("_", ""))
        meant = meant or (near[0] if near else "")
        hint = f"did you mean {meant}? " if meant else ""
        if first and not meant:
            hint = f"on the command line, a game in a file is {excerpt(name)}.py:{excerpt(first)}; "
        raise MalformedError(f"there is no game {shown(name)}; {hint}games: {' '.join(CATALOGUE)}")
    entry = CATALOGUE[name]
    known = [key for key, p in entry.parameters().items() if p.kind is not Parameter.VAR_KEYWORD]
    takes_more = len(known) < len(entry.parameters())
    pairs = [parse_argument(name, part) for part in rest.split(",") if part.strip()]
    if twice := repeated(key for key, _ in pairs):
        raise MalformedError(f"{name}: {excerpt(twice)} is given twice")
    given = dict(pairs)
    chance, plies = given.pop("chance", None), given.pop("repetition", None)
    wrong = [key for key in given if key not in known and not takes_more]
    if wrong or (first is not None and (not known or known[0] in given)):
        word = wrong[0] if wrong else first
        names = " ".join([*known, "chance", "repetition"])
        raise MalformedError(f"{name} takes no {shown(word)}; parameters: {names}")
    if first is not None:
        given[known[0]] = parse_value(first)
    for key, setting in given.items():
        default = entry.parameters()[key].default if key in known else setting
        if isinstance(default, str) and type(setting) is int:  # a text of digits alone, as nim:3
            given[key] = setting = str(setting)
        if setting is not None and type(setting) is not type(default):
            raise MalformedError(f"{name}: {key} must be like {default!r}, not {shown(setting)}")
    game = with_chance_player(chance, make_game(name, entry, given))
    return game if plies is None else with_repetition(game, plies)


def make_game(name: str, entry: Entry, given: dict[str, Any]) -> Game[Any, Any]:
    """Return the game of an entry with the given parameters."""
    maker = entry.load()
    if isinstance(maker, Game):
        return maker
    try:
        game: Game[Any, Any] = maker(**given)
    except (TypeError, ValueError) as error:
        raise MalformedError(f"{name}: {error}") from None
    return game


def with_chance_player(chance: Any, game: Game[Any, Any]) -> Game[Any, Any]:
    """Return the game in which chance moves for the player of this name; unchanged for None."""
    if chance is None:
        return game
    if chance not in PLAYERS:
        raise MalformedError(f"chance must be {' or '.join(PLAYERS)}, not {shown(chance)}")
    return with_chance(game, PLAYERS[chance])


def parse_argument(name: str, part: str) -> tuple[str, Any]:
    """Read ``parameter=value``."""
    key, equals, text = part.partition("=")
    if not equals or not key.strip() or not text.strip():
        raise MalformedError(f"{name}: {shown(part.strip())} is not parameter=value")
    return key.strip(), parse_value(text.strip())


def parse_value(text: str) -> Any:
    """Read a number, None, True or False; else returns the text itself.

    >>> parse_value("7"), parse_value("0.5"), parse_value("None"), parse_value("islands")
    (7, 0.5, None, 'islands')
    """
    words = {"None": None, "True": True, "False": False}
    if text in words:
        return words[text]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
