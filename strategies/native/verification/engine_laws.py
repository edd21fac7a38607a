"""The laws of games that need the engines, for `games.laws.check_laws`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Any, TypeVar

from games import CHANCE, WIN, Game
from games.answers import answers
from games.failed import RuleFailed
from games.game import WIN_PLIES, NoEstimate
from games.laws import Broken, Law, law_of_states
from games.laws.law import a_player_moves
from games.laws.of_play import defines
from games.laws.rules import Hung, Raised, TooLong, ask, in_play, within_limit
from games.networks.learned import is_learned
from games.networks.learned import plain as without_network
from graphs.errors import ArgumentError
from strategies.native.calls.deepening import search_deepening
from strategies.native.calls.maxn import search_maxn
from strategies.native.calls.solver import Contradiction, Solver, Unprovable
from strategies.native.engine import Engine, Searched
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stop
from strategies.native.memory.transposition_table import Table
from strategies.native.verification.parity import Disagreement, checked, compare_rules

T = TypeVar("T")

DEPTH = 2
"""The plies of the searches that are compared: enough to call every rule."""

COMPILED = ("status", "player", "moves", "outcomes", "make_move", "estimate", "utility")
"""The rules on which both engines are compared."""

NEAR_THE_END = 9
"""Positions that end in fewer plies are searched to the end."""
POSITIONS = 5_000
"""The most positions of a search to the end, because the law is tested very often."""


def _not_native(game: Game[Any, Any]) -> str:
    try:
        return engine_for(game).reason
    except Exception:  # `start` is a rule of the user's, and the law itself reports it
        return ""


@law_of_states(unless=_not_native)
def engines_agree(game: Game[Any, Any], state: Any) -> None:
    """As machine code, rules return what they return interpreted: no int leaves 64 bits, and value,
    line, nodes and leaves of a search are the same on both engines."""
    _stays_in_64_bits(game, state)
    search = Engine.search if game.players < 3 else search_maxn
    interpreted = engine_for(game, "interpreted")
    try:
        wanted = _in_time(game, state, lambda: search(interpreted, state, DEPTH))
    except RuleFailed:  # the law `rules_answer` reports it
        return
    try:
        got: Any = search(engine_for(game, "native"), state, DEPTH)
    except RuleFailed as error:
        got = error
    if wanted != got:
        broken = Broken(f"{wanted} (interpreted)", f"{got} (machine code)")
        broken.more = partial(_guilty_rule, game, state)
        raise broken


def _in_time(game: Game[Any, Any], state: Any, find: Callable[[], T]) -> T:
    """Return the result of interpreted rules within `DEPTH` plies, if each rule keeps the time
    limit.

    Raises: `Hung`, with the moves to the position where a rule does not.
    """
    try:
        return within_limit(find, ("a search", (state,)))
    except TooLong:  # one rule takes too long, or all together, which is allowed
        _ask_all(game, state, DEPTH)
        return find()


def _ask_all(game: Game[Any, Any], state: Any, depth: int) -> None:
    """Call the rules of a position, and of the positions up to `depth` plies later.

    Raises: `Hung`, with the moves from the first position.
    """
    with suppress(Raised, NoEstimate):  # the law `rules_answer` reports a rule that raises
        if not in_play(game, state):
            ask(game, "utility", state)
            return
        ask(game, "estimate", state)
    if depth == 0:
        return
    with suppress(Raised):
        moves = () if ask(game, "player", state) == CHANCE else ask(game, "moves", state)
        for move in moves:
            child = ask(game, "make_move", state, move)
            try:
                _ask_all(game, child, depth - 1)
            except Hung as hung:
                hung.then = (move, *hung.then)
                hung.more = hung.more or partial("; the position is {!r}".format, child)
                raise


def _stays_in_64_bits(game: Game[Any, Any], state: Any) -> None:
    """Call the rules with ints that refuse to leave 64 bits.

    Raises: `Broken` with the rule that overflows.
    """
    results = _in_time(game, state, lambda: answers(checked(game), checked(state), COMPILED))
    for rule, answer in results.items():
        if answer.text.startswith("OverflowError: "):
            raise Broken(f"{rule} to stay in 64 bits, as machine code does", answer.text)


def _guilty_rule(game: Game[Any, Any], state: Any) -> str:
    """Name the first rule that differs in machine code, within `DEPTH` plies."""
    engine, twin = engine_for(game, "native"), checked(game)
    for near in _within(engine_for(game, "interpreted"), state, DEPTH):
        try:
            compare_rules(engine, twin, near)
        except Disagreement as error:
            return f"; {error}"
        except RuleFailed:
            continue
    return ""


def _within(engine: Engine, state: Any, depth: int) -> Iterator[Any]:
    """Yield a position and those up to `depth` plies later."""
    yield state
    if depth > 0:
        with suppress(IndexError, RuleFailed, StopIteration, ValueError):
            for index in range(engine.perft(state, 1)):
                yield from _within(engine, engine.branch(state, index), depth - 1)


HOOKS = ("key", "bounds", "window_bounds", "candidates", "promise")
"""The hooks that must not change a value."""


def _no_hooks(game: Game[Any, Any]) -> str:
    if game.players > 2:
        return "the game has more than two players"
    return "" if any(defines(game, h) for h in HOOKS) else f"the game defines no {', '.join(HOOKS)}"


@law_of_states(a_player_moves, _no_hooks)
def hooks_change_no_value(game: Game[Any, Any], state: Any) -> None:
    """A search helped by `key` and `promise`, and near the end a proof helped by bounds and
    `candidates` too, finds the value and the move of a search of all moves in order."""
    try:
        _helped(engine_for(game), state)
    except Broken as broken:
        broken.more = partial(_guilty_hooks, game, state)
        raise


def _guilty_hooks(game: Game[Any, Any], state: Any) -> str:
    """Name the hooks without which the value is right."""
    defined = [hook for hook in HOOKS if defines(game, hook)]
    guilty = [hook for hook in defined if _right_without(game, hook, state)]
    return f"; without {' or without '.join(guilty)} the value is right" if guilty else ""


def _right_without(game: Game[Any, Any], hook: str, state: Any) -> bool:
    """Return whether a search of the game without one hook finds the right value; it cannot without
    a key, if no table can hash the states themselves."""
    cls = type(game)
    twin = copy(game)
    lacking = type(cls.__name__, (cls,), {hook: None, "__slots__": ()})
    object.__setattr__(twin, "__class__", lacking)
    try:
        _helped(Engine(twin, "interpreted"), state)
    except (Broken, ArgumentError):
        return False
    return True


def _helped(engine: Engine, state: Any) -> None:
    """Compare searches with hooks to one without.

    Raises: `Broken` where they differ.
    """
    try:
        wanted = engine.search(state, DEPTH + 1)
        helped = search_deepening(engine, Table("16kB"), state, DEPTH + 1)
        _compare(wanted, helped.value, helped.line[:1])
        depth = _plies_to_go(engine, state)
        if depth is None:
            return
        wanted = engine.search(state, depth)
        solver = Solver(engine, Table("16kB"), Stop())
        proved = solver.value(state)
        more = depth - WIN_PLIES  # a search counts a win by the plies that it has left
        value = proved + more if proved >= WIN else proved - more if proved <= -WIN else proved
        _compare(wanted, value, solver.best_line(state, proved)[:1])
    except Contradiction:
        wanted_move = "a move with the value of its position"
        raise Broken(wanted_move, "a hook contradicts the rules") from None
    except (RuleFailed, Unprovable):  # another law reports it; or chance moves later
        return


def _plies_to_go(engine: Engine, state: Any) -> int | None:
    """Return in how many plies from a position every play ends; None if that is far, or the tree
    large."""
    positions = 0
    for depth in range(NEAR_THE_END):
        row = engine.perft(state, depth)
        if row == 0:
            return depth
        positions += row
        if positions > (POSITIONS if engine.native else POSITIONS // 5):
            return None
    return None


def _compare(wanted: Searched, value: float, line: tuple[int, ...]) -> None:
    if (wanted.value, wanted.line[:1]) != (value, line):
        plain = f"value {wanted.value} by branch {wanted.line[:1]} (all moves in order)"
        raise Broken(plain, f"value {value} by branch {line} (with the hooks)")


def _not_learned(game: Game[Any, Any]) -> str:
    return "" if is_learned(game) else "no estimate is learned: see --estimate, with_estimate"


@law_of_states(a_player_moves, _not_learned)
def learning_changes_no_proven_result(game: Game[Any, Any], state: Any) -> None:
    """A search by a learned estimate finds the same wins as one by the game's own estimate, no
    other ones, and near the end the same value."""
    engine, own = engine_for(game), engine_for(without_network(game))
    try:
        depths = [*range(1, DEPTH + 1), _plies_to_go(own, state)]
        for depth in (d for d in depths if d):
            wanted, got = (each.search(state, depth).value for each in (own, engine))
            proven = depth == depths[-1] or max(abs(wanted), abs(got)) >= WIN
            if proven and wanted != got:
                raise Broken(
                    f"value {wanted}, proven in {depth} plies", f"{got} by the learned estimate"
                )
    except RuleFailed:  # another law reports it
        return


LAWS: tuple[Law, ...] = (engines_agree, hooks_change_no_value, learning_changes_no_proven_result)
"""The laws that this package adds."""
