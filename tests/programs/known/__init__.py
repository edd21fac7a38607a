"""Small programs for faults that compilers of rules have had, by construct.

Each function is a program; a line of its docstring is the arguments of a call.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.programs.program import Program


@cache
def known() -> tuple[Program, ...]:
    """Return all known programs."""
    here = Path(__file__).parent
    paths = sorted(path for path in here.glob("*.py") if path.name != "__init__.py")
    return tuple(one for path in paths for one in programs(path.read_text()))


def programs(source: str) -> list[Program]:
    """Return the programs of a file: each has all that is not a program, and its function.

    A function whose docstring is missing belongs to the programs that name it.
    """
    tree = ast.parse(source)
    lines = source.splitlines()
    parts: list[tuple[ast.stmt, str]] = []
    for node in tree.body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        parts.append((node, "\n".join(lines[first - 1 : node.end_lineno])))
    found = []
    for node, text in parts:
        calls = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        if calls is None or not isinstance(node, ast.FunctionDef):
            continue
        wanted = needed(f"{text}\n{'; '.join(f'({call})' for call in call_lines(calls))}", parts)
        body = "\n".join(one for part, one in parts if part in wanted and part is not node)
        own = text.replace(f'"""{calls}"""', "pass", 1) if '"""' in text else text
        found.append(Program(f"{body}\n{own}\n", tuple(call_lines(calls)), node.name))
    return found


def call_lines(docstring: str) -> list[str]:
    """Return the arguments of each call, as source with a comma at the end."""
    return [f"{line.strip()}," if line.strip() != "-" else "" for line in docstring.splitlines()]


def needed(text: str, parts: list[tuple[ast.stmt, str]]) -> list[ast.stmt]:
    """Return the statements of the file that a program needs, found by the names it uses."""
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    wanted: list[ast.stmt] = []
    again = True
    while again:
        again = False
        for node, part in parts:
            if node in wanted or not bound_names(node) & names:
                continue
            wanted.append(node)
            names |= {one.id for one in ast.walk(ast.parse(part)) if isinstance(one, ast.Name)}
            again = True
    return wanted


def bound_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)
                and isinstance(one.ctx, ast.Store)}  # fmt: skip
    return set()
