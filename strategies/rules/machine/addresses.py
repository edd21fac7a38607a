"""Addresses of functions that code calls, for LLVM's builder."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from strategies.rules.kinds.kind import PTR


class Address:
    """An address that is called."""

    def __init__(self, address: Any, kind: ir.FunctionType) -> None:
        self.address, self.function_type, self.ftype = address, kind, kind
        self.type = PTR

    def get_reference(self) -> str:
        return str(self.address.get_reference())
