"""Finds where a rule failed, by going the same way again with Python and watching every rule."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from numbers import Integral
from typing import Any

from attrs import frozen

from games.game import CHANCE, LONGEST, WIN, Game, Status
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.native.errors import RuleFailed
from strategies.native.hooks import defines
from strategies.native.kernels.control import POLLED, ROWS

Path = tuple[str, ...]
MOST = 20_000
"""So many positions at most are looked at for a value that is no number."""


def failure(
    game: Game[Any, Any], state: Any, depth: int, control: Any, error: Exception, rows: int = ROWS
) -> Exception:
    """Finds the `RuleFailed` behind an error of a search; gives the error if no rule is to blame.

    Requires: `control` as the search left it, whose triangle of lines begins at the cell `rows`.
    Ensures: at most the last plies are searched again, whatever the depth.
    """
    watched = Watched(game, type(state))
    path: Path = ()
    try:
        while depth >= POLLED:
            branches = watched.branches(state, depth, path)
            index = control[rows + depth * (depth + 1) // 2]
            branch = next(islice(branches, index, None), None)
            if branch is None:
                return error
            path, state = (*path, branch[0]), branch[1]
            depth -= 1
        _visit(watched, state, depth, path)
    except RuleFailed as found:
        return found
    return error


def stuck(
    game: Game[Any, Any], state: Any, depth: int, control: Any, rows: int = ROWS
) -> Exception:
    """Finds what is wrong where a search met a position in play that has no moves."""
    unknown = ValueError("a position in play has no moves")
    return failure(game, state, depth, control, unknown, rows)


def failure_at(game: Game[Any, Any], state: Any, error: Exception) -> Exception:
    """Finds the `RuleFailed` behind an error of the rules at one position, or gives the error."""
    if isinstance(error, RuleFailed):
        return error
    kind = type(game.start())
    if isinstance(state, Game) or type(state).__module__ != kind.__module__:
        # Not by its class alone, as a game may have states of several.
        return ArgumentError(
            f"a state of {type(game).__name__} is a {kind.__name__}, as game.parse_state(…) reads "
            f"one, not {shown(state)}"
        )
    try:
        _visit(Watched(game, type(state)), state, 1, ())
    except RuleFailed as found:
        return found
    return error


def check_value(game: Game[Any, Any], state: Any, depth: int, value: Any) -> None:
    """Looks for a value that is no number, if a search came out with none or with infinity.

    Raises: as `check_numbers`.
    """
    if not isinstance(value, tuple) and not abs(value) <= WIN + LONGEST:
        check_numbers(game, state, depth)


def check_numbers(game: Game[Any, Any], state: Any, depth: int) -> None:
    """Looks for a value that is no number, where a search came out with none.

    Raises: `RuleFailed`, which tells the rule and the moves, if the first positions have one.
    """
    left: list[tuple[Path, Any, int]] = [((), state, depth)]
    watched = Watched(game, type(state))
    for _ in range(MOST):
        if not left:
            return
        path, position, plies = left.pop()
        for text, child in watched.branches(position, plies, path):
            left.append(((*path, text), child, plies - 1))


def _visit(watched: Watched, state: Any, depth: int, path: Path) -> None:
    for text, child in watched.branches(state, depth, path):
        _visit(watched, child, depth - 1, (*path, text))


@frozen
class Watched:
    """Calls the rules of a game one at a time: an error or wrong result is a `RuleFailed`."""

    game: Game[Any, Any]
    state_class: type

    def branches(self, state: Any, depth: int, path: Path) -> Iterator[tuple[str, Any]]:
        """Yields the branches of a node with their texts; none at a leaf, which is evaluated."""
        if self._int("status", state, path) != Status.IN_PLAY:
            self._number("utility", state, path)
        elif depth == 0:
            self._number("estimate", state, path)
        elif self._int("player", state, path) == CHANCE:
            for index, pair in enumerate(self._each("outcomes", state, path)):
                if not (isinstance(pair, tuple) and len(pair) == 2):
                    raise _wrong("outcomes", path, state, pair, "(probability, state)")
                self._state("outcomes", pair[1], state, path)
                yield f"outcome {index}", pair[1]
        elif defines(self.game, "children"):
            for move, child in self._some("children", state, path):
                self._state("children", child, state, path)
                yield self._text(state, move), child
        else:
            for move in self._some("moves", state, path):
                yield self._text(state, move), self._child(state, move, path)

    def _call(self, rule: str, state: Any, path: Path, *args: Any) -> Any:
        try:
            return getattr(self.game, rule)(state, *args)
        except Exception as error:
            name = rule + "".join(f" {self._text(state, move)}" for move in args)
            raise RuleFailed(name, path, state, _said(error)) from error

    def _each(self, rule: str, state: Any, path: Path) -> Iterator[Any]:
        try:
            yield from getattr(self.game, rule)(state)
        except RuleFailed:
            raise
        except Exception as error:
            raise RuleFailed(rule, path, state, _said(error)) from error

    def _some(self, rule: str, state: Any, path: Path) -> Iterator[Any]:
        none = True
        for found in self._each(rule, state, path):
            none = False
            yield found
        if none:
            said = f"it gave none, but status says {self.game.status(state)!r}"
            raise RuleFailed(rule, path, state, said)

    def _child(self, state: Any, move: Any, path: Path) -> Any:
        child = self._call("make_move", state, path, move)
        self._state("make_move", child, state, path)
        return child

    def _state(self, rule: str, found: Any, state: Any, path: Path) -> None:
        if type(found) is not self.state_class:
            raise _wrong(rule, path, state, found, f"a {self.state_class.__name__}")

    def _int(self, rule: str, state: Any, path: Path) -> int:
        found = self._call(rule, state, path)
        if not isinstance(found, int):
            raise _wrong(rule, path, state, found, "an int")
        return found

    def _number(self, rule: str, state: Any, path: Path) -> None:
        found, many = self._call(rule, state, path), self.game.players
        if many > 2:
            tuples = isinstance(found, tuple) and len(found) == many
            if not tuples or not all(isinstance(part, (int, float, Integral)) for part in found):
                raise _wrong(rule, path, state, found, f"a tuple of {many} numbers, one a player")
        elif not isinstance(found, (int, float, Integral)) or found != found:
            raise _wrong(rule, path, state, found, "a number")

    def _text(self, state: Any, move: Any) -> str:
        try:
            return self.game.move_text(state, move)
        except Exception:  # a text is not worth a second failure
            return repr(move)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _wrong(rule: str, path: Path, state: Any, found: Any, wanted: str) -> RuleFailed:
    return RuleFailed(rule, path, state, f"it gave {found!r}, not {wanted}")
