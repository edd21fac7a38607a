"""Links a kernel's machine code as a whole program, so that calls inside it need not follow Numba's
form.

Numba's calls return the value through memory, with a status and a place for an exception; LLVM
keeps this form for any function that other code might call.  Linked into a kernel as its own, a
function that cannot fail returns no status, unused arguments are not passed, and a function called
once may be inlined: Connect Four is searched 1.2 times as fast.  A kernel that calls itself gets a
form that returns all three in registers: queens are placed 1.1 times as fast.
"""

from __future__ import annotations

import inspect
from typing import Any
from weakref import WeakValueDictionary

from llvmlite import ir
from llvmlite.binding import Linkage
from llvmlite.ir.instructions import CallInstr, ExtractValue
from numba.core.callconv import excinfo_ptr_t
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes
from numba.core.untyped_passes import IRProcessing

from strategies.native.compiler.returning import GiveBackAtReturn

UNFINISHED = RuntimeLinker.PREFIX
"""What Numba puts before the name of a function that is called before it is finished."""


_parts: WeakValueDictionary[str, PartLibrary] = WeakValueDictionary()
"""The libraries of rules, by the names of the functions that they define."""


BY_VALUE = ".values"
"""What stands after the name of a kernel in the form that returns values."""


class KernelCode(JITCodeLibrary):
    """The code of a kernel, or of a part of one: it is made faster than Numba makes it, and its
    functions may call each other in a circle."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code, in which a call of a function that is not finished yet names that function:
        Numba's reads its address from memory, which only machine code of its own would fill."""
        for name, address in list(ir_module.globals.items()):
            if name.startswith(UNFINISHED):
                called = name.removeprefix(UNFINISHED)
                function = ir_module.globals.get(called) or ir.Function(
                    ir_module, ir.FunctionType(ir.VoidType(), ()), called
                )
                address.initializer = function.bitcast(address.value_type)
                address.linkage, address.global_constant = "internal", True
        _call_by_value(ir_module)
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Optimize functions as Numba does, except those defined elsewhere, which are the most."""
        make = self._codegen._function_pass_manager
        if inspect.signature(make).parameters.keys() - {"kwargs"}:  # an older Numba
            super()._optimize_functions(ll_module)
            return
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = make()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


def _is_called_by_numba(function: Any) -> bool:
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


def _define_by_value(ir_module: Any, function: Any) -> None:
    """Let a kernel's code be that of this form, which the kernel itself calls."""
    made = _by_value(ir_module, function)
    _call_by_value(ir_module)
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


def _call_by_value(ir_module: Any) -> None:
    """Let calls of kernels return values, instead of writing them to memory."""
    for function in list(ir_module.functions):
        for block in function.blocks:
            for call in [i for i in block.instructions if isinstance(i, CallInstr)]:
                name = f"{getattr(call.callee, 'name', '')}{BY_VALUE}"
                if name not in ir_module.globals and name not in _parts:
                    continue
                builder = ir.IRBuilder(block)
                builder.position_before(call)
                made = builder.call(_by_value(ir_module, call.callee), call.args[2:])
                for i, place in enumerate(call.args[:2], 1):
                    builder.store(builder.extract_value(made, i), place)
                block.replace(call, ExtractValue(block, made, [0]))


class KernelLibrary(KernelCode):
    """The code of one kernel, in which all linked functions are internal."""

    def _optimize_final_module(self) -> None:
        _complete(self._final_module)
        _own_all(self._final_module)
        super()._optimize_final_module()
        _rename_own(self._final_module)


def _complete(module: Any) -> None:
    """Link the functions that only a circle of calls leads to, and those that they lead to."""
    seen: set[str] = set()
    while True:
        wanted = {fn.name for fn in module.functions if fn.is_declaration and fn.name in _parts}
        if not wanted - seen:
            return
        name = min(wanted - seen)
        seen.add(name)
        module.link_in(_parts[name]._get_module_for_linking(), preserve=True)


def _own_all(module: Any) -> None:
    for function in module.functions:
        if function.linkage == Linkage.linkonce_odr:  # not written by this kernel
            function.linkage = "internal"


def _rename_own(module: Any) -> None:
    """Give a kernel's own functions names that no other code calls.

    LLVM's loader knows functions by name, internal ones too, and would link other code of the
    process to a function of that name, though here it was adapted to its callers.
    """
    for function in module.functions:
        if function.linkage == Linkage.internal:
            function.name = f"{function.name}.own"


class _Bare:
    """Numba's code generator for functions that only a kernel's own code calls."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: there is no code with this environment, and a kernel needs none."""

    def _check_llvm_bugs(self) -> None:
        """Do nothing: each kernel is checked."""


class PartLibrary(KernelCode):
    """Code that is only ever a part of a kernel: it is linked and optimized there, and gets no
    machine code of its own."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(_Bare(codegen), name)

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code, and remember where its functions are."""
        super().add_ir_module(ir_module)
        for function in ir_module.functions:
            if not function.is_declaration:
                _parts[function.name] = self

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, because a part has no machine code."""
        return 0


class InnerKernelLibrary(PartLibrary):
    """The code of a kernel that another one calls: optimized once by itself, because most calls to
    it stay calls, and once more as a part."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code, and its form that returns values."""
        for function in list(ir_module.functions):
            inlined = function.is_declaration or "alwaysinline" in function.attributes
            if not inlined and _is_called_by_numba(function):
                _define_by_value(ir_module, function)
        super().add_ir_module(ir_module)

    def _optimize_final_module(self) -> None:
        _complete(self._final_module)
        _own_all(self._final_module)
        JITCodeLibrary._optimize_final_module(self)


@register_pass(mutates_CFG=False, analysis_only=True)
class GiveLibrary(AnalysisPass):
    """A pass before code generation, so that the code goes into our library instead of Numba's."""

    _name = "give_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library; the function itself does not change."""
        made = state.pipeline.library
        state.library = made(state.targetctx.codegen(), state.func_id.func_qualname)
        if made is KernelLibrary:
            state.library.enable_object_caching()
        return False


class KernelCompiler(CompilerBase):
    """Numba's compiler with our library."""

    library: type[JITCodeLibrary] = KernelLibrary

    def define_pipelines(self) -> list[Any]:
        """Return Numba's usual passes, with `GiveBackAtReturn` among the first and `GiveLibrary`
        before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(GiveBackAtReturn, IRProcessing)
        passes.add_pass_after(GiveLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part of a kernel."""

    library = PartLibrary


class InnerKernelCompiler(KernelCompiler):
    """Numba's compiler for a kernel that another one calls."""

    library = InnerKernelLibrary
