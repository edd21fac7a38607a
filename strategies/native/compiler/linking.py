"""A kernel's machine code as a whole program, so that calls inside it need not follow Numba's form.

Numba's calls bring the value back through memory, a status beside it, and a place for an exception;
LLVM keeps to that wherever somebody else might call the function too.  Linked into a kernel as its
own, a function that cannot fail gives no status, arguments that it does not need are not passed,
and one that is called once may be inlined: Connect Four is searched 1.2 times as fast.
"""

from __future__ import annotations

import inspect
from itertools import pairwise
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.typed_passes import AnnotateTypes, NopythonTypeInference
from numba.core.untyped_passes import ReconstructSSA

from strategies.native.compiler.mixed_numbers import SameNumbers
from strategies.native.compiler.stand_ins import stand_in
from strategies.native.compiler.unbound import flag_unbound

OWN = __name__.split(".")[0]


class _Library(JITCodeLibrary):
    """A library of Numba's that is made sooner."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """As Numba does, but not for functions that are elsewhere, which are most of them."""
        make = self._codegen._function_pass_manager
        if inspect.signature(make).parameters.keys() - {"kwargs"}:  # an older Numba's
            super()._optimize_functions(ll_module)
            return
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = make()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class KernelLibrary(_Library):
    """The code of one kernel, in which everything that was linked into it is internal."""

    def _optimize_final_module(self) -> None:
        _own_all(self._final_module)
        super()._optimize_final_module()
        _rename_own(self._final_module)


def _own_all(module: Any) -> None:
    for function in module.functions:
        if function.linkage == Linkage.linkonce_odr:  # not written by this kernel
            function.linkage = "internal"


def _rename_own(module: Any) -> None:
    """Return a kernel's own functions names that nobody else calls.

    LLVM's loader knows functions by name, internal ones too, and would give them to other code of
    the process that has one of that name, though here they were fitted to their callers.
    """
    for function in module.functions:
        if function.linkage == Linkage.internal:
            function.name = f"{function.name}.own"


class _Bare:
    """Numba's code generator for functions that are never called but by a kernel's own code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing: there is no code whose environment it would be, and a kernel needs none."""

    def _check_llvm_bugs(self) -> None:
        """Nothing: it is done for each kernel."""


class PartLibrary(_Library):
    """The code of a rule, which is only ever a part of a kernel: it is linked there and optimised
    with it, and no machine code is made of it alone."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(_Bare(codegen), name)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: see the class."""
        return 0


class InnerKernelLibrary(PartLibrary):
    """The code of a kernel that another one calls: optimised once by itself, since most calls to it
    stay calls, and once more as a part."""

    def _optimize_final_module(self) -> None:
        _own_all(self._final_module)
        JITCodeLibrary._optimize_final_module(self)


@register_pass(mutates_CFG=False, analysis_only=True)
class GiveLibrary(AnalysisPass):
    """Comes before code is made, which then goes into a library of ours and not of Numba's."""

    _name = "give_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library; the function itself stays as it is."""
        made = state.pipeline.library
        state.library = made(state.targetctx.codegen(), state.func_id.func_qualname)
        if made is KernelLibrary:
            state.library.enable_object_caching()
        return False


class KernelCompiler(CompilerBase):
    """Numba's compiler with a library of our own."""

    library: type[JITCodeLibrary] = KernelLibrary

    def define_pipelines(self) -> list[Any]:
        """Numba's usual passes, and the one above before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(GiveLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


class _OfRules(FunctionPass):
    """Changes Numba's representation of a rule; what is written for the compiler stays as it is."""

    _name = ""

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Tells whether anything changed."""
        module = (getattr(state.func_id.func, "__module__", None) or "").split(".")[0]
        return module != OWN and self.change(state.func_ir)

    def change(self, function: Any) -> bool:
        """Changes a function of rules; tells whether anything changed."""
        raise NotImplementedError


@register_pass(mutates_CFG=False, analysis_only=False)
class PythonsArithmetic(_OfRules):
    """Comes before types are found: operators of rules mean what Python means by them."""

    _name = "pythons_arithmetic"

    def change(self, function: Any) -> bool:
        """Return operators their stand-ins."""
        return stand_in(function)


@register_pass(mutates_CFG=False, analysis_only=False)
class PythonsNames(_OfRules):
    """Comes before each name is assigned in one place only: a rule reads no unbound name."""

    _name = "pythons_names"

    def change(self, function: Any) -> bool:
        """Add flags and checks."""
        return flag_unbound(function)


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part of a kernel."""

    library = PartLibrary

    def define_pipelines(self) -> list[Any]:
        """With Python's arithmetic, and its names, and no numbers that do not go together."""
        (passes,) = super().define_pipelines()
        before = [a for (a, _), (b, _) in pairwise(passes.passes) if b is ReconstructSSA]
        passes.add_pass_after(PythonsNames, *before)
        passes.add_pass_after(PythonsArithmetic, ReconstructSSA)
        passes.add_pass_after(SameNumbers, NopythonTypeInference)
        passes.finalize()
        return [passes]


class InnerKernelCompiler(KernelCompiler):
    """Numba's compiler for a kernel that another one calls."""

    library = InnerKernelLibrary
