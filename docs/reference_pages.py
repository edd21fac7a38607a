"""Write the pages of the reference: one for each public object, under its public name.

The public objects are those listed in the stubs of the packages. Related objects share one page for
each module: classes that public objects are defined next to or derive from, names that a subpackage
lists in ``__all__``, and names that a page imports from a module. Sphinx calls `write`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from functools import cache
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
"""The labels with which a paragraph of a docstring may begin."""
FIRST = ("searches", "algorithms", "algebra", "studies", "insight", "players", "values")
"""The subpackages that are looked up most, in the order in which a beginner needs them; the others
follow."""
TEACHING = "architecture.md"
"""The page whose imports name objects that the reader is to add."""
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
NO_GUIDES = (
    "index", "install", "reference", "glossary", "pictures", "background", "command-line",
    "architecture", "benchmarks",
)  # fmt: skip
"""Pages that name many objects without explaining them."""
GUIDES = 4
"""The most pages that the page of an object leads to."""


@frozen
class Entry:
    """A documented object: the module and the name that users import, and its home module."""

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
        """Return the module that contains the definition."""
        defines = self.kind in ("class", "exception", "function")
        return str(self.value.__module__) if defines else self.home

    @property
    def full(self) -> str:
        return f"{self.module}.{self.name}"

    @property
    def page(self) -> str:
        """Return the stem of the file name.

        Classes get a suffix, because the names of a class and a function may differ only in case,
        which some file systems ignore.
        """
        return f"{self.full}-class" if self.kind in ("class", "exception") else self.full


def public() -> list[Entry]:
    """Return the public objects of the packages, sorted by name.

    >>> [entry.home for entry in public() if entry.full == "graphs.Seq"]
    ['graphs.seq']
    """
    found = []
    for package in PACKAGES:
        import_module(package)
        homes = public_names(package)
        for name in sorted(homes, key=str.lower):
            if homes[name].partition(".")[0] == package:  # not a re-export
                found.append(Entry(package, name, homes[name]))
    return found


def listed() -> dict[str, list[Entry]]:
    """Return the related objects of each module, those that have no public name."""
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
    """Return the names of the classes that a module defines."""
    return {
        n for n, v in vars(module).items() if inspect.isclass(v) and v.__module__ == module.__name__
    }


def _all_of(file: Path) -> list[str]:
    """Return the names in ``__all__`` of a file, if it is a literal list."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def text_of(entry: Entry) -> str:
    """Return the directive that documents an object; for a constant, with its docstring."""
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
    text = indent(_docstring(entry) or f"A value of {where}.", "   ")
    return f".. py:data:: {entry.name}\n   :module: {entry.module}\n{shown}\n{text}\n"


def _docstring(entry: Entry) -> str:
    """Return the docstring of a constant: the text below its assignment, or that of its class."""
    tree = ast.parse(inspect.getsource(import_module(entry.source))).body
    for node, after in pairwise(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if entry.name in map(ast.unparse, targets) and isinstance(after, ast.Expr):
                return inspect.cleandoc(ast.literal_eval(after.value))
    of_ours = type(entry.value).__module__.partition(".")[0] in PACKAGES
    return (of_ours and inspect.getdoc(type(entry.value))) or ""


def first_line(entry: Entry) -> str:
    """Return the first paragraph of an object's docstring, with bars outside code escaped."""
    docstring = _docstring(entry) if entry.kind == "data" else inspect.getdoc(entry.value) or ""
    parts = re.split(r"(``.*?``)", " ".join(docstring.partition("\n\n")[0].split()))
    return "".join(p if p.startswith("``") else p.replace("|", r"\|") for p in parts)


@cache
def _mentions() -> dict[str, Counter[str]]:
    """Return how often the code on each page for readers has each name.

    In a sentence, a name counts as four: the page explains it.
    """
    found = {}
    for file in sorted((ROOT / "docs").glob("*.md")):
        if file.stem not in NO_GUIDES:
            text = file.read_text(encoding="utf-8")
            code = [*BLOCK.findall(text), *4 * CODE.findall(BLOCK.sub("", text))]
            found[file.stem] = Counter(re.findall(r"(?<![\w.])[A-Za-z_]\w*", " ".join(code)))
    return found


def guides(name: str) -> list[str]:
    """Return the pages that have a name most often.

    >>> guides("climb")[0]
    'algorithms'
    """
    counts = {page: words[name] for page, words in _mentions().items() if words[name]}
    return sorted(counts, key=lambda page: (-counts[page], page))[:GUIDES]


def pages() -> dict[str, str]:
    """Return the text of each page of the reference by its name."""
    texts = {}
    for package in PACKAGES:
        entries = [entry for entry in public() if entry.module == package]
        for entry in entries:
            context = f".. py:currentmodule:: {package}\n\n"
            # Orphans, because 200 more entries in the navigation of every page would help nobody.
            links = ", ".join(f":doc:`/{page}`" for page in guides(entry.name))
            also = f"\n**See also:** {links}\n" if links else ""
            defined = f"{also}\nDefined in ``{entry.source}``.\n"
            texts[entry.page] = (
                ":orphan:\n\n" + _title(entry.name) + context + text_of(entry) + defined
            )
        docstring = inspect.getdoc(import_module(package)) or ""
        texts[package] = _title(package, "=") + f"{docstring}\n\n{_subpackages(package, entries)}"
    modules = listed()
    for module, entries in modules.items():
        docstring = inspect.getdoc(import_module(module)) or ""
        body = "\n".join(map(text_of, entries))
        texts[f"{module}-module"] = (
            ":orphan:\n\n" + _title(module) + f".. py:module:: {module}\n\n{docstring}\n\n{body}"
        )
    about = "Objects without a public name. They can be used, but may move between versions.\n\n"
    links = "".join(f"- :py:mod:`{module}`\n" for module in modules)
    errors = [entry for entry in public() if entry.kind == "exception"]
    says = "An error that Jamboree raises on purpose has a message that says what to change.\n\n"
    texts["errors"] = _title("Errors") + says + _table(errors)
    texts["modules"] = _title("Other modules") + about + links
    return texts


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
    """Begin a new paragraph at each label of a docstring, put the label in bold, and link errors.

    >>> labelled(["Plays.", "", "Requires: a", "move.", "Raises: IllegalMove."])
    ['Plays.', '', '', '**Requires:** a', 'move.', '', '**Raises:** `IllegalMove`.']
    """
    marked = []
    raises = False
    for line in lines:
        label = LABEL.match(line)
        raises = label[0] == "Raises:" if label else raises and bool(line.strip())
        text = line[label.end() :] if label else line
        if raises:
            text = re.sub(rf"(?<![`\w.])({_errors()})(?![`\w])", r"`\1`", text)
        marked += ["", f"**{label[0]}**{text}"] if label else [text]
    return marked


@cache
def _errors() -> str:
    """Return the names of errors as alternatives of a regular expression."""
    return "|".join(entry.name for entry in public() if entry.kind == "exception")


def write(folder: Path) -> None:
    """Write new and changed pages, and remove the pages of objects that no longer exist."""
    folder.mkdir(exist_ok=True)
    texts = pages()
    for old in folder.glob("*.rst"):
        if old.stem not in texts:
            old.unlink()
    for name, text in texts.items():
        page = folder / f"{name}.rst"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def aliases() -> dict[str, str]:
    """Return the documented name for each other name of an object: bare, or with another module."""
    names: dict[str, str] = {}
    for entry in [*public(), *(e for entries in listed().values() for e in entries)]:
        names.setdefault(entry.name, entry.full)
        names.setdefault(f"{entry.home}.{entry.name}", entry.full)
        names.setdefault(f"{entry.source}.{entry.name}", entry.full)
    return names


def homes() -> dict[tuple[str, str], str]:
    """Return the module that defines each object, by its documented module and name."""
    every = [*public(), *(e for entries in listed().values() for e in entries)]
    return {(entry.module, entry.name): entry.source for entry in every}
