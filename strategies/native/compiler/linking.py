"""Links a kernel's machine code as a whole program, so that calls inside it need not follow Numba's
form.

Numba's calls return the value through memory, with a status and a place for an exception; LLVM
keeps this form for any function that other code might call.  Linked into a kernel as its own, a
function that cannot fail returns no status, unused arguments are not passed, and a function called
once may be inlined: Connect Four is searched 1.2 times as fast.
"""

from __future__ import annotations

import inspect
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary


class CodeOfKernels(JITCodeLibrary):
    """The code of a kernel, or of a part of one: it is made faster than Numba makes it, and its
    functions may call each other in a circle.

    Attributes:
        parts: the libraries of the parts that were made before, by the names of their functions.
    """

    def __init__(self, codegen: Any, name: str, parts: dict[str, PartLibrary]) -> None:
        super().__init__(codegen, name)
        self.parts = parts

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


class KernelLibrary(CodeOfKernels):
    """The code of one kernel, in which all linked functions are internal."""

    def __init__(self, codegen: Any, name: str, parts: dict[str, PartLibrary]) -> None:
        super().__init__(codegen, name, parts)
        self.enable_object_caching()

    def _optimize_final_module(self) -> None:
        _complete(self._final_module, self.parts)
        _own_all(self._final_module)
        super()._optimize_final_module()
        _rename_own(self._final_module)


def _complete(module: Any, parts: dict[str, PartLibrary]) -> None:
    """Link the functions that only a circle of calls leads to, and those that they lead to."""
    seen: set[str] = set()
    while True:
        wanted = {fn.name for fn in module.functions if fn.is_declaration and fn.name in parts}
        if not wanted - seen:
            return
        name = min(wanted - seen)
        seen.add(name)
        module.link_in(parts[name]._get_module_for_linking(), preserve=True)


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


class Bare:
    """Numba's code generator for functions that only a kernel's own code calls."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: there is no code with this environment, and a kernel needs none."""

    def _check_llvm_bugs(self) -> None:
        """Do nothing: each kernel is checked."""


class PartLibrary(CodeOfKernels):
    """Code that is only ever a part of a kernel: it is linked and optimized there, and gets no
    machine code of its own."""

    def __init__(self, codegen: Any, name: str, parts: dict[str, PartLibrary]) -> None:
        super().__init__(Bare(codegen), name, parts)

    def add_llvm_module(self, module: Any) -> None:
        """Add code, and remember where its functions are."""
        names = [f.name for f in module.functions if not f.is_declaration]
        super().add_llvm_module(module)
        self.parts.update(dict.fromkeys(names, self))

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class ForeignLibrary(PartLibrary):
    """Code of Numba's own, which is linked as it is."""

    def add_llvm_module(self, module: Any) -> None:
        """Let this be the code."""
        self._final_module = module


class InnerKernelLibrary(PartLibrary):
    """The code of a kernel that another one calls: optimized once by itself, because most calls to
    it stay calls, and once more as a part."""

    def _optimize_final_module(self) -> None:
        _complete(self._final_module, self.parts)
        _own_all(self._final_module)
        JITCodeLibrary._optimize_final_module(self)
