"""A kernel's machine code as a whole program, so that calls inside it need not follow Numba's form.

Numba's calls bring the value back through memory, a status beside it, and a place for an exception;
LLVM keeps to that wherever somebody else might call the function too.  Linked into a kernel as its
own, a function that cannot fail gives no status, arguments that it does not need are not passed,
and one that is called once may be inlined: Connect Four is searched 1.2 times as fast.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes


class KernelLibrary(JITCodeLibrary):
    """The code of one kernel, in which everything that was linked into it is internal."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:  # not written by this kernel
                function.linkage = "internal"
        JITCodeLibrary._optimize_final_module(self)


class _WithoutEnvironments:
    """Numba's code generator for functions that are never called but by a kernel's own code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing: there is no code whose environment it would be, and a kernel needs none."""


class PartLibrary(JITCodeLibrary):
    """The code of a rule, which is only ever a part of a kernel: it is linked there and optimised
    with it, and no machine code is made of it alone."""

    @property
    def codegen(self) -> Any:
        """Numba's code generator."""
        return _WithoutEnvironments(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: see the class."""
        return 0


class InnerKernelLibrary(PartLibrary):
    """The code of a kernel that another one calls: optimised once by itself, as calls to it stay
    calls, and once more as a part."""

    def _optimize_final_module(self) -> None:
        KernelLibrary._optimize_final_module(self)


@register_pass(mutates_CFG=False, analysis_only=True)
class GivePartLibrary(AnalysisPass):
    """As `GiveLibrary`, for a part of a kernel."""

    _name = "give_part_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Sets the library; the function itself stays as it is."""
        inner = state.flags.release_gil
        made = InnerKernelLibrary if inner else PartLibrary
        state.library = made(state.targetctx.codegen(), state.func_id.func_qualname)
        return False


class PartCompiler(CompilerBase):
    """Numba's compiler for a part of a kernel."""

    def define_pipelines(self) -> list[Any]:
        """Numba's usual passes, and the one above before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(GivePartLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


@register_pass(mutates_CFG=False, analysis_only=True)
class GiveLibrary(AnalysisPass):
    """Comes before code is made, which then goes into this library and not into one of Numba's."""

    _name = "give_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Sets the library; the function itself stays as it is."""
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class KernelCompiler(CompilerBase):
    """Numba's compiler with a library of our own."""

    def define_pipelines(self) -> list[Any]:
        """Numba's usual passes, and the one above before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(GiveLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]
