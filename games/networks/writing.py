"""Generates rules: functions made from lines of text, so that numbers are constants of the code."""

from __future__ import annotations

from types import FunctionType
from typing import Any


def rule(name: str, given: str, body: list[str], **scope: Any) -> FunctionType:
    """Return a function made from lines of text."""
    names: dict[str, Any] = {"__name__": __name__, **scope}
    text = "\n".join([f"def {name}({given}):", *body])
    exec(compile(text, f"<network: {name}>", "exec", dont_inherit=True), names)
    made: FunctionType = names[name]
    return made


def values_of_cells(cells: tuple[int, ...]) -> list[str]:
    """Return the lines that read the values of cells; that of cell 3 is called `c3`."""
    return [f" c{cell} = self.cell(state, {cell})" for cell in cells]
