"""Compares both engines on the same positions: every rule, and searches."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import attrs

from games.failed import RuleFailed
from games.game import CHANCE, Game
from games.u64 import U64
from graphs.arguments import check_integers
from strategies.native.calls.maxn import search_maxn
from strategies.native.engine import Engine
from strategies.native.failures import failure_below, raise_failure
from strategies.native.hooks import number_of
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import HAS_CHANCE, IN_PLAY, kernel
from strategies.native.kernels.fixed_depth import branch
from strategies.rules.language.messages import RuleError

POSITIONS_SEARCHED = 2_000
"""The most positions of the searches that are compared: interpreted searches are slow."""


class Disagreement(AssertionError):
    """The two engines returned different results for the same rule and position."""


@kernel
def facts(game: Game[Any, Any], state: Any) -> tuple[int, int, int]:
    """Return the status, the player (0 where the game is over) and the number of branches."""
    status = game.status(state)
    if status != IN_PLAY:
        return status, 0, 0
    count = 0
    player = game.player(state)
    if HAS_CHANCE:  # noqa: SIM102
        if player == CHANCE:
            for _ in game.outcomes(state):
                count += 1
            return status, player, count
    for _ in game.moves(state):
        count += 1
    return status, player, count


@kernel
def estimate(game: Game[Any, Any], state: Any) -> float:
    """Estimate a position in play."""
    return game.estimate(state)


@kernel
def utility(game: Game[Any, Any], state: Any) -> float:
    """Return the utility of a finished position."""
    return game.utility(state)


@kernel
def nth_move(game: Game[Any, Any], state: Any, index: int) -> Any:
    """Return the move of branch `index`, and its number for move ordering."""
    left = index
    for move in game.moves(state):
        if left == 0:
            return move, number_of(game, move, index)
        left -= 1
    raise IndexError("no such move")


@kernel
def nth_chance(game: Game[Any, Any], state: Any, index: int) -> float:
    """Return the probability of outcome `index`."""
    if HAS_CHANCE:
        for probability, _ in game.outcomes(state):
            if index == 0:
                return probability
            index -= 1
    raise IndexError("no such outcome")


def parity(game: Game[Any, Any], playouts: int = 20, seed: int = 0, max_plies: int = 200) -> int:
    """Compare both engines on positions of random plays, by every rule and by searches; count them.

    Requires: `playouts` and `max_plies` are whole numbers, 0 or more.
    Ensures: the interpreted rules run on ints that refuse to leave 64 bits.
    Raises: `Disagreement`, with the position; `RuleError` if the rules cannot be compiled;
    `RuleFailed` if a rule fails on both engines, so that there is nothing to compare.

    >>> from games import HANDOUT_BIG
    >>> parity(HANDOUT_BIG, playouts=2) > 0
    True
    """
    check_integers(0, playouts=playouts, max_plies=max_plies)
    check_integers(seed=seed)
    engine = engine_for(game, "native").warm()
    slow = Engine(game, "interpreted")
    twin = checked(game)
    random = Random(seed)
    compared = 0
    for _ in range(playouts):
        state = game.start()
        try:
            for _ in range(max_plies):
                count = compare_rules(engine, twin, state)
                compared += 1
                _compare_searches(engine, slow, state, 3 if compared < 20 else 1)
                if count == 0:
                    break
                state = engine.branch(state, random.randrange(count))
            number, state = random.getrandbits(60), game.start()
            ends = [e.playout(state, number, max_plies) for e in (engine, slow)]
        except (Disagreement, RuleError):
            raise
        except Exception as error:
            if "64 bits" in str(error):
                raise Disagreement(f"an int leaves 64 bits: {error}") from error
            raise_failure(failure_below(game, state, error), error)
        _same("a playout", state, *ends)
    return compared


def compare_rules(engine: Engine, twin: Any, state: Any) -> int:
    """Compare all rules at a position; return the number of its branches.

    Requires: `twin` is the game of the engine, `checked`.
    Raises: `Disagreement`, with the rule and the position.
    """

    def both(kernel: Callable[..., Any], *args: int) -> Any:
        rule = RULES_OF.get(kernel.__name__, kernel.__name__)
        try:
            slow = _outcome(lambda: kernel(twin, checked(state), *args))
            fast = _outcome(lambda: engine.call(kernel, state, *args))
        except Disagreement as error:  # an int leaves 64 bits
            raise Disagreement(f"{rule} of {state!r}: {error}") from error
        return _same(rule, state, fast, slow)

    status, player, count = both(facts)
    both(estimate if status == IN_PLAY else utility)
    for index in range(count):
        both(nth_chance if player == CHANCE else nth_move, index)
        both(branch, index)
    return int(count)


RULES_OF = {
    "facts": "status, player and the number of moves",
    "nth_move": "moves",
    "nth_chance": "outcomes",
    "branch": "make_move or outcomes",
}
"""The rules that a kernel calls, if it is not named after a single rule."""


def _compare_searches(engine: Engine, slow: Engine, state: Any, depth: int) -> None:
    while depth > 0 and engine.perft(state, depth) > POSITIONS_SEARCHED:
        depth -= 1
    if engine.game.players > 2:
        several = [_outcome(partial(search_maxn, e, state, depth)) for e in (engine, slow)]
        _same(f"a search of {depth} plies", state, *several)
        return
    for narrow in (True, False):
        runs = [_outcome(partial(e.search, state, depth, narrow=narrow)) for e in (engine, slow)]
        _same(f"a search of {depth} plies", state, *runs)


def _outcome(run: Callable[[], Any]) -> Any:
    """Return the result of a call, or the class of the error that it raises."""
    try:
        return run()
    except OverflowError as error:
        raise Disagreement(f"an int leaves 64 bits: {error}") from error
    except RuleError:
        raise
    except RuleFailed as error:
        return type(error.__cause__)
    except Exception as error:
        return type(error)


def _same(what: str, state: Any, fast: Any, slow: Any) -> Any:
    if fast != slow:
        raise Disagreement(f"{what} of {state!r}: compiled {fast!r}, interpreted {slow!r}")
    return fast


LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class CheckedInt(int):
    """An int whose arithmetic raises OverflowError where 64 bits would not hold the result.

    >>> CheckedInt(2**62) + 1
    4611686018427387905
    >>> 3 << CheckedInt(2)
    12
    >>> CheckedInt(2**62) * 2
    Traceback (most recent call last):
    ...
    OverflowError: 4611686018427387904 mul 2 does not fit into 64 bits: use U64 or smaller numbers
    """

    __slots__ = ()


def _checked(name: str, reflected: bool = False) -> Callable[..., Any]:
    operation = getattr(int, f"__r{name}__" if reflected else f"__{name}__")

    def apply(self: int, *others: Any) -> Any:
        if others and isinstance(others[0], U64):
            return NotImplemented  # the operator of U64 applies: it wraps
        first, *more = (*others, self) if reflected else (self, *others)
        if name in ("lshift", "rshift") and int(more[0]) > 63:
            raise OverflowError(f"a shift by {int(more[0])} is beyond 64 bits: use U64")
        result = operation(self, *others)
        if type(result) not in (int, CheckedInt):
            return result
        if not LOWEST <= result <= HIGHEST:
            text = " ".join([f"{int(first)} {name}", *(str(int(other)) for other in more)])
            raise OverflowError(f"{text} does not fit into 64 bits: use U64 or smaller numbers")
        return CheckedInt(result)

    return apply


_ONE = ("neg", "invert", "abs")
_TWO = ("add", "sub", "mul", "and", "or", "xor", "lshift", "rshift", "floordiv", "mod", "pow")
for _name in (*_ONE, *_TWO):
    setattr(CheckedInt, f"__{_name}__", _checked(_name))
for _name in _TWO:
    setattr(CheckedInt, f"__r{_name}__", _checked(_name, reflected=True))


def checked(value: Any) -> Any:
    """Replace the ints in a record or tuple, at any depth, by checked ones.

    >>> type(checked((1, (2,)))[1][0]).__name__
    'CheckedInt'
    """
    if type(value) is int:
        return CheckedInt(value)
    if type(value) is tuple:
        return tuple(map(checked, value))
    if attrs.has(type(value)):
        twin = copy.copy(value)
        for field in attrs.fields(type(value)):
            object.__setattr__(twin, field.name, checked(getattr(value, field.name)))
        return twin
    return value
