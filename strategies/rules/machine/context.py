"""The context of a thread, whose address is the first argument of each function: its fields.

`memory.Context` is the same structure for Python.
"""

from __future__ import annotations

from llvmlite import ir

from strategies.rules.kinds.kind import I64, PTR

CONTEXT = ir.LiteralStructType(
    [PTR, PTR, PTR, I64, PTR, PTR, PTR, PTR, PTR, I64, PTR, I64, PTR, PTR, PTR, PTR, PTR]
)
FREE, END, STACK, COUNTDOWN, ASK = range(5)
RAISED = range(5, 8)  # what a handler of signals raised: type, value, traceback
MEMOS = 8  # the tables of cached functions in the arena
FAILED = 9  # the status of a rule that failed in a kernel
STOPS = 10  # the address of a word that is not 0 once a search is to stop; or none
MAIN = 11  # whether this is the thread that handles signals
HELD = 12  # the tables of the object whose functions these are
KEPT = 13  # the tables of cached functions in memory of their own
OTHER_FREE, OTHER_END = 14, 15  # that memory; or the arena, while a cached function runs
KEPT_END = 16  # where that memory ends
