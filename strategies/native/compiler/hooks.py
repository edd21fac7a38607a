"""Hooks in compiled code: resolved by the types of game and state, so that what is absent is free.

Also what searches need beside them: floats as words, room on a frame, prefetching.
"""

from __future__ import annotations

import inspect
import operator
from typing import Any

import attrs
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_jitable, register_model

from games.game import WIN, Status, win_in
from games.words import U64

from .. import floats, hooks
from .layout import GameType, RecordType
from .memory import cells_type
from .word import OPTIONS, word

INLINED = register_jitable(**OPTIONS)
IN_PLAY, WON = int(Status.IN_PLAY), float(win_in(0))
NEXT = float(win_in(1))


def _defines(game: GameType, hook: str) -> bool:
    return inspect.getattr_static(game.cls, hook, None) is not None


# Floats as words ------------------------------------------------------------------------------


@intrinsic
def _bits(typing: Any, x: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return word(types.float64), build


@intrinsic
def _float(typing: Any, bits: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(word), build


@overload(floats.bits_of, strict=False)
def _bits_of(x: Any) -> Any:
    return lambda x: _bits(float(x))


@overload(floats.float_of, strict=False)
def _float_of(bits: Any) -> Any:
    return (lambda bits: _float(bits)) if bits == word else None


# Hooks ----------------------------------------------------------------------------------------

_mix = INLINED(hooks.mix)


def _paths(native: Any, path: str) -> list[tuple[str, Any]]:
    """The numbers that a state's identity is made of: how to reach them, and their types."""
    if isinstance(native, RecordType):
        kinds = dict(native.fields)
        return [
            found
            for f in attrs.fields(native.cls)
            if f.eq
            for found in _paths(kinds[f.name], f"{path}.{f.name}")
        ]
    if isinstance(native, types.BaseTuple):
        return [found for i, t in enumerate(native.types) for found in _paths(t, f"{path}[{i}]")]
    return [(path, native)]


@overload(hooks.hash_of, jit_options=OPTIONS, strict=False)
def _hash_of(game: Any, state: Any) -> Any:
    if not isinstance(game, GameType):
        return None
    if _defines(game, "key"):
        return lambda game, state: _mix(U64(game.key(state)))
    lines = ["def hash_of(game, state):", " h = GOLDEN"]
    for path, native in _paths(state, "state"):
        bits = f"_bits({path} + 0.0)" if isinstance(native, types.Float) else f"U64({path})"
        lines.append(f" h = _mix(h ^ {bits}) + GOLDEN")
    scope: dict[str, Any] = {"U64": U64, "_mix": _mix, "_bits": _bits, "GOLDEN": hooks.GOLDEN}
    exec("\n".join([*lines, " return h"]), scope)
    return scope["hash_of"]


@overload(hooks.promise_of, jit_options=OPTIONS, strict=False)
def _promise_of(game: Any, child: Any) -> Any:
    if _defines(game, "promise"):
        return lambda game, child: float(game.promise(child))
    return lambda game, child: 0.0


@overload(hooks.has_promise, jit_options=OPTIONS, strict=False)
def _has_promise(game: Any) -> Any:
    return (lambda game: True) if _defines(game, "promise") else (lambda game: False)


@overload(hooks.moves_of, jit_options=OPTIONS, inline="always", strict=False)
def _moves_of(game: Any, state: Any) -> Any:
    if _defines(game, "moves_in_play"):
        return lambda game, state: game.moves_in_play(state)
    return lambda game, state: game.moves(state)


@overload(hooks.branches_of, jit_options=OPTIONS, inline="always", strict=False)
def _branches_of(game: Any, state: Any) -> Any:
    if _defines(game, "children"):
        return lambda game, state: game.children(state)
    return _moves_of(game, state)


@overload(hooks.child_of, jit_options=OPTIONS, strict=False)
def _child_of(game: Any, state: Any, branch: Any) -> Any:
    if _defines(game, "children"):
        return lambda game, state, branch: branch[1]
    return lambda game, state, branch: game.make_move(state, branch)


@overload(hooks.count_of, jit_options=OPTIONS, strict=False)
def _count_of(game: Any, state: Any) -> Any:
    if _can_count(game):
        return lambda game, state: game.count_moves(state)

    def count_of(game: Any, state: Any) -> int:
        count = 0
        for _ in hooks.moves_of(game, state):
            count += 1
        return count

    return count_of


@overload(hooks.nth_of, jit_options=OPTIONS, strict=False)
def _nth_of(game: Any, state: Any, n: Any) -> Any:
    if _can_count(game):
        return lambda game, state, n: game.nth_move(state, n)

    def nth_of(game: Any, state: Any, n: int) -> Any:
        for move in hooks.moves_of(game, state):
            if n == 0:
                return move
            n -= 1
        raise ValueError("a position has fewer moves than it counts")

    return nth_of


def _can_count(game: GameType) -> bool:
    return _defines(game, "count_moves") and _defines(game, "nth_move")


@overload(hooks.candidates_of, jit_options=OPTIONS, inline="always", strict=False)
def _candidates_of(game: Any, state: Any) -> Any:
    if _defines(game, "candidates"):
        return lambda game, state: game.candidates(state)
    if _defines(game, "moves_in_play"):
        return lambda game, state: game.moves_in_play(state)
    return lambda game, state: game.moves(state)


@overload(hooks.bounds_of, jit_options=OPTIONS, strict=False)
def _bounds_of(game: Any, state: Any) -> Any:
    has_bounds = _defines(game, "bounds")

    def bounds_of(game: Any, state: Any) -> Any:
        if game.status(state) != IN_PLAY:
            value = float(game.utility(state))
            if value >= WIN:
                value = WON
            elif value <= -WIN:
                value = -WON
            return value, value
        return ranged(game, state)

    hinted = INLINED(lambda game, state: _floats(game.bounds(state)))
    unknown = INLINED(lambda game, state: (-NEXT, NEXT))
    ranged = hinted if has_bounds else unknown
    return bounds_of


@INLINED
def _floats(pair: Any) -> Any:
    return float(pair[0]), float(pair[1])


@overload(hooks.number_of, jit_options=OPTIONS, strict=False)
def _number_of(move: Any, index: Any) -> Any:
    count = hooks.NUMBERS
    if isinstance(move, (types.Integer, types.Boolean)) or move == word:
        return lambda move, index: int(move) % count
    return lambda move, index: index % count


@overload(hooks.payoffs, jit_options=OPTIONS, strict=False)
def _payoffs(value: Any) -> Any:
    if not isinstance(value, types.BaseTuple):
        return lambda value: (float(value),)
    scope: dict[str, Any] = {}
    row = "".join(f"float(value[{i}]), " for i in range(len(value)))
    exec(f"def payoffs(value): return ({row})", scope)
    return scope["payoffs"]


# Room on the frame of a search ------------------------------------------------------------------


class RoomType(types.Type):
    """A row of values in the frame of a function."""

    def __init__(self, element: Any, size: int) -> None:
        self.element, self.size = element, size
        super().__init__(f"Room({element}, {size})")

    @property
    def key(self) -> Any:
        return self.element, self.size


register_model(RoomType)(models.OpaqueModel)


def _words(native: Any) -> int:
    if isinstance(native, RecordType):
        return sum(_words(kind) for _, kind in native.fields)
    return sum(map(_words, native.types)) if isinstance(native, types.BaseTuple) else 1


@intrinsic
def _room(typing: Any, state: Any, like: Any) -> Any:
    native = RoomType(types.unliteral(like), hooks.room_for(_words(state)))

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = ir.ArrayType(context.get_value_type(native.element), native.size)
        with builder.goto_entry_block():  # `alloca_once` would fill it with zeros at every node
            frame = builder.alloca(row)
        return builder.bitcast(frame, cgutils.voidptr_t)

    return native(state, like), build


def _slot(context: Any, builder: Any, native: RoomType, row: Any, index: Any) -> Any:
    pointer = context.get_value_type(native.element).as_pointer()
    return builder.gep(builder.bitcast(row, pointer), [index])


@intrinsic
def _get(typing: Any, row: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_slot(context, builder, row, *args))

    return row.element(row, types.int64), build


@intrinsic
def _set(typing: Any, row: Any, index: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cast = context.cast(builder, args[2], signature.args[2], row.element)
        builder.store(cast, _slot(context, builder, row, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(row, types.int64, value), build


@overload(hooks.room, inline="always", strict=False)
def _overload_room(state: Any, like: Any) -> Any:
    """Always inlined: the row must lie in the frame of the caller."""
    return lambda state, like: _room(state, like)


@overload(hooks.room_size, jit_options=OPTIONS, strict=False)
def _room_size(state: Any) -> Any:
    size = hooks.room_for(_words(state))
    return lambda state: size


@overload(operator.getitem, strict=False)
def _getitem(row: Any, index: Any) -> Any:
    return (lambda row, index: _get(row, index)) if isinstance(row, RoomType) else None


@overload(operator.setitem, strict=False)
def _setitem(row: Any, index: Any, value: Any) -> Any:
    if not isinstance(row, RoomType):
        return None
    return lambda row, index, value: _set(row, index, value)


@intrinsic
def _prefetch(typing: Any, row: Any, index: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        small = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        pointer = builder.bitcast(builder.gep(args[0], [args[1]]), cgutils.voidptr_t)
        builder.call(function, [pointer, small(0), small(3), small(1)])
        return context.get_dummy_value()

    return types.void(row, types.int64), build


@overload(hooks.prefetch, jit_options=OPTIONS, strict=False)
def _overload_prefetch(table: Any, index: Any) -> Any:
    return (lambda table, index: _prefetch(table, index)) if table == cells_type else None
