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
    form_in_rules,
    form_returned,
    from_numba,
    opaque,
    room_for,
    to_numba,
    type_of,
)
from strategies.native.compiler.shapes import HOOKS, Shape, frame_hole, number_hole
from strategies.native.compiler.templates import RULES
from strategies.rules.code.val import c32, c64
from strategies.rules.kinds.kind import EMPTY, I8, I32, I64, PTR
from strategies.rules.language.messages import Refusal
from strategies.rules.machine.memory import (
    CONTEXT,
    END,
    FAILED,
    FREE,
    MEMOS,
    OTHER_END,
    OTHER_FREE,
)


@infer_getattr
class RulesAttributes(AttributeTemplate):
    key = RulesType

    def generic_resolve(self, rules: Any, name: str) -> Any:
        shape = rules.shape
        if name in shape.number:
            return types.int64
        rule = shape.rule.get(name)
        if rule is None:
            if shape.absent:
                raise Refusal(shape.absent)
            return None
        generates = rule.generates
        returns = (
            BranchesType(shape, name, rules.keeps) if generates else type_of(shape, rule.gives)
        )

        class Rule(AbstractTemplate):
            key = (RulesType, name)

            def generic(self, args: Any, kws: Any) -> Any:
                return signature_of(returns, *args, recvr=rules)

        return types.BoundFunction(Rule, rules)


@lower_getattr_generic(RulesType)
def _getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    numbers = native.shape.number
    if name in numbers:
        return number_hole(f"count.{name}") if numbers[name] is None else c64(numbers[name])
    return context.get_dummy_value()


def function_of_rules(context: Any, builder: Any, name: str, returns: Any, takes: Any) -> Any:
    """Return a function of the code of rules, whose name is a hole."""
    context.active_code_library.add_linking_library(RULES)
    called = f"<<{name}>>"
    known = builder.module.globals.get(called)
    return known or ir.Function(builder.module, ir.FunctionType(returns, takes), called)


def call_rule(context: Any, builder: Any, rules: Any, name: str, args: Sequence[Any]) -> Any:
    """Call a rule; the first argument is the context's address."""
    shape = rules.shape
    rule = shape.rule[name]
    at = builder.inttoptr(args[0], PTR)
    given = [from_numba(builder, shape, *pair) for pair in zip(rule.takes, args[1:], strict=True)]
    if rule.generates:
        return _started(builder, shape, args[0], name, given)
    takes = [form_in_rules(context, shape, code) for code in rule.takes]
    function = function_of_rules(context, builder, f"rule.{name}", I32, [PTR, PTR, EMPTY, *takes])
    returned = form_returned(context, shape, rule)
    out = room_for(builder, returned)
    free = place_of(builder, at, FREE)
    mark = builder.load(free, typ=PTR) if rule.gives_back else None
    status = builder.call(function, [at, out, ir.Constant(EMPTY, ir.Undefined), *given])
    _check(context, builder, at, status)
    if mark is not None:
        builder.store(mark, free)
    value = builder.load(out, typ=returned)
    return to_numba(context, builder, type_of(shape, rule.gives), value)


def _check(context: Any, builder: Any, at: Any, status: Any) -> None:
    """Raise in the kernel if a rule failed."""
    bad = builder.icmp_signed("!=", status, c32(0))
    with builder.if_then(bad, likely=False):
        builder.store(builder.zext(status, I64), place_of(builder, at, FAILED))
        context.call_conv.return_user_exc(builder, RuleStops, ())


def _frame(rule: str) -> Any:
    """Return the form of a generator's frame in a kernel, with the context's address and a mark."""
    return ir.LiteralStructType([frame_hole(rule), I64, I64])


def _started(builder: Any, shape: Shape, address: Any, rule: str, given: Sequence[Any]) -> Any:
    """Return a new generator, whose frame is on the kernel's stack."""
    frame = _frame(rule)
    with builder.goto_entry_block():
        place = opaque(builder.alloca(frame))
        place.align = 16
    builder.store(c64(0), place)
    for i, value in enumerate(given):
        offset = number_hole(f"place.{rule}.{i}")
        builder.store(value, builder.gep(place, [offset], source_etype=I8, inbounds=True))
    builder.store(address, builder.gep(place, [c32(0), c32(1)], source_etype=frame, inbounds=True))
    marked = builder.gep(place, [c32(0), c32(2)], source_etype=frame, inbounds=True)
    builder.store(mark(builder, shape, address), marked)
    return builder.bitcast(place, I8.as_pointer())


@lower_builtin("getiter", BranchesType)
def _getiter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[0]


@lower_builtin("iternext", BranchesType)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> Any:
    native = sig.args[0]
    shape = native.shape
    place = opaque(builder.gep(args[0], [c64(0)], source_etype=I8))
    whose, marked = (
        builder.gep(place, [c32(0), c32(i)], source_etype=_frame(native.rule), inbounds=True)
        for i in (1, 2)
    )
    address = builder.load(whose, typ=I64)
    at = builder.inttoptr(address, PTR)
    if not native.keeps:
        release(builder, shape, address, builder.load(marked, typ=I64))
    yielded = form_returned(context, shape, shape.rule[native.rule])
    out = room_for(builder, yielded)
    function = function_of_rules(context, builder, f"rule.{native.rule}", I32, [PTR, PTR, PTR])
    status = builder.call(function, [at, place, out])
    failed = builder.icmp_signed(">", status, c32(0))
    _check(context, builder, at, builder.select(failed, status, c32(0)))
    if not native.keeps:
        builder.store(mark(builder, shape, address), marked)
    going = builder.icmp_signed("==", status, c32(0))
    result.set_valid(going)
    with builder.if_then(going):
        value = builder.load(out, typ=yielded)
        result.yield_(to_numba(context, builder, native.yield_type, value))


def _lower(name: str) -> None:
    @lower_builtin((RulesType, name), RulesType, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return call_rule(context, builder, sig.args[0], name, args)


for _name in (
    *("status", "player", "moves", "make_move", "outcomes", "estimate", "utility", *HOOKS),
    *("digest", "identity", "number", "net_prefetch", "net_revise", "copied"),
    *("load", "change", "assign", "conflicts"),
):
    _lower(_name)


# Memory


def place_of(builder: Any, at: Any, field: int) -> Any:
    """Return the address of a field of a context."""
    return builder.gep(at, [c32(0), c32(field)], source_etype=CONTEXT, inbounds=True)


def mark(builder: Any, shape: Shape, address: Any) -> Any:
    """Return how far the arena is used."""
    if not shape.allocates:
        return c64(0)
    return builder.load(place_of(builder, builder.inttoptr(address, PTR), FREE), typ=I64)


def release(builder: Any, shape: Shape, address: Any, mark: Any) -> None:
    """Give back what was taken since a mark."""
    if not shape.allocates:
        return
    at = builder.inttoptr(address, PTR)
    if shape.poison:
        _fill(builder, mark, builder.load(place_of(builder, at, FREE), typ=I64))
    builder.store(mark, place_of(builder, at, FREE))
    if shape.remembers:  # results that are kept may lie in what is given back
        builder.store(c64(0), place_of(builder, at, MEMOS))


def swap(builder: Any, shape: Shape, address: Any) -> None:
    """Let memory be taken from that of caches, or again from the arena."""
    if shape.allocates:
        at = builder.inttoptr(address, PTR)
        for one, other in ((FREE, OTHER_FREE), (END, OTHER_END)):
            places = [place_of(builder, at, i) for i in (one, other)]
            a, b = (builder.load(place, typ=I64) for place in places)
            builder.store(b, places[0])
            builder.store(a, places[1])


def _fill(builder: Any, start: Any, end: Any) -> None:
    """Overwrite memory, so that a later read of it is wrong, or a fault."""
    one, eight = ir.IntType(8), c64(8)
    kind = ir.FunctionType(ir.VoidType(), [PTR, one, I64, ir.IntType(1)])
    name = "llvm.memset.p0.i64"
    fill = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    room = builder.and_(builder.sub(end, start), builder.neg(eight))
    builder.call(
        fill, [builder.inttoptr(start, PTR), one(0x5A), room, ir.Constant(ir.IntType(1), 0)]
    )
