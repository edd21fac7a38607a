"""Calls of kernels that return values.

Numba's calls return the value through memory, with a status and a place for an exception. A kernel
that calls itself gets a form that returns all three in registers: queens are placed 1.1 times as
fast.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Final

from llvmlite import ir
from llvmlite.ir.instructions import CallInstr, ExtractValue
from numba.core.callconv import excinfo_ptr_t

BY_VALUE: Final = ".values"
"""What stands after the name of a kernel in the form that returns values."""


def is_called_by_numba(function: Any) -> bool:
    """Return whether a function has the form of Numba's calls; one that frees a list has not."""
    args = function.function_type.args
    return len(args) > 1 and args[1] == ir.PointerType(excinfo_ptr_t)


def _by_value(ir_module: Any, function: Any) -> Any:
    """Return the form of a kernel that returns what the kernel writes to its first two arguments:
    its result and its exception; the status comes first."""
    result, exception, *args = function.function_type.args
    returned = ir.LiteralStructType([ir.IntType(32), result.pointee, exception.pointee])
    name = function.name + BY_VALUE
    known = ir_module.globals.get(name)
    return known or ir.Function(ir_module, ir.FunctionType(returned, args), name)


def define_by_value(ir_module: Any, function: Any, defined: Container[str]) -> None:
    """Let a kernel's code be that of this form, which the kernel itself calls."""
    made = _by_value(ir_module, function)
    call_by_value(ir_module, defined)
    code = ir.Function(ir_module, function.function_type, f"{function.name}.code")
    code.blocks, function.blocks = function.blocks, []
    for mine, argument in zip(code.args, function.args, strict=True):
        mine.name = argument.name
    code.linkage = "internal"
    code.attributes.add("alwaysinline")
    builder = ir.IRBuilder(made.append_basic_block())
    places = [builder.alloca(t.pointee) for t in function.function_type.args[:2]]
    for place in places:
        builder.store(ir.Constant(place.type.pointee, None), place)
    found = ir.Constant(made.function_type.return_type, ir.Undefined)
    parts = builder.call(code, [*places, *made.args]), *map(builder.load, places)
    for i, part in enumerate(parts):
        found = builder.insert_value(found, part, i)
    builder.ret(found)
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(builder.call(function, function.args))


def call_by_value(ir_module: Any, defined: Container[str]) -> None:
    """Let calls of kernels return values, instead of writing them to memory; `defined` are the
    names of functions of other modules."""
    for function in list(ir_module.functions):
        for block in function.blocks:
            for call in [i for i in block.instructions if isinstance(i, CallInstr)]:
                name = f"{getattr(call.callee, 'name', '')}{BY_VALUE}"
                if name not in ir_module.globals and name not in defined:
                    continue
                builder = ir.IRBuilder(block)
                builder.position_before(call)
                made = builder.call(_by_value(ir_module, call.callee), call.args[2:])
                for i, place in enumerate(call.args[:2], 1):
                    builder.store(builder.extract_value(made, i), place)
                block.replace(call, ExtractValue(block, made, [0]))
