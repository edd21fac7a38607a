"""Numba's compilers for kernels and their parts, which make templates in place of machine code."""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.typed_passes import AnnotateTypes
from numba.core.untyped_passes import IRProcessing

from strategies.native.compiler.returning import GiveBackAtReturn
from strategies.native.compiler.templates import Template
from strategies.native.hooks import defines
from strategies.rules.language.messages import Refusal


@register_pass(mutates_CFG=False, analysis_only=False)
class ResolveHooks(FunctionPass):
    """A pass before type inference: whether a game defines a hook is a constant, by which Numba
    drops the other branch."""

    _name = "resolve_hooks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Replace the calls of `defines`."""
        code = state.func_ir
        names = set[str]()
        for block in code.blocks.values():
            for assigned in list(block.find_insts(ir.Assign)):
                value = assigned.value
                if isinstance(value, ir.Global) and value.value is defines:
                    names.add(assigned.target.name)
                    block.remove(assigned)
                elif getattr(value, "op", "") == "call" and value.func.name in names:
                    game, hook = map(code.get_definition, value.args)
                    known = state.args[game.index].shape.has(hook.value)
                    assigned.value = ir.Const(known, value.loc)
                    code._definitions[assigned.target.name] = [assigned.value]
        return bool(names)


@register_pass(mutates_CFG=False, analysis_only=True)
class GiveLibrary(AnalysisPass):
    """A pass before code generation, so that the code goes into a template instead of Numba's."""

    _name = "give_library"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library; the function itself does not change."""
        held = getattr(state.return_type, "state_types", ())  # of a generator
        # The frame of a rule's generator is gone after a `yield`.  The name is searched, because
        # this type may be inside one of Numba's, such as that of `enumerate`.
        if any("Branches(" in t.name for t in held):
            name = state.func_id.func_name
            raise Refusal(f"{name} yields in a loop over what a rule generates: return a list")
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        state.library = Template(codegen, name, state.pipeline.kind)
        return False


class KernelCompiler(CompilerBase):
    """Numba's compiler that makes templates."""

    kind = "kernel"

    def define_pipelines(self) -> list[Any]:
        """Return Numba's usual passes, with `ResolveHooks` and `GiveBackAtReturn` among the first
        and `GiveLibrary` before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(ResolveHooks, IRProcessing)
        passes.add_pass_after(GiveBackAtReturn, IRProcessing)
        passes.add_pass_after(GiveLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part of a kernel."""

    kind = "part"


class InnerKernelCompiler(KernelCompiler):
    """Numba's compiler for a kernel that another one calls."""

    kind = "inner"
