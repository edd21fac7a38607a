"""Types of LLVM that values have."""

from __future__ import annotations

from llvmlite import ir

I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
F64, PTR, VOID = ir.DoubleType(), ir.PointerType(), ir.VoidType()
EMPTY = ir.LiteralStructType([])
ROW = ir.LiteralStructType([PTR, I64])  # the address of the elements, and their number
