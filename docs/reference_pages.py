"""Writes the pages of the reference: one for each public object, under its public name.

Public are the names that the stubs of the packages list. What comes with them has a page for each
of its modules: classes that are defined beside them or that they derive from, names that a package
lists in ``__all__``, and those that a page imports from a module.
Sphinx calls `write`.
"""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from textwrap import indent
from typing import Any

from attrs import frozen

from graphs.lazy_names import public_names

ROOT = Path(__file__).parents[1]
PACKAGES = ("strategies", "games", "graphs")
IMPORT = re.compile(r"from ((?:games|graphs|strategies)\.[\w.]+) import ([\w, ]+)")
LABEL = re.compile(r"(?:Requires|Ensures|Raises|Returns|Cost|Source|Sources|Work|Span):")
"""What a paragraph of a docstring may begin with."""
FIRST = ("searches", "algorithms", "algebra", "studies", "insight", "players", "values")
"""The subpackages that are looked up most, in the order in which a beginner needs them; the others
follow."""
TEACHING = "architecture.md"
"""The page whose imports are of things that a reader shall add."""


@frozen
class Entry:
    """A documented object: where it is found, under what name, and the module that defines it."""

    module: str
    name: str
    home: str

    @property
    def value(self) -> Any:
        return getattr(import_module(self.module), self.name)

    @property
    def kind(self) -> str:
        if inspect.ismodule(self.value):
            return "module"
        if inspect.isclass(self.value):
            return "exception" if issubclass(self.value, Exception) else "class"
        return "function" if inspect.isroutine(self.value) else "data"

    @property
    def source(self) -> str:
        """The module whose text has the definition."""
        defines = self.kind in ("class", "exception", "function")
        return str(self.value.__module__) if defines else self.home

    @property
    def full(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def page(self) -> str:
        """The file's stem: a class and a function may differ in case only, and files may not."""
        return f"{self.full}-class" if self.kind in ("class", "exception") else self.full


def public() -> list[Entry]:
    """Lists the public objects of the packages by name.

    >>> [entry.home for entry in public() if entry.full == "graphs.Seq"]
    ['graphs.seq']
    """
    found = []
    for package in PACKAGES:
        import_module(package)
        homes = public_names(package)
        for name in sorted(homes, key=str.lower):
            if homes[name].partition(".")[0] == package:  # not where another has it again
                found.append(Entry(package, name, homes[name]))
    return found


def listed() -> dict[str, list[Entry]]:
    """Lists what modules below the packages offer, and is not public under a shorter name."""
    names: dict[str, set[str]] = {}
    for file in sorted(ROOT.glob("*/**/__init__.py")):
        parts = file.parent.relative_to(ROOT).parts
        if parts[0] in PACKAGES and len(parts) > 1:
            names[".".join(parts)] = set(_all_of(file))
    for page in sorted((ROOT / "docs").glob("*.md")):
        if page.name != TEACHING:
            for module, text in IMPORT.findall(page.read_text(encoding="utf-8")):
                names.setdefault(module, set()).update(re.findall(r"\w+", text))
    for entry in public():
        if entry.kind != "module":
            names.setdefault(entry.source, set()).update(_classes(import_module(entry.source)))
        for base in inspect.getmro(entry.value) if entry.kind == "class" else ():
            if base.__module__.partition(".")[0] in PACKAGES and base.__name__.isidentifier():
                names.setdefault(base.__module__, set()).add(base.__name__)
    known = {(home, entry.name) for entry in public() for home in (entry.home, entry.source)}
    pages: dict[str, list[Entry]] = {}
    for module in sorted(names):
        for name in sorted(names[module], key=str.lower):
            entry = Entry(module, name, module)
            if (entry.source, name) not in known and not name.startswith("_"):
                known.add((entry.source, name))
                pages.setdefault(module, []).append(entry)
    return pages


def _classes(module: Any) -> set[str]:
    """The classes that a module defines."""
    return {
        n for n, v in vars(module).items() if inspect.isclass(v) and v.__module__ == module.__name__
    }


def _all_of(file: Path) -> list[str]:
    """What ``__all__`` of a file lists, where it is written out."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def text_of(entry: Entry) -> str:
    """The directive that documents an object; a value has the words below its definition."""
    if entry.kind == "module":
        return f".. automodule:: {entry.full}\n   :members:\n"
    if entry.kind != "data":
        members = "   :members:\n   :show-inheritance:\n"
        return f".. auto{entry.kind}:: {entry.full}\n" + members * (entry.kind != "function")
    kind = type(entry.value)
    value = repr(entry.value)
    shown = f"   :value: {value}\n" if len(value) < 60 and "\n" not in value else ""
    name = (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    where = f":py:obj:`{kind.__name__} <{name}>`"
    said = _said_of(entry) or f"A value of {where}."
    return (
        f".. py:data:: {entry.name}\n   :module: {entry.module}\n{shown}\n{indent(said, '   ')}\n"
    )


def _said_of(entry: Entry) -> str:
    """The docstring of a value: the text below its assignment, else that of its own class."""
    tree = ast.parse(inspect.getsource(import_module(entry.source))).body
    for node, after in pairwise(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if entry.name in map(ast.unparse, targets) and isinstance(after, ast.Expr):
                return inspect.cleandoc(ast.literal_eval(after.value))
    of_ours = type(entry.value).__module__.partition(".")[0] in PACKAGES
    return (of_ours and inspect.getdoc(type(entry.value))) or ""


def first_line(entry: Entry) -> str:
    """The first sentence that is said of an object; no bar in it, but in code, begins a name."""
    said = _said_of(entry) if entry.kind == "data" else inspect.getdoc(entry.value) or ""
    parts = re.split(r"(``.*?``)", " ".join(said.partition("\n\n")[0].split()))
    return "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in parts)


def pages() -> dict[str, str]:
    """The text of each page of the reference by its name."""
    found = {}
    for package in PACKAGES:
        entries = [entry for entry in public() if entry.module == package]
        for entry in entries:
            context = f".. py:currentmodule:: {package}\n\n"
            # Two hundred entries more beside every page would find nobody anything.
            defined = f"\nDefined in ``{entry.source}``.\n"
            found[entry.page] = (
                ":orphan:\n\n" + _title(entry.name) + context + text_of(entry) + defined
            )
        said = inspect.getdoc(import_module(package)) or ""
        found[package] = _title(package, "=") + f"{said}\n\n{_subpackages(package, entries)}"
    modules = listed()
    for module, entries in modules.items():
        said = inspect.getdoc(import_module(module)) or ""
        body = "\n".join(map(text_of, entries))
        found[f"{module}-module"] = (
            ":orphan:\n\n" + _title(module) + f".. py:module:: {module}\n\n{said}\n\n{body}"
        )
    about = (
        "What is not public, and what is offered all the same: it may move between versions.\n\n"
    )
    links = "".join(f"- :py:mod:`{module}`\n" for module in modules)
    found["modules"] = _title("Modules below") + about + links
    return found


def _title(text: str, line: str = "=") -> str:
    return f"{text}\n{line * len(text)}\n\n"


def _subpackages(package: str, entries: list[Entry]) -> str:
    """Return one table of a package's objects, or one for each subpackage if all are in one."""
    tables: dict[str, list[Entry]] = {}
    for entry in entries:
        parts = entry.home.split(".")
        tables.setdefault(parts[1] if len(parts) > 2 else "", []).append(entry)
    if "" in tables:
        return _table(entries)
    sections = []
    for name in sorted(tables, key=lambda n: (FIRST.index(n) if n in FIRST else len(FIRST), n)):
        docstring = inspect.getdoc(import_module(f"{package}.{name}")) or ""
        first = " ".join(docstring.partition("\n\n")[0].split())
        sections.append(_title(name.capitalize(), "-") + f"{first}\n\n{_table(tables[name])}\n")
    return "\n".join(sections)


def _table(entries: list[Entry]) -> str:
    rows = (f"   * - :py:obj:`{e.name} <{e.full}>`\n     - {first_line(e)}\n" for e in entries)
    return ".. list-table::\n   :widths: 30 70\n\n" + "".join(rows)


def labelled(lines: list[str]) -> list[str]:
    """Begin a paragraph with each label of a docstring, which stands in bold.

    >>> labelled(["Plays.", "", "Requires: a", "move.", "Raises: no."])
    ['Plays.', '', '', '**Requires:** a', 'move.', '', '**Raises:** no.']
    """
    found = []
    for line in lines:
        label = LABEL.match(line)
        found += ["", f"**{label[0]}**{line[label.end() :]}"] if label else [line]
    return found


def write(folder: Path) -> None:
    """Write the pages that are not there as they should be, and remove others."""
    folder.mkdir(exist_ok=True)
    found = pages()
    for old in folder.glob("*.rst"):
        if old.stem not in found:
            old.unlink()
    for name, text in found.items():
        page = folder / f"{name}.rst"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def aliases() -> dict[str, str]:
    """What objects are called elsewhere, by name: in annotations, and in short."""
    found: dict[str, str] = {}
    for entry in [*public(), *(e for entries in listed().values() for e in entries)]:
        found.setdefault(entry.name, entry.full)
        found.setdefault(f"{entry.home}.{entry.name}", entry.full)
        found.setdefault(f"{entry.source}.{entry.name}", entry.full)
    return found


def homes() -> dict[tuple[str, str], str]:
    """Which module defines an object, by the module and the name that it is documented under."""
    every = [*public(), *(e for entries in listed().values() for e in entries)]
    return {(entry.module, entry.name): entry.source for entry in every}
