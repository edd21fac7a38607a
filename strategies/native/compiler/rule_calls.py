"""Calls of rules in a kernel: what Numba emits for `game.moves(state)` and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing import signature as signature_of
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import lower_getattr_generic

from strategies.native.compiler.rule_types import (
    BranchesType,
    RuleStops,
    RulesType,
    from_numba,
    opaque,
    returned_type,
    room_for,
    row_of_cells,
    to_numba,
)
from strategies.native.compiler.rules_in_numba import Bound, place_of
from strategies.rules.code.val import c32, c64
from strategies.rules.code.variables import frame_places
from strategies.rules.entries import found
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import I8, I64, PTR, Array
from strategies.rules.kinds.parts import in_memory
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import FAILED, FREE


@infer_getattr
class RulesAttributes(AttributeTemplate):
    key = RulesType

    def generic_resolve(self, rules: Any, name: str) -> Any:
        bound = rules.bound
        if name in bound.numbers:
            return types.int64
        instance = bound.rules.instances.get(name)
        if instance is None:
            if bound.absent:
                raise Refusal(bound.absent)
            return None
        item = returned_type(bound, name, found(instance))
        returns = BranchesType(bound, name, item, rules.keeps) if instance.is_generator else item

        class Rule(AbstractTemplate):
            key = (RulesType, name)

            def generic(self, args: Any, kws: Any) -> Any:
                return signature_of(returns, *args, recvr=rules)

        return types.BoundFunction(Rule, rules)


@lower_getattr_generic(RulesType)
def _getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    if name in native.bound.numbers:
        return c64(native.bound.numbers[name])
    return context.get_dummy_value()


def call_rule(context: Any, builder: Any, rules: Any, name: str, args: Sequence[Any]) -> Any:
    """Call a rule; the first argument is the context's address."""
    bound = rules.bound
    instance = bound.rules.instances[name]
    at = builder.inttoptr(args[0], PTR)
    kinds = instance.kinds[1:]
    given = [
        row_of_cells(builder, v, bound.cells) if isinstance(k, Array) else from_numba(builder, k, v)
        for k, v in zip(kinds, args[1:], strict=True)
    ]
    nothing = ir.Constant(form(instance.kinds[0]), ir.Undefined)
    function = bound.function(context, builder, name)
    if instance.is_generator:
        return _started(builder, bound, args[0], instance, given)
    returned = instance.returned
    out = room_for(builder, form(returned))
    back = not in_memory(returned) and not instance.remembering()
    free = place_of(builder, at, FREE)
    mark = builder.load(free, typ=PTR) if back else None
    status = builder.call(function, [at, out, nothing, *given])
    _check(context, builder, at, status)
    if mark is not None:
        builder.store(mark, free)
    value = builder.load(out, typ=form(returned))
    return to_numba(context, builder, returned_type(bound, name, returned), value)


def _check(context: Any, builder: Any, at: Any, status: Any) -> None:
    """Raise in the kernel if a rule failed."""
    bad = builder.icmp_signed("!=", status, c32(0))
    with builder.if_then(bad, likely=False):
        builder.store(builder.zext(status, I64), place_of(builder, at, FAILED))
        context.call_conv.return_user_exc(builder, RuleStops, ())


def _frame(instance: Any) -> Any:
    """Return the form of a generator's frame in a kernel, with the context's address and a mark."""
    length = instance.frame_size.initializer.constant
    return ir.LiteralStructType([ir.ArrayType(I64, -(-length // 8)), I64, I64])


def _started(builder: Any, bound: Bound, address: Any, instance: Any, given: Sequence[Any]) -> Any:
    """Return a new generator, whose frame is on the kernel's stack."""
    frame = _frame(instance)
    with builder.goto_entry_block():
        place = opaque(builder.alloca(frame))
        place.align = 16
    builder.store(c64(0), place)
    parts = zip(frame_places(instance)[1:-1], instance.kinds[1:], given, strict=True)
    for offset, _, value in parts:
        builder.store(value, builder.gep(place, [c64(offset)], source_etype=I8, inbounds=True))
    builder.store(address, builder.gep(place, [c32(0), c32(1)], source_etype=frame, inbounds=True))
    mark = builder.gep(place, [c32(0), c32(2)], source_etype=frame, inbounds=True)
    builder.store(bound.mark(builder, address), mark)
    return builder.bitcast(place, I8.as_pointer())


@lower_builtin("getiter", BranchesType)
def _getiter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


@lower_builtin("iternext", BranchesType)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> Any:
    native = sig.args[0]
    bound, instance = native.bound, native.bound.rules.instances[native.rule]
    place = opaque(builder.gep(args[0], [c64(0)], source_etype=I8))
    whose, mark = (
        builder.gep(place, [c32(0), c32(i)], source_etype=_frame(instance), inbounds=True)
        for i in (1, 2)
    )
    address = builder.load(whose, typ=I64)
    at = builder.inttoptr(address, PTR)
    if not native.keeps:
        bound.release(builder, address, builder.load(mark, typ=I64))
    out = room_for(builder, form(instance.yielded))
    status = builder.call(bound.function(context, builder, native.rule), [at, place, out])
    failed = builder.icmp_signed(">", status, c32(0))
    _check(context, builder, at, builder.select(failed, status, c32(0)))
    if not native.keeps:
        builder.store(bound.mark(builder, address), mark)
    going = builder.icmp_signed("==", status, c32(0))
    result.set_valid(going)
    with builder.if_then(going):
        value = builder.load(out, typ=form(instance.yielded))
        result.yield_(to_numba(context, builder, native.yield_type, value))


def _lower(name: str) -> None:
    @lower_builtin((RulesType, name), RulesType, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return call_rule(context, builder, sig.args[0], name, args)


for _name in (
    *("status", "player", "moves", "make_move", "outcomes", "estimate", "utility", "children"),
    *("moves_in_play", "candidates", "rollout_moves", "nth_move", "count_moves", "promise", "key"),
    *("bounds", "candidate_bounds", "digest", "identity", "number", "net_prefetch", "net_revise"),
    *("window_bounds", "prior", "learned_promise", "near_end", "measure", "combine"),
    "copied",
    *("load", "change", "assign", "conflicts"),
):
    _lower(_name)
