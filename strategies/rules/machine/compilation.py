"""Machine code: LLVM's text compiled for this processor, and loaded."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
from typing import Any

import llvmlite.binding as llvm

from strategies.support.fork_locks import fork_lock

LIBM = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf"),
    *("erfc", "exp", "exp2", "expm1", "fmod", "log", "log10", "log1p", "log2", "pow", "sin"),
    *("sinh", "tan", "tanh"),
)
PYTHON = ("PyGILState_Ensure", "PyGILState_Release", "PyErr_CheckSignals", "PyErr_Fetch")
LEVEL = 3
"""How much LLVM optimizes, from 0 to 3. At 0 a function compiles in a third of the time; at 3 LLVM
makes two loops of one, so that a test is done before them."""
_lock = fork_lock()


@functools.cache
def prepared() -> Any:
    """Make the functions that rules call known to LLVM; return what code is made for."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    for name in LIBM:
        llvm.add_symbol(f"jam.libm.{name}", ctypes.cast(getattr(libm, name), ctypes.c_void_p).value)
    for name in PYTHON:
        llvm.add_symbol(
            f"jam.python.{name}",
            ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value,
        )
    return llvm.Target.from_triple(llvm.get_process_triple())


@functools.cache
def processor() -> dict[str, str]:
    """Return the name and the features of the processor that this process runs on."""
    features = llvm.get_host_cpu_features().flatten()
    return {"cpu": llvm.get_host_cpu_name(), "features": features}


def target_machine(level: int) -> Any:
    """Return a new generator of machine code for this processor; loaded code owns its own."""
    return prepared().create_target_machine(opt=level, jit=True, **processor())


shared_machine = functools.cache(target_machine)
"""Return the generator that all modules share, one at a time: preparing one takes milliseconds."""


def optimized(text: str, level: int) -> Any:
    """Return a module of LLVM, made from its text."""
    with _lock:
        machine = shared_machine(level)
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = llvm.get_process_triple(), str(machine.target_data)
        module.verify()
        tuning = llvm.create_pipeline_tuning_options(speed_level=level)
        tuning.slp_vectorization = level > 0  # bitboards: one operation for several directions
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
        return module


def object_code(module: Any, level: int) -> bytes:
    """Return the machine code of a module."""
    with _lock:
        found: bytes = shared_machine(level).emit_object(module)
        return found


class Code:
    """Loaded machine code."""

    def __init__(self, code: bytes) -> None:
        with _lock:
            self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(LEVEL))
            self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
            self.engine.finalize_object()

    def address(self, name: str) -> int:
        return int(self.engine.get_function_address(name))
