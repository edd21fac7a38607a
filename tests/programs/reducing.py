"""Makes a failing program small, by taking parts of its syntax tree away."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Iterator
from typing import Final

from tests.programs.judging import Verdict
from tests.programs.program import Program
from tests.programs.worker import Worker

SECONDS: Final = 60.0
"""How long a program is made smaller."""
FAULTS: Final = ("differs", "crashes", "hangs")
ILL: Final = ("TypeError", "NameError", "AttributeError", "UnboundLocalError")
"""What a program that lost a part may raise; then it is no smaller form of the same fault."""


def kind_of(verdicts: list[Verdict]) -> tuple[str, bool] | None:
    """Return what kind of fault the verdicts show."""
    for one in verdicts:
        if one.ended in FAULTS:
            return one.ended, one.python.partition(":")[0] in ILL
    return None


def bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield every list of statements of a tree, the outer ones first."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            found = getattr(node, field, None)
            if isinstance(found, list) and found:
                yield found


def without_statements(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield the tree without some of its statements, large parts first."""
    for number, body in enumerate(list(bodies(tree))):
        for size in (8, 4, 2, 1):
            for start in range(len(body) - 1, -1, -size):
                if size > 1 and len(body) < size:
                    continue
                smaller = copy.deepcopy(tree)
                chosen = list(bodies(smaller))[number]
                gone = chosen[max(0, start - size + 1) : start + 1]
                inner = (
                    [
                        one
                        for node in gone
                        for field in ("body", "orelse")
                        for one in getattr(node, field, [])
                        if isinstance(one, ast.stmt)
                    ]
                    if size == 1 and not isinstance(gone[0], (ast.FunctionDef, ast.ClassDef))
                    else []
                )
                for kept in ([], inner) if inner else ([],):
                    other = copy.deepcopy(smaller)
                    place = list(bodies(other))[number]
                    place[max(0, start - size + 1) : start + 1] = copy.deepcopy(kept)
                    if place or isinstance(other, ast.Module):
                        yield other


class Replace(ast.NodeTransformer):
    """Replaces the expression with a number by another one."""

    def __init__(self, number: int, new: ast.expr) -> None:
        self.number, self.new, self.count = number, new, -1

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", LOAD), ast.Load):
            self.count += 1
            if self.count == self.number:
                return copy.deepcopy(self.new)
        return super().generic_visit(node)


LOAD: Final = ast.Load()


class Numbered(ast.NodeVisitor):
    """Lists the expressions in the order in which `Replace` counts them."""

    def __init__(self) -> None:
        self.found: list[ast.expr] = []

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", LOAD), ast.Load):
            self.found.append(node)
        super().generic_visit(node)


SIMPLE: Final = tuple(ast.parse(text, mode="eval").body for text in ("0", "1", "()", "[]", "None"))


def with_simpler_expressions(tree: ast.Module) -> Iterator[ast.Module]:
    """Yield the tree with one expression replaced by a part of it, or by a literal."""
    listing = Numbered()
    listing.visit(tree)
    for number, node in enumerate(listing.found):
        if isinstance(node, (ast.Constant, ast.Name)):
            continue
        parts = [
            one for one in ast.walk(node)
            if one is not node and isinstance(one, ast.expr) and not isinstance(one, ast.Starred)
        ]  # fmt: skip
        for new in [*parts[:6], *SIMPLE]:
            yield Replace(number, new).visit(copy.deepcopy(tree))  # type: ignore[misc]
        for field in ("elts", "args", "generators", "keywords", "values"):
            old = getattr(node, field, None)
            if isinstance(old, list) and len(old) > 1:
                for place in range(len(old)):
                    less = copy.copy(node)
                    setattr(less, field, old[:place] + old[place + 1 :])
                    yield Replace(number, less).visit(copy.deepcopy(tree))  # type: ignore[misc]


def smaller(program: Program) -> Iterator[Program]:
    """Yield programs that are a little smaller."""
    for call in program.calls if len(program.calls) > 1 else ():
        yield Program(program.source, (call,), program.entry)
    tree = ast.parse(program.source)
    for ways in (without_statements, with_simpler_expressions):
        for other in ways(tree):
            try:
                text = ast.unparse(ast.fix_missing_locations(other)) + "\n"
                ast.parse(text)
            except Exception:
                continue
            if len(text) < len(program.source):
                yield Program(text, program.calls, program.entry)


def reduced(
    worker: Worker, program: Program, verdicts: list[Verdict], seconds: float = SECONDS
) -> Program:
    """Return a small program with the same kind of fault."""
    kind = kind_of(verdicts)
    end = time.monotonic() + seconds
    program = Program(ast.unparse(ast.parse(program.source)) + "\n", program.calls, program.entry)
    again = True
    while again:
        again = False
        for one in smaller(program):
            if time.monotonic() > end:
                return program
            if f"def {one.entry}(" in one.source and kind_of(worker.judge(one)) == kind:
                program, again = one, True
                break
    return program
