"""Native forms of functions and operators, which are only ever parts of a kernel's code.

Most of the time of compiling is Numba's work for each function, however short: so a form of a few
instructions is an `instruction`, inserted where it is used, and the rest are overloads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import extending, types
from numba.core.typing.templates import AbstractTemplate, infer_global

from strategies.native.compiler.numba_compilers import PartCompiler
from strategies.native.hooks import defines

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "python", "forceinline": True}
"""The options of short functions: divisions are checked as in Python, calls are inlined."""
PART: dict[str, Any] = {
    "pipeline_class": PartCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""The options of functions that only a kernel calls: they get no machine code of their own."""
NATIVE: set[Any] = {defines}
"""The functions with a native form of their own."""


def overload(function: Any, **options: Any) -> Any:
    """Work like `numba.extending.overload`, for a part of a kernel."""
    NATIVE.add(function)
    return extending.overload(function, jit_options={**PART, **options}, strict=False)


def overload_method(native: Any, name: str, **options: Any) -> Any:
    """Work like `numba.extending.overload_method`, for a part of a kernel."""
    return extending.overload_method(native, name, jit_options={**PART, **options}, strict=False)


def instruction(*functions: Any) -> Callable[[Any], Any]:
    """Give functions and operators a native form that is inserted in place, without a call.

    The decorated function takes types, and returns a signature and a function that emits code for
    ``(context, builder, *args)``; or None for other types.  It is tried before Numba's own forms,
    of which an operator has dozens.
    """

    def given(define: Any) -> Any:
        count = define.__code__.co_argcount - 1

        @extending.lower_builtin(define, types.VarArg(types.Any))
        def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            emit = define(context.typing_context, *signature.args)[1]
            found = emit(context, builder, *args)
            return context.get_dummy_value() if found is None else found

        NATIVE.update(functions)
        for function in functions:
            # The decorator of this name would look the function up by its module.
            infer_global(function, types.Function(_template(function, define, count)))
        return define

    return given


def _template(function: Any, define: Any, count: int) -> Any:
    class Instruction(AbstractTemplate):
        key = function
        metadata = {"target": "cpu"}  # noqa: RUF012 - Numba's: what is only for it is asked first

        def generic(self, args: Any, kws: Any) -> Any:
            found = None if kws or len(args) != count else define(self.context, *args)
            return found and found[0]

        def get_impl_key(self, sig: Any) -> Any:
            return define

    return Instruction
