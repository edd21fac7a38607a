"""Hooks in compiled code: resolved by the types of game and state, so that absent hooks are free.

Also the conversion of floats to words, and windows of ints, which searches need.

Hooks of trees that are no games are resolved alike.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import register_jitable

from games.game import SEARCH_PLIES, WIN, Status, win_in
from games.u64 import U64
from strategies.native import hashing, hooks, tree_hooks
from strategies.native.compiler.parts import OPTIONS, PART, instruction, overload
from strategies.native.compiler.rule_calls import mark, move_number, release, swap
from strategies.native.compiler.rule_types import BranchesType, RulesType, ValueType
from strategies.native.compiler.u64_type import word
from strategies.native.memory import floats

INLINED = register_jitable(**PART, **OPTIONS)
IN_PLAY, WON = int(Status.IN_PLAY), float(win_in(0))
FAR = 2.0**62
NEXT = float(win_in(1))
LARGEST_UTILITY = WIN + SEARCH_PLIES


def has_hook(game: RulesType, hook: str) -> bool:
    return game.shape.has(hook)


# Floats as words ------------------------------------------------------------------------------


@instruction(floats.bits_of)
def _bits_of(typing: Any, x: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return word(types.float64), build


@instruction(floats.float_of)
def _float_of(typing: Any, bits: Any) -> Any:
    if bits != word:
        return None

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(word), build


# Hooks ----------------------------------------------------------------------------------------

_mix = INLINED(hashing.mix)
_checked_weight = INLINED(hooks.checked_weight)


@overload(hooks.hash_of, **OPTIONS)
def _hash_of(game: Any, state: Any) -> Any:
    if has_hook(game, "key"):
        return lambda game, state: _mix(U64(game.key(state)))
    return lambda game, state: game.digest(state)


@instruction(hooks.kept)
def _kept(typing: Any, generated: Any) -> Any:
    found = generated.kept() if isinstance(generated, BranchesType) else generated

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return found(generated), build


@instruction(hooks.memory_mark)
def _memory_mark(typing: Any, game: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return mark(builder, game.shape, args[0])

    return types.int64(game), build


@instruction(hooks.memory_release)
def _memory_release(typing: Any, game: Any, mark: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        release(builder, game.shape, args[0], args[1])
        return context.get_dummy_value()

    return types.void(game, mark), build


@instruction(hooks.memory_swap)
def _memory_swap(typing: Any, game: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        swap(builder, game.shape, args[0])
        return context.get_dummy_value()

    return types.void(game), build


@overload(hooks.copies_states, **OPTIONS)
def _copies_states(game: Any) -> Any:
    copies = "copied" in game.shape.rule
    return lambda game: copies


@overload(hooks.copied_state, **OPTIONS)
def _copied_state(game: Any, state: Any) -> Any:
    if "copied" in game.shape.rule:
        return lambda game, state: game.copied(state)
    return lambda game, state: state


@overload(hooks.promise_of, **OPTIONS)
def _promise_of(game: Any, child: Any) -> Any:
    if has_hook(game, "promise"):
        return lambda game, child: float(game.promise(child))
    return lambda game, child: 0.0


@overload(hooks.prior_of, **OPTIONS)
def _prior_of(game: Any, state: Any, move: Any) -> Any:
    if has_hook(game, "prior"):
        return lambda game, state, move: _checked_weight(float(game.prior(state, move)))
    return lambda game, state, move: 1.0


@overload(hooks.identity_of, **OPTIONS)
def _identity_of(game: Any, move: Any) -> Any:
    return lambda game, move: game.identity(move)


@overload(hooks.rank_of, **OPTIONS)
def _rank_of(game: Any, child: Any) -> Any:
    if has_hook(game, "promise"):
        return lambda game, child: _ordinal(game.promise(child))
    return lambda game, child: 0


@overload(hooks.proof_rank_of, **OPTIONS)
def _proof_rank_of(game: Any, child: Any) -> Any:
    if has_hook(game, "learned_promise") and has_hook(game, "net_sum"):
        return lambda game, child: _ordinal(game.learned_promise(child))
    if has_hook(game, "promise"):
        return lambda game, child: _ordinal(game.promise(child))
    return lambda game, child: 0


def _ordinal(number: Any) -> Any:
    """Return an int in the order of the numbers, never the least int; compiled code only."""
    raise NotImplementedError


@overload(_ordinal, **OPTIONS)
def _overload_ordinal(number: Any) -> Any:
    if not isinstance(number, types.Float):
        return lambda number: max(int(number), -hooks.MAGNITUDE)

    def ordinal(number: Any) -> Any:
        bits = int(floats.bits_of(number + 0.0))
        return bits if bits >= 0 else bits ^ hooks.MAGNITUDE

    return ordinal


def constant(game: RulesType, value: bool) -> Any:
    """Return an instruction that is a constant."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, value)

    return types.boolean(game), build


@instruction(hooks.has_promise)
def _has_promise(typing: Any, game: Any) -> Any:
    return constant(game, has_hook(game, "promise"))


def _calling(typing: Any, rule: str, game: Any, *given: Any) -> Any:
    """Return an instruction that calls a rule."""
    bound = typing.resolve_getattr(game, rule)
    full = typing.resolve_function_type(bound, given, {})

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        own = isinstance(bound, types.BoundFunction)
        return context.get_function(bound, full)(builder, args if own else args[1:])

    return full and (full.return_type(game, *given), build)


@instruction(hooks.moves_of)
def _moves_of(typing: Any, game: Any, state: Any) -> Any:
    rule = "moves_in_play" if has_hook(game, "moves_in_play") else "moves"
    return _calling(typing, rule, game, state)


@instruction(hooks.branches_of)
def _branches_of(typing: Any, game: Any, state: Any) -> Any:
    if has_hook(game, "children"):
        return _calling(typing, "children", game, state)
    return _moves_of(typing, game, state)


@instruction(hooks.child_of)
def _child_of(typing: Any, game: Any, state: Any, branch: Any) -> Any:
    if not has_hook(game, "children"):
        return _calling(typing, "make_move", game, state, branch)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.extract_value(args[2], 1)

    return branch.types[1](game, state, branch), build


@overload(hooks.count_of, **OPTIONS)
def _count_of(game: Any, state: Any) -> Any:
    if _can_count(game):
        return lambda game, state: game.count_moves(state)

    def count_of(game: Any, state: Any) -> int:
        count = 0
        for _ in hooks.moves_of(game, state):
            count += 1
        return count

    return count_of


@overload(hooks.nth_of, **OPTIONS)
def _nth_of(game: Any, state: Any, n: Any) -> Any:
    if _can_count(game):
        return lambda game, state, n: game.nth_move(state, n)

    def nth_of(game: Any, state: Any, n: int) -> Any:
        for move in hooks.moves_of(game, state):
            if n == 0:
                return move
            n -= 1
        raise ValueError("a position has fewer moves than were counted")

    return nth_of


@overload(hooks.drawn_count_of, **OPTIONS)
def _drawn_count_of(game: Any, state: Any, guided: Any) -> Any:
    if not has_hook(game, "rollout_moves"):
        return lambda game, state, guided: hooks.count_of(game, state)

    def drawn_count_of(game: Any, state: Any, guided: bool) -> int:
        if not guided:
            return hooks.count_of(game, state)
        count = 0
        for _ in game.rollout_moves(state):
            count += 1
        return count

    return drawn_count_of


@overload(hooks.drawn_of, **OPTIONS)
def _drawn_of(game: Any, state: Any, n: Any, guided: Any) -> Any:
    if not has_hook(game, "rollout_moves"):
        return lambda game, state, n, guided: hooks.nth_of(game, state, n)

    def drawn_of(game: Any, state: Any, n: int, guided: bool) -> Any:
        if not guided:
            return hooks.nth_of(game, state, n)
        for move in game.rollout_moves(state):
            if n == 0:
                return move
            n -= 1
        raise ValueError("a position has fewer moves than were counted")

    return drawn_of


def _can_count(game: RulesType) -> bool:
    return has_hook(game, "count_moves") and has_hook(game, "nth_move")


@instruction(hooks.candidates_of)
def _candidates_of(typing: Any, game: Any, state: Any) -> Any:
    if has_hook(game, "candidates"):
        return _calling(typing, "candidates", game, state)
    return _moves_of(typing, game, state)


@instruction(hooks.window_of)
def _window_of(typing: Any, game: Any, state: Any, alpha: Any, beta: Any) -> Any:
    """Convert a window to ints if possible, which saves a twentieth of the time of such a game."""
    return _window(game.whole, game, state)


@instruction(hooks.result_window_of)
def _result_window_of(typing: Any, game: Any, state: Any, alpha: Any, beta: Any) -> Any:
    return _window(game.whole_results, game, state)


def _window(whole: bool, game: Any, state: Any) -> Any:
    """Return an instruction that converts a window to ints if values are `whole`."""
    floats = types.UniTuple(types.float64, 2)
    found = types.UniTuple(types.int64, 2) if whole else floats

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not whole:
            return context.make_tuple(builder, floats, args[2:])
        ends = [
            _rounded(builder, x, how) for x, how in zip(args[2:], ("floor", "ceil"), strict=True)
        ]
        return context.make_tuple(builder, found, ends)

    return found(game, state, *floats), build


def _rounded(builder: Any, x: Any, how: str) -> Any:
    """Return the next int below a float, by "floor", or above it, by "ceil", within ±2^62."""
    double = x.type
    for bound, sign in ((FAR, ">"), (-FAR, "<")):
        beyond = builder.fcmp_ordered(sign, x, double(bound))
        x = builder.select(beyond, double(bound), x)
    rounded = builder.module.declare_intrinsic(f"llvm.{how}", [double])
    return builder.fptosi(builder.call(rounded, [x]), ir.IntType(64))


def _ints_inside(low: float, high: float) -> tuple[int, int]:
    """Return the outermost ints inside two bounds; compiled code only."""
    raise NotImplementedError


@instruction(_ints_inside)
def _instruction_ints_inside(typing: Any, low: Any, high: Any) -> Any:
    found = types.UniTuple(types.int64, 2)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ends = [_rounded(builder, x, how) for x, how in zip(args, ("ceil", "floor"), strict=True)]
        return context.make_tuple(builder, found, ends)

    return found(types.float64, types.float64), build


@overload(hooks.as_kind_of, **OPTIONS)
def _as_kind_of(number: Any, like: Any) -> Any:
    if isinstance(like, types.Integer):
        return lambda number, like: int(number)
    return lambda number, like: float(number)


@overload(hooks.bounds_of, **OPTIONS)
def _bounds_of(game: Any, state: Any, like: Any) -> Any:
    has_bounds = has_hook(game, "bounds")

    def bounds_of(game: Any, state: Any, like: Any) -> Any:
        if game.status(state) != IN_PLAY:
            value = hooks.as_kind_of(game.utility(state), like)
            if value >= WIN:
                if value > LARGEST_UTILITY:
                    raise ValueError("a utility is out of range")
                value = hooks.as_kind_of(WON, like)
            elif value <= -WIN:
                if value < -LARGEST_UTILITY:
                    raise ValueError("a utility is out of range")
                value = hooks.as_kind_of(-WON, like)
            elif value != value:
                raise ValueError("a utility is not a number")
            return value, value
        return ranged(game, state, like)

    hinted = INLINED(lambda game, state, like: _inner(game.bounds(state), like))
    unknown = INLINED(lambda game, state, like: _inner((-NEXT, NEXT), like))
    ranged = hinted if has_bounds else unknown
    return bounds_of


@overload(hooks.near_end_of, **OPTIONS)
def _near_end_of(game: Any, state: Any) -> Any:
    if has_hook(game, "near_end"):
        return lambda game, state: bool(game.near_end(state))
    return lambda game, state: False


@overload(hooks.candidate_bounds_of, **OPTIONS)
def _candidate_bounds_of(game: Any, state: Any, like: Any) -> Any:
    if all(has_hook(game, hook) for hook in ("bounds", "candidates", "candidate_bounds")):
        return lambda game, state, like: _inner(game.candidate_bounds(state), like)
    return lambda game, state, like: hooks.bounds_of(game, state, like)


@overload(hooks.window_bounds_of, **OPTIONS)
def _window_bounds_of(game: Any, state: Any, low: Any, high: Any, least: Any, most: Any) -> Any:
    if not has_hook(game, "window_bounds"):
        return lambda game, state, low, high, least, most: (least, most)

    def window_bounds_of(game: Any, state: Any, low: Any, high: Any, least: Any, most: Any) -> Any:
        pair = game.window_bounds(state, float(low), float(high))
        if not pair[0] <= pair[1]:
            raise ValueError("window_bounds must return two numbers, the low one first")
        lower, upper = _inner(pair, low)
        return max(least, lower), min(most, upper)

    return window_bounds_of


def _inner(pair: Any, like: Any) -> Any:
    """Return the outermost numbers like `like` inside two bounds."""
    raise NotImplementedError("for compiled code only")


@overload(floats.finite, **OPTIONS)
def _finite(value: Any) -> Any:
    if not isinstance(value, types.Float):  # always finite
        return lambda value: value

    def finite(value: float) -> float:
        if not -floats.HUGE <= value <= floats.HUGE:
            raise ValueError("a value is infinite, or not a number")
        return value

    return finite


@overload(_inner, **OPTIONS)
def _overload_inner(pair: Any, like: Any) -> Any:
    if isinstance(like, types.Float):
        return lambda pair, like: (float(pair[0]), float(pair[1]))
    if all(isinstance(kind, types.Integer) for kind in pair):
        return lambda pair, like: (int(pair[0]), int(pair[1]))

    return lambda pair, like: _ints_inside(float(pair[0]), float(pair[1]))


@overload(hooks.number_of, **OPTIONS)
def _number_of(move: Any, index: Any) -> Any:
    count = hooks.NUMBERS
    if isinstance(move, ValueType) and move.about.numbered:
        return lambda move, index: move_number(move, index) % count
    if isinstance(move, (types.Integer, types.Boolean)) or move == word:
        return lambda move, index: int(move) % count
    return lambda move, index: index % count


@overload(hooks.payoffs, **OPTIONS)
def _payoffs(game: Any, value: Any) -> Any:
    if not isinstance(value, types.BaseTuple):
        return lambda game, value: (float(value),)
    scope: dict[str, Any] = {}
    row = "".join(f"float(value[{i}]), " for i in range(len(value)))
    exec(f"def payoffs(game, value): return ({row})", scope)
    return scope["payoffs"]


@overload(tree_hooks.measure_of, **OPTIONS)
def _measure_of(game: Any, state: Any) -> Any:
    if has_hook(game, "measure"):
        return lambda game, state: game.measure(state)
    return lambda game, state: 1


@overload(tree_hooks.combined_of, **OPTIONS)
def _combined_of(game: Any, first: Any, second: Any) -> Any:
    if has_hook(game, "combine"):
        return lambda game, first, second: game.combine(first, second)
    return lambda game, first, second: first + second


@instruction(tree_hooks.asks_status)
def _asks_status(typing: Any, game: Any) -> Any:
    hooks = has_hook(game, "children") or has_hook(game, "moves_in_play")
    return constant(game, hooks or game.shape.asks_status)


@instruction(tree_hooks.sorted_bounds)
def _sorted_bounds(typing: Any, game: Any) -> Any:
    return constant(game, bool(game.shape.number["sorted_bounds"]))
