"""Refuses kernels in which a value lasts longer than its memory.

What a step of a loop over moves, branches or outcomes makes is given back before the next step,
unless the loop is over `kept(…)`.  A value of one step that a later step, or the code behind the
loop, reads would be what others have stored there since.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba import types
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import AnalysisPass, register_pass

from strategies.rules.language.messages import Refusal


@register_pass(mutates_CFG=False, analysis_only=True)
class CheckEscapes(AnalysisPass):
    """A pass after type inference, as long as the code says which values meet where."""

    _name = "check_escapes"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Raise Refusal for the first value that would be read after its memory is given back."""
        for loop in compute_cfg_from_blocks(state.func_ir.blocks).loops().values():
            header = state.func_ir.blocks[loop.header]
            if not any(_gives_back(state.typemap[v.name]) for v in _iterated(header)):
                continue
            for met in header.find_exprs("phi"):
                for block, value in zip(met.incoming_blocks, met.incoming_values, strict=True):
                    kind = state.typemap.get(value.name)
                    if block in loop.body and _in_memory(kind):
                        raise Refusal(_message(state.func_id.func_name, value))
        return False


def _iterated(block: Any) -> Iterator[Any]:
    """Yield the variables whose next element a block asks for."""
    for asked in block.find_exprs("iternext"):
        yield asked.value


def _gives_back(kind: Any) -> bool:
    """Return whether each step over an iterator gives back the memory of the step before."""
    if isinstance(kind, types.EnumerateType):
        return _gives_back(kind.source_type)
    if isinstance(kind, types.ZipType):
        return any(map(_gives_back, kind.source_types))
    return getattr(kind, "gives_back", False)


def _in_memory(kind: Any) -> bool:
    """Return whether values of a type point into memory that rules have taken."""
    if isinstance(kind, types.BaseTuple):
        return any(map(_in_memory, kind.types))
    return getattr(kind, "in_memory", False)


def _message(kernel: str, value: ir.Var) -> str:
    name = value.unversioned_name
    return (
        f"{kernel}, line {value.loc.line}: `{name}` is a value of one step of the loop that later "
        "code reads, and its memory is given back at the next step: loop over kept(…), which keeps "
        "what its steps make, or keep a number and make the value again after the loop"
    )
