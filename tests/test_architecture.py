"""The page on the architecture: its layers, the path of a search, and its additions, applied."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TOPS = "games", "graphs", "jamboree", "strategies"
LONGEST_FUNCTION = 50
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def of_docs(name: str) -> ModuleType:
    """Load a module of the folder `docs`."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # attrs looks it up
    spec.loader.exec_module(module)
    return module


# The path of one search ------------------------------------------------------------------------


def section(title: str) -> str:
    """Return the text under a heading, up to the next heading of the same level or a higher one."""
    level, _, _ = title.partition(" ")
    return re.split(rf"^#{{1,{len(level)}}} ", PAGE.split(f"{title}\n")[1], flags=re.M)[0]


def test_files_that_a_search_runs_through_exist() -> None:
    listed = re.findall(r"^\| `(\S+\.py)` \|", section("## The path of one search"), flags=re.M)
    assert len(listed) == len(set(listed)) > 0, "each file is named once"
    assert [name for name in listed if not (ROOT / "strategies" / name).exists()] == []


# The layers --------------------------------------------------------------------------------------


def test_every_subpackage_is_in_a_layer_and_in_the_list() -> None:
    drawn = of_docs("layers")
    packages = [package for layer in drawn.layers() for package in layer]
    folders = {p.parent.name for p in (ROOT / "strategies").glob("*/__init__.py")}
    assert {package.partition(".")[2] for package in packages} - {""} == folders
    listed = re.findall(r"^- \*\*`(\S+)`\*\*: \S", drawn.listing(), flags=re.M)
    assert listed == packages
    assert re.findall(r">([\w.]+)</text>", drawn.picture()) == packages


def test_an_import_that_goes_up_is_refused(tmp_path: Path) -> None:
    drawn = of_docs("layers")
    for package, text in {"upper": "", "lower": "def f():\n    from upper import thing\n"}.items():
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text(text)
    assert drawn.arrows([["lower"], ["upper"]], tmp_path) == {("lower", "upper")}
    with pytest.raises(ValueError, match=r"lower.__init__\.py:2: lower imports upper"):
        drawn.arrows([["upper"], ["lower"]], tmp_path)


# Additions ---------------------------------------------------------------------------------------


class Edit(NamedTuple):
    """One step of an addition: a new file, or lines before or after an anchor that occurs once."""

    path: str
    where: str
    anchor: str
    text: str

    @property
    def lines(self) -> int:
        return sum(bool(line.strip()) for line in self.text.splitlines())

    def apply(self, root: Path) -> None:
        file = root / self.path
        if not self.where:
            assert not file.exists(), f"{self.path} exists already"
            file.write_text(self.text, encoding="utf-8")
            return
        whole = file.read_text(encoding="utf-8")
        assert whole.count(self.anchor) == 1, f"{self.path}: {self.anchor!r} must occur once"
        before, after = whole.split(self.anchor)
        if self.where == "before":
            parts = before, self.text, self.anchor, after
        else:
            text = self.text.rstrip("\n")
            parts = before, self.anchor, "\n" + text if after.startswith("\n") else text, after
        file.write_text("".join(parts), encoding="utf-8")


EDIT = re.compile(
    r"^(?:In `(?P<old>[^`]+)`, (?P<where>before|after) `(?P<anchor>[^`]+)`|"
    r"A new file, `(?P<new>[^`]+)`):\n\n```(?:python|text)\n(?P<text>.*?)^```$",
    flags=re.M | re.S,
)
ADDITIONS = {
    "strategy": ("tests/strategies/algebra/test_doubling.py",),
    "algorithm": (
        "tests/strategies/running/test_negascout.py",
        "strategies/algorithms/two_players.py",
    ),
    "game": ("tests/games/test_stones.py", "tests/games/test_catalogue.py"),
    "command": ("tests/strategies/cli/test_commands.py",),
    "picture": ("tests/strategies/insight/pictures/test_node_counts.py",),
}
"""The tests to run after each addition."""
LARGEST = {
    "strategy": (3, 25),
    "algorithm": (4, 30),
    "game": (3, 60),
    "command": (2, 30),
    "picture": (4, 60),
}
"""The most files, and the most lines that are not empty, of each addition, including its test."""


def edits(what: str) -> list[Edit]:
    found = EDIT.finditer(section(f"### Adding a{'n' * (what[0] in 'aeiou')} {what}"))
    return [
        Edit(m["old"] or m["new"], m["where"] or "", m["anchor"] or "", m["text"]) for m in found
    ]


@pytest.mark.parametrize("what", ADDITIONS)
def test_an_addition_is_small(what: str) -> None:
    files, lines = LARGEST[what]
    assert len({edit.path for edit in edits(what)}) == files
    assert 0 < sum(edit.lines for edit in edits(what)) <= lines


def test_additions_work_as_the_page_says(tmp_path: Path) -> None:
    """Apply all of them to one copy of the sources, because each copy needs a fresh interpreter."""
    skipped = shutil.ignore_patterns("__pycache__", "*.svg")
    drawn = of_docs("layers")
    packages = {package.partition(".")[0] for layer in drawn.layers() for package in layer}
    for folder in (*packages, "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for what in ADDITIONS:
        for edit in edits(what):
            edit.apply(tmp_path)
    drawn.arrows(drawn.layers(), tmp_path)  # none of their imports goes up
    tests = [test for added in ADDITIONS.values() for test in added]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "JAMBOREE_LAWS": "dev"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *tests,
    ]
    command += ["-k", "doubling or negascout or are_distinct or stones or count or bar_for"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [(typed, printed)] = re.findall(r"^```text\n\$ jamboree (.*)\n([^`]*)", PAGE, flags=re.M)
    program = [sys.executable, "-m", "strategies.cli", *typed.split()]
    ran = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.stdout == printed


# The glossary ------------------------------------------------------------------------------------


def test_files_named_in_the_glossary_exist() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r"^(\S.*)\n: (.*(?:\n  .*)*)", text, flags=re.M)
    assert len(entries) > 40
    for term, meaning in entries:
        files = re.findall(r"`((?:strategies|games)/\S+\.py)`", meaning)
        assert files, f"{term}: no file"
        assert [file for file in files if not (ROOT / file).is_file()] == [], term
        assert len(re.findall(r"[\w)`*]\.(?= |\n)", meaning)) >= 2, f"{term}: two sentences"
    for part in text.split("\n## ")[1:]:
        terms = [term.lower() for term in re.findall(r"^(\S.*)\n: ", part, flags=re.M)]
        assert terms == sorted(terms)


# The README ---------------------------------------------------------------------------------------


def test_files_and_subpackages_named_in_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tree = text.split("## Repository layout")[1].split("```text\n")[1].split("```")[0]
    lines = re.findall(r"^  (\w.*?)  ", tree, flags=re.M)
    packages = {package for line in lines for package in line.split(", ")}
    assert packages == {f"{p.parent.name}/" for p in (ROOT / "strategies").glob("*/__init__.py")}
    names = {p.name for folder in ("strategies", "games") for p in (ROOT / folder).rglob("*")}
    mentioned = re.findall(r"\b(\w+\.py|\w+(?=/))", tree)
    assert [
        name for name in mentioned if name not in names | {"strategies", "games", "graphs"}
    ] == []


def test_no_function_outside_kernels_is_long() -> None:
    """A docstring does not count; the functions of kernels are whole searches."""
    long = []
    for file in sorted(path for top in TOPS for path in (ROOT / top).rglob("*.py")):
        if "kernels" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                told = ast.get_docstring(node, clean=False) or ""
                lines = (node.end_lineno or 0) - node.lineno + 1 - len(told.splitlines())
                if lines > LONGEST_FUNCTION:
                    long.append(f"{file.relative_to(ROOT)}: {node.name} has {lines} lines")
    assert long == []
