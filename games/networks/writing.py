"""Generates rules: functions made from lines of text, so that numbers are constants of the code."""

from __future__ import annotations

import hashlib
import linecache
from types import FunctionType
from typing import Any


def rule(name: str, given: str, body: list[str], **scope: Any) -> FunctionType:
    """Return a function made from lines of text, which `inspect` finds as its source."""
    names: dict[str, Any] = {"__name__": __name__, **scope}
    text = "\n".join([f"def {name}({given}):", *body, ""])
    file = f"<network: {name} {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec", dont_inherit=True), names)
    made: FunctionType = names[name]
    return made


def values_of_cells(cells: tuple[int, ...]) -> list[str]:
    """Return the lines that read the values of cells; that of cell 3 is called `c3`."""
    return [f" c{cell} = self.cell(state, {cell})" for cell in cells]
