"""Hooks whose form in compiled code is another than in `hooks`: of branches, of memory, of ints.

They are resolved by the types of game and state, so that absent hooks are free. Also the conversion
of floats to words, and windows of ints, which searches need.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import register_jitable

from games.u64 import U64
from strategies.native import hashing, hooks, tree_hooks
from strategies.native.compiler.parts import OPTIONS, PART, instruction, overload
from strategies.native.compiler.rule_calls import mark, release, swap
from strategies.native.compiler.rule_types import BranchesType, RulesType
from strategies.native.compiler.u64_type import word
from strategies.native.memory import floats

INLINED = register_jitable(**PART, **OPTIONS)
FAR = 2.0**62


# Floats as words ------------------------------------------------------------------------------


@instruction(floats.bits_of)
def _bits_of(typing: Any, x: Any) -> Any:
    return word(types.float64), lambda _, builder, x: builder.bitcast(x, ir.IntType(64))


@instruction(floats.float_of)
def _float_of(typing: Any, bits: Any) -> Any:
    if bits != word:
        return None
    return types.float64(word), lambda _, builder, bits: builder.bitcast(bits, ir.DoubleType())


# Hooks ----------------------------------------------------------------------------------------

_mix = INLINED(hashing.mix)


@overload(hooks.hash_of, **OPTIONS)
def _hash_of(game: Any, state: Any) -> Any:
    if game.shape.has("key"):
        return lambda game, state: _mix(U64(game.key(state)))
    return lambda game, state: game.digest(state)


@instruction(hooks.kept)
def _kept(typing: Any, generated: Any) -> Any:
    found = generated.kept() if isinstance(generated, BranchesType) else generated
    return found(generated), lambda _, builder, generated: generated


@instruction(hooks.memory_mark)
def _memory_mark(typing: Any, game: Any) -> Any:
    return types.int64(game), lambda _, builder, at: mark(builder, game.shape, at)


@instruction(hooks.memory_release)
def _memory_release(typing: Any, game: Any, mark: Any) -> Any:
    return types.void(game, mark), lambda _, builder, *args: release(builder, game.shape, *args)


@instruction(hooks.memory_swap)
def _memory_swap(typing: Any, game: Any) -> Any:
    return types.void(game), lambda _, builder, at: swap(builder, game.shape, at)


@overload(hooks.copies_states, **OPTIONS)
def _copies_states(game: Any) -> Any:
    copies = "copied" in game.shape.rule
    return lambda game: copies


@overload(hooks.copied_state, **OPTIONS)
def _copied_state(game: Any, state: Any) -> Any:
    if "copied" in game.shape.rule:
        return lambda game, state: game.copied(state)
    return lambda game, state: state


@overload(hooks.identity_of, **OPTIONS)
def _identity_of(game: Any, move: Any) -> Any:
    return lambda game, move: game.identity(move)


@overload(hooks.ordinal, **OPTIONS)
def _ordinal(number: Any) -> Any:
    if not isinstance(number, types.Float):
        return lambda number: max(int(number), -hooks.MAGNITUDE)

    def ordinal(number: Any) -> Any:
        bits = int(floats.bits_of(number + 0.0))
        return bits if bits >= 0 else bits ^ hooks.MAGNITUDE

    return ordinal


def constant(game: RulesType, value: bool) -> Any:
    """Return an instruction that is a constant."""
    return types.boolean(game), lambda context, *_: context.get_constant(types.boolean, value)


def _calling(typing: Any, rule: str, game: Any, *given: Any) -> Any:
    """Return an instruction that calls a rule."""
    bound = typing.resolve_getattr(game, rule)
    full = typing.resolve_function_type(bound, given, {})
    own = isinstance(bound, types.BoundFunction)

    def emit(context: Any, builder: Any, *args: Any) -> Any:
        return context.get_function(bound, full)(builder, args if own else args[1:])

    return full and (full.return_type(game, *given), emit)


@instruction(hooks.moves_of)
def _moves_of(typing: Any, game: Any, state: Any) -> Any:
    rule = "moves_in_play" if game.shape.has("moves_in_play") else "moves"
    return _calling(typing, rule, game, state)


@instruction(hooks.branches_of)
def _branches_of(typing: Any, game: Any, state: Any) -> Any:
    if game.shape.has("children"):
        return _calling(typing, "children", game, state)
    return _moves_of(typing, game, state)


@instruction(hooks.child_of)
def _child_of(typing: Any, game: Any, state: Any, branch: Any) -> Any:
    if not game.shape.has("children"):
        return _calling(typing, "make_move", game, state, branch)
    found = branch.types[1](game, state, branch)
    return found, lambda _, builder, game, state, branch: builder.extract_value(branch, 1)


@instruction(hooks.candidates_of)
def _candidates_of(typing: Any, game: Any, state: Any) -> Any:
    if game.shape.has("candidates"):
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

    def emit(context: Any, builder: Any, game: Any, state: Any, low: Any, high: Any) -> Any:
        ends = [low, high]
        if whole:
            ends = [_rounded(builder, low, "floor"), _rounded(builder, high, "ceil")]
        return context.make_tuple(builder, found, ends)

    return found(game, state, *floats), emit


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

    def emit(context: Any, builder: Any, low: Any, high: Any) -> Any:
        ends = [_rounded(builder, low, "ceil"), _rounded(builder, high, "floor")]
        return context.make_tuple(builder, found, ends)

    return found(types.float64, types.float64), emit


@overload(hooks.as_kind_of, **OPTIONS)
def _as_kind_of(number: Any, like: Any) -> Any:
    if isinstance(like, types.Integer):
        return lambda number, like: int(number)
    return lambda number, like: float(number)


@overload(floats.finite, **OPTIONS)
def _finite(value: Any) -> Any:
    if not isinstance(value, types.Float):  # always finite
        return lambda value: value

    def finite(value: float) -> float:
        if not -floats.HUGE <= value <= floats.HUGE:
            raise ValueError("a value is infinite, or not a number")
        return value

    return finite


@overload(hooks.inner, **OPTIONS)
def _inner(pair: Any, like: Any) -> Any:
    if isinstance(like, types.Float):
        return lambda pair, like: (float(pair[0]), float(pair[1]))
    if all(isinstance(kind, types.Integer) for kind in pair):
        return lambda pair, like: (int(pair[0]), int(pair[1]))

    return lambda pair, like: _ints_inside(float(pair[0]), float(pair[1]))


@overload(hooks.number_of, **OPTIONS)
def _number_of(game: Any, move: Any, index: Any) -> Any:
    count = hooks.NUMBERS
    if isinstance(move, (types.Integer, types.Boolean)) or move == word:
        return lambda game, move, index: int(move) % count
    return lambda game, move, index: game.number(move, index)


@overload(hooks.payoffs, **OPTIONS)
def _payoffs(game: Any, value: Any) -> Any:
    if not isinstance(value, types.BaseTuple):
        return lambda game, value: (float(value),)
    scope: dict[str, Any] = {}
    row = "".join(f"float(value[{i}]), " for i in range(len(value)))
    exec(f"def payoffs(game, value): return ({row})", scope)
    return scope["payoffs"]


@instruction(tree_hooks.asks_status)
def _asks_status(typing: Any, game: Any) -> Any:
    hooks = game.shape.has("children") or game.shape.has("moves_in_play")
    return constant(game, hooks or game.shape.asks_status)


@instruction(tree_hooks.sorted_bounds)
def _sorted_bounds(typing: Any, game: Any) -> Any:
    return constant(game, bool(game.shape.number["sorted_bounds"]))
