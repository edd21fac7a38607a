"""Execute the notebooks for the pages that show them with their outputs.

The cells run one after the other, as in Jupyter. The notebooks that users download keep no outputs.
Sphinx calls `write`.
"""

from __future__ import annotations

import ast
import json
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
NOTEBOOKS = HERE / "notebooks"


def run(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """Run a cell; return what it printed, and the value of its last line if that is an expression.

    >>> run("n = 6\\nprint('six')\\nn * 7", {})
    ('six\\n', 42)
    """
    parts = ast.parse(code)
    last = parts.body.pop() if parts.body and isinstance(parts.body[-1], ast.Expr) else None
    printed, value = StringIO(), None
    with redirect_stdout(printed):
        exec(compile(parts, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value


def outputs(printed: str, value: Any) -> list[dict[str, Any]]:
    """Return the outputs of a cell as a notebook stores them."""
    items: list[dict[str, Any]] = []
    if printed:
        items.append({"output_type": "stream", "name": "stdout", "text": printed})
    if value is not None:
        data = {"text/plain": repr(value)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_()
        items.append({"output_type": "execute_result", "data": data, "metadata": {},
                      "execution_count": None})  # fmt: skip
    return items


def executed(path: Path) -> dict[str, Any]:
    """Execute a notebook in an empty folder, and return it with its outputs."""
    book: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    with TemporaryDirectory() as folder, chdir(folder):
        for cell in book["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = outputs(*run("".join(cell["source"]), names))
    return book


def write(folder: Path) -> None:
    """Execute the notebooks, and write them with their outputs to a folder."""
    folder.mkdir(exist_ok=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        text = json.dumps(executed(path), indent=1)
        (folder / path.name).write_text(text, encoding="utf-8")
