"""Finds the rule that failed in a search: repeats the way in Python and checks every rule on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from numbers import Integral
from random import Random
from typing import Any, NoReturn

from attrs import frozen

from games.failed import (
    NUMBER,
    RuleFailed,
    StateTooLarge,
    TooLarge,
    no_moves,
    text_of,
    wanted_value,
    wrong_outcomes,
    wrong_player,
    wrong_status,
)
from games.game import CHANCE, WIN, WIN_PLIES, Game, Status, in_range
from games.u64 import U64
from graphs.arguments import is_finite, shown
from graphs.errors import ArgumentError, JamboreeError
from graphs.limits import ERRORS_CHECKED, NUMBERS_CHECKED
from strategies.native.hashing import GOLDEN
from strategies.native.hooks import defines
from strategies.native.kernels.control import ROWS, TRACED, Place, row_of
from strategies.native.kernels.fixed_depth import playout
from strategies.rules.language.messages import OTHER_INTS, TooWide

Path = tuple[str, ...]
HOOKS: dict[str, Any] = {
    "key": (Integral, "a 64-bit integer"),
    "near_end": (Integral, "True or False"),
    "measure": (object, "a value that the game's combine takes"),
}
"""What some hooks return; others return a number."""
PAIRS: dict[str, tuple[float, ...]] = {
    "bounds": (),
    "candidate_bounds": (),
    "window_bounds": (float(-WIN), float(WIN)),
}
"""The hooks that return bounds, and the window that each is asked for."""
UNKNOWN = ValueError("a position in play has no moves, or outcomes that do not sum to 1")
"""The error of a search that `STUCK` has stopped."""


def failure(
    game: Game[Any, Any], state: Any, depth: int, control: Any, error: Exception, rows: int = ROWS,
    place: Place = row_of,
) -> Exception:  # fmt: skip
    """Find the `RuleFailed` that explains an error of a search; return the error if no rule failed.

    Requires: `control` as the search left it, whose triangle of lines begins at the cell `rows`;
    `place` returns the cell that has the branch of a ply.
    Ensures: at most the last plies are searched again, whatever the depth.
    """
    if isinstance(error, RuleFailed | MemoryError):  # rules that take too much are not run again
        return error
    try:
        for hooks in False, True:
            _go_again(Watched(game, type(state), hooks), state, depth, control, rows, place)
    except RuleFailed as found:
        return found
    return _too_large(state, error) if isinstance(error, OverflowError) else error


def _too_large(state: Any, error: OverflowError) -> Exception:
    """Return the error for a number that needs more than 64 bits, of which Python has more."""
    if isinstance(error, TooWide) or "to convert" in str(error):  # by the code that reads the state
        return StateTooLarge(f"{state!r} holds a number that needs more than 64 bits: {OTHER_INTS}")
    return TooLarge("a rule", (), state, f"in machine code: {text_of(error)}: {OTHER_INTS}")


def _go_again(
    watched: Watched, state: Any, depth: int, control: Any, rows: int, place: Place
) -> None:
    """Follow the branches that a search left in its control, and check all rules below the last
    one."""
    path: Path = ()
    while depth >= TRACED:
        branches = watched.branches(state, depth, path)
        index = max(0, control[place(rows, depth)])  # -1 before the first
        branch = next(islice(branches, index, None), None)
        if branch is None:
            return
        path, state = (*path, branch[0]), branch[1]
        depth -= 1
    _visit(watched, state, depth, path)


def stuck_after(game: Game[Any, Any], path: Path, state: Any) -> Exception:
    """Return the error of a play that met a position in play without moves: `state`, after
    `path`."""
    try:
        list(Watched(game, type(state)).branches(state, WIN_PLIES, path))
    except RuleFailed as found:
        return found
    return RuleFailed("moves", path, state, "it returned none in a later position in play")


def played(game: Game[Any, Any], state: Any, branches: Iterable[int]) -> tuple[Path, Any]:
    """Return the texts of the branches of a play, and the position after them."""
    watched, texts = Watched(game, type(state)), list[str]()
    for index in branches:
        row = watched.branches(state, WIN_PLIES, tuple(texts))
        text, state = next(islice(row, index, None))
        texts.append(text)
    return tuple(texts), state


def stuck_playout(game: Game[Any, Any], state: Any, seed: int, plies: int) -> Exception:
    """Return the error of `Engine.playout` that met a position in play without moves."""
    watched, path = Watched(game, type(state)), list[str]()
    for ply in range(plies):
        word = int(U64(seed) + GOLDEN * U64(ply))  # of a playout that draws the same
        child, _ = playout(game, state, word, 1)
        branches = watched.branches(state, WIN_PLIES, tuple(path))
        path.append(next(text for text, reached in branches if reached == child))
        state = child
    return stuck_after(game, tuple(path), state)


def failure_under(
    game: Game[Any, Any], state: Any, depth: int, error: Exception,
    count: Callable[[Any, int], object],
) -> Exception:  # fmt: skip
    """Find the `RuleFailed` that explains an error of `count`, which visits all positions to a
    depth."""
    if isinstance(error, MemoryError):
        return error
    try:
        for hooks in False, True:
            watched = Watched(game, type(state), hooks, with_estimates=False)
            last = _last_failing(watched, state, depth, count)
    except RuleFailed as found:
        return found
    return _too_large(last, error) if isinstance(error, OverflowError) else error


def _last_failing(
    watched: Watched, state: Any, depth: int, count: Callable[[Any, int], object]
) -> Any:
    """Go down as long as `count` fails below a branch; return the last position."""
    path: Path = ()
    while True:
        for text, child in watched.branches(state, depth, path):
            try:
                count(child, depth - 1)
            except Exception:
                path, state, depth = (*path, text), child, depth - 1
                break
        else:
            return state


def failure_at(
    game: Game[Any, Any], state: Any, error: Exception, *, estimates: bool = True
) -> Exception:
    """Find the `RuleFailed` that explains an error at one position, or return the error.

    Without `estimates`, the search that failed calls none.
    """
    if isinstance(error, RuleFailed | MemoryError):
        return error
    if wrong := no_state_of(game, state):
        return wrong
    try:
        for hooks in False, True:
            _visit(Watched(game, type(state), hooks, estimates), state, 1, ())
    except RuleFailed as found:
        return found
    return error


def no_state_of(game: Game[Any, Any], state: Any) -> ArgumentError | None:
    """Return the error of an argument that is no state of a game; None if it may be one.

    Its class alone does not decide, because a game may have states of several classes.
    """
    kind = type(game.start())
    if type(state).__module__ == kind.__module__ and not isinstance(state, Game):
        return None
    if _is_position(game, state):
        return None
    return ArgumentError(
        f"a state of {type(game).__name__} is of class {kind.__name__}, like the result of "
        f"game.parse_state(…), not {shown(state)}"
    )


def _is_position(game: Game[Any, Any], found: Any) -> bool:
    """Return whether `status`, the first rule to read a position, can read a value."""
    try:
        game.status(found)
    except (AttributeError, LookupError, TypeError):
        return False
    except Exception:  # it can, and is to blame
        return True
    return found is not None


def raise_failure(found: Exception, error: Exception) -> NoReturn:
    """Raise the failure that was found for an error, with the error as its cause if it is another.

    Nothing is its own cause: Dask would follow the causes for ever.
    """
    if found is error:
        raise error
    raise found from error


def check_value(game: Game[Any, Any], state: Any, depth: int, value: Any) -> None:
    """Look for a rule that returned a value other than a number, if a search did, or infinity.

    Raises: as `check_numbers`.
    """
    if not isinstance(value, tuple) and not in_range(value):
        check_numbers(game, state, depth)


def check_numbers(game: Game[Any, Any], state: Any, depth: int, *, estimates: bool = True) -> None:
    """Look for a rule that returned a value other than a number, or out of range.

    Raises: `RuleFailed` with the rule and the moves, if it is among the first positions.
    """
    _visit_first(Watched(game, type(state), with_estimates=estimates), state, depth)


def failure_below(
    game: Game[Any, Any], state: Any, error: Exception, *, estimates: bool = True
) -> Exception:
    """Find the `RuleFailed` that explains an error whose position is unknown: in the first
    positions of the tree, or in random plays.

    Ensures: a `RuleFailed` of no rule in particular, if none of them has it.
    Cost: at most `ERRORS_CHECKED` positions each, twice.
    """
    found = failure_at(game, state, error, estimates=estimates)
    if isinstance(found, JamboreeError):
        return found
    try:
        for hooks in False, True:
            watched = Watched(game, type(state), hooks)
            _visit_first(watched, state, WIN_PLIES, ERRORS_CHECKED)
            _play_at_random(watched, state)
    except RuleFailed as failed:
        return failed
    if isinstance(error, OverflowError):
        return _too_large(state, error)
    return RuleFailed("a rule", (), state, f"in a position below it: {text_of(error)}")


def _visit_first(watched: Watched, state: Any, depth: int, most: int = NUMBERS_CHECKED) -> None:
    left: list[tuple[Path, Any, int]] = [((), state, depth)]
    for _ in range(most):
        if not left:
            return
        path, position, plies = left.pop()
        for text, child in watched.branches(position, plies, path):
            left.append(((*path, text), child, plies - 1))


def _play_at_random(watched: Watched, state: Any) -> None:
    path: Path = ()
    random, position = Random(0), state
    for _ in range(ERRORS_CHECKED):
        branches = list(watched.branches(position, WIN_PLIES - len(path), path))
        if not branches:
            path, position = (), state
            continue
        text, position = random.choice(branches)
        path = (*path, text)


def _visit(watched: Watched, state: Any, depth: int, path: Path) -> None:
    for text, child in watched.branches(state, depth, path):
        _visit(watched, child, depth - 1, (*path, text))


@frozen
class Watched:
    """Calls the rules of a game one at a time, and raises `RuleFailed` for an error or a wrong
    result."""

    game: Game[Any, Any]
    state_class: type
    with_hooks: bool = False
    """Whether hooks are called too; not every search calls them."""
    with_estimates: bool = True

    def branches(self, state: Any, depth: int, path: Path) -> Iterator[tuple[str, Any]]:
        """Yield the branches of a node with their texts; a leaf has none and is evaluated."""
        if self.with_hooks:
            self.call_hooks(state, path)
        if self._status(state, path) != Status.IN_PLAY:
            self._number("utility", state, path)
        elif depth == 0 and not self.with_estimates:
            return
        elif depth == 0:
            self._number("estimate", state, path)
        elif self._player(state, path) == CHANCE:
            yield from self._outcomes(state, path)
        elif defines(self.game, "children"):
            for pair in self._some("children", state, path):
                if not (isinstance(pair, tuple) and len(pair) == 2):
                    raise _wrong("children", path, state, pair, "(move, state)")
                self._state("children", pair[1], state, path)
                yield self._text(state, pair[0]), pair[1]
        else:
            moves = "moves_in_play" if defines(self.game, "moves_in_play") else "moves"
            for move in self._some(moves, state, path):
                yield self._text(state, move), self._child(state, move, path)

    def _outcomes(self, state: Any, path: Path) -> Iterator[tuple[str, Any]]:
        pairs = list(self._some("outcomes", state, path))
        if why := wrong_outcomes(pairs):
            raise RuleFailed("outcomes", path, state, why)
        for index, (_, child) in enumerate(pairs):
            self._state("outcomes", child, state, path)
            yield f"outcome {index}", child

    def call_hooks(self, state: Any, path: Path) -> None:
        """Call the hooks that a search may call at a position."""
        for rule in "key", "near_end", "promise", "learned_promise", "measure":
            if defines(self.game, rule):
                found = self._call(rule, state, path)
                kind, wanted = HOOKS.get(rule, (NUMBER, "a number"))
                if not isinstance(found, kind):
                    raise _wrong(rule, path, state, found, wanted)
        over = self._status(state, path) != Status.IN_PLAY
        if over or self._player(state, path) == CHANCE:
            return
        for rule, window in PAIRS.items():
            if defines(self.game, rule):
                found = self._call(rule, state, path, *window)
                pair = isinstance(found, (tuple, list)) and len(found) == 2
                if not pair or not all(isinstance(part, NUMBER) for part in found):
                    raise _wrong(rule, path, state, found, "a tuple of two numbers")
                if not found[0] <= found[1]:
                    raise _wrong(rule, path, state, found, "two numbers, the low one first")
        for rule in "candidates", "rollout_moves":
            if defines(self.game, rule):
                list(self._some(rule, state, path))
        if defines(self.game, "prior"):
            for move in self.game.moves(state):
                found = self._call("prior", state, path, move)
                if not is_finite(found) or not 0 <= float(found) <= WIN:
                    raise _wrong("prior", path, state, found, "a number of 0 or more")

    def _call(self, rule: str, state: Any, path: Path, *args: Any) -> Any:
        try:
            return getattr(self.game, rule)(state, *args)
        except Exception as error:
            moves = () if rule in PAIRS else args
            name = rule + "".join(f" {self._text(state, move)}" for move in moves)
            raise RuleFailed(name, path, state, text_of(error)) from error

    def _each(self, rule: str, state: Any, path: Path) -> Iterator[Any]:
        found = self._call(rule, state, path)
        if not isinstance(found, Iterable):
            raise _wrong(rule, path, state, found, "a generator or another iterable")
        try:
            yield from found
        except RuleFailed:
            raise
        except Exception as error:
            raise RuleFailed(rule, path, state, text_of(error)) from error

    def _some(self, rule: str, state: Any, path: Path) -> Iterator[Any]:
        none = True
        for found in self._each(rule, state, path):
            none = False
            yield found
        if none:
            raise no_moves(self.game, state, path, rule)

    def _child(self, state: Any, move: Any, path: Path) -> Any:
        child = self._call("make_move", state, path, move)
        self._state("make_move", child, state, path)
        return child

    def _state(self, rule: str, found: Any, state: Any, path: Path) -> None:
        if type(found) is not self.state_class and not _is_position(self.game, found):
            raise _wrong(rule, path, state, found, f"a {self.state_class.__name__}")

    def _status(self, state: Any, path: Path) -> Any:
        found = self._call("status", state, path)
        if why := wrong_status(found):
            raise RuleFailed("status", path, state, why)
        return found

    def _player(self, state: Any, path: Path) -> Any:
        found = self._call("player", state, path)
        if why := wrong_player(self.game, found):
            raise RuleFailed("player", path, state, why)
        return found

    def _number(self, rule: str, state: Any, path: Path) -> None:
        found = self._call(rule, state, path)
        if wanted := wanted_value(self.game, found):
            raise _wrong(rule, path, state, found, wanted)

    def _text(self, state: Any, move: Any) -> str:
        try:
            return self.game.move_text(state, move)
        except Exception:  # the text is not worth a second error
            return repr(move)


def _wrong(rule: str, path: Path, state: Any, found: Any, wanted: str) -> RuleFailed:
    return RuleFailed(rule, path, state, f"it returned {shown(found)}, not {wanted}")
