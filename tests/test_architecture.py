"""The page on the architecture: its floors, the way of a search, and each addition, carried out."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

import pytest

from strategies import alphabeta, jamboree, search
from strategies.running.execution.dispatch import kernel_of

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def of_docs(name: str) -> ModuleType:
    """A module beside the pages."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # attrs asks for it
    spec.loader.exec_module(module)
    return module


# The way of one search -------------------------------------------------------------------------


def section(title: str) -> str:
    """The text under a heading, up to the next one that is as high."""
    level, _, _ = title.partition(" ")
    return re.split(rf"^#{{1,{len(level)}}} ", PAGE.split(f"{title}\n")[1], flags=re.M)[0]


def traced(action: Any) -> set[str]:
    """The files of `strategies/` whose functions an action calls, in any thread."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    house = ROOT / "strategies"
    return {str(Path(f).relative_to(house)) for f in files if Path(f).is_relative_to(house)}


def test_the_way_of_a_search_is_the_one_told() -> None:
    told = re.findall(r"^\| `(\S+\.py)` \|", section("## The way of one search"), flags=re.M)
    assert len(told) == len(set(told)), "each file is named once"
    algorithm, game = alphabeta(depth=12), of_docs("coins").Coins()

    def way() -> None:
        search(game, algorithm, using=jamboree(0.5).to_ply(2)).compute(num_workers=2)

    search(game, algorithm).warm()  # compiles the rules
    way()  # fills what is kept
    kernel = Path(inspect.getfile(kernel_of(algorithm, False))).relative_to(ROOT / "strategies")
    assert set(told) == traced(way) | {str(kernel)}


# The floors --------------------------------------------------------------------------------------


def test_every_room_is_on_a_floor_and_in_the_list() -> None:
    drawn = of_docs("floors")
    rooms = [room for floor in drawn.floors() for room in floor]
    folders = {p.parent.name for p in (ROOT / "strategies").glob("*/__init__.py")}
    assert {room.partition(".")[2] for room in rooms} - {""} == folders
    listed = re.findall(r"^- \*\*`(\S+)`\*\*: \S", drawn.listing(), flags=re.M)
    assert listed == rooms
    assert re.findall(r">([\w.]+)</text>", drawn.picture()) == rooms


def test_an_import_that_goes_up_is_refused(tmp_path: Path) -> None:
    drawn = of_docs("floors")
    for room, text in {"upper": "", "lower": "def f():\n    from upper import thing\n"}.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(text)
    assert drawn.arrows([["lower"], ["upper"]], tmp_path) == {("lower", "upper")}
    with pytest.raises(ValueError, match=r"lower.__init__\.py:2: lower imports upper"):
        drawn.arrows([["upper"], ["lower"]], tmp_path)


# Additions ---------------------------------------------------------------------------------------


class Edit(NamedTuple):
    """One place of an addition: a new file, or lines beside others that are there once."""

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
            assert not file.exists(), f"{self.path} is there already"
            file.write_text(self.text, encoding="utf-8")
            return
        whole = file.read_text(encoding="utf-8")
        assert whole.count(self.anchor) == 1, f"{self.path}: {self.anchor!r} is not there once"
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
        "strategies/algorithms/algorithm.py",
    ),
    "game": ("tests/games/test_stones.py", "tests/games/test_catalogue.py"),
    "command": ("tests/strategies/cli/test_commands.py",),
    "picture": ("tests/strategies/insight/pictures/test_node_counts.py",),
}
"""What is run after each."""
LARGEST = {
    "strategy": (3, 25),
    "algorithm": (3, 30),
    "game": (3, 60),
    "command": (2, 30),
    "picture": (4, 60),
}
"""The files, and the lines that are not empty, that each may take, its test included."""


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
    """All of them in one copy of the sources, for each starts a fresh interpreter."""
    skipped = shutil.ignore_patterns("__pycache__", "*.svg")
    drawn = of_docs("floors")
    packages = {room.partition(".")[0] for floor in drawn.floors() for room in floor}
    for folder in (*packages, "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for what in ADDITIONS:
        for edit in edits(what):
            edit.apply(tmp_path)
    drawn.arrows(drawn.floors(), tmp_path)  # none of their imports goes up
    tests = [test for added in ADDITIONS.values() for test in added]
    told = {**os.environ, "PYTHONPATH": str(tmp_path), "JAMBOREE_LAWS": "dev"}
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
    done = subprocess.run(command, cwd=tmp_path, env=told, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    [(typed, printed)] = re.findall(r"^```text\n\$ jamboree (.*)\n([^`]*)", PAGE, flags=re.M)
    program = [sys.executable, "-m", "strategies.cli", *typed.split()]
    ran = subprocess.run(program, cwd=tmp_path, env=told, capture_output=True, text=True)
    assert ran.stdout == printed


# The glossary ------------------------------------------------------------------------------------


def test_the_files_of_the_glossary_are_there() -> None:
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


def test_the_files_and_rooms_that_the_readme_names_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tree = text.split("## Where things stand")[1].split("```text\n")[1].split("```")[0]
    lines = re.findall(r"^  (\w.*?)  ", tree, flags=re.M)
    rooms = {room for line in lines for room in line.split(", ")}
    assert rooms == {f"{p.parent.name}/" for p in (ROOT / "strategies").glob("*/__init__.py")}
    names = {p.name for folder in ("strategies", "games") for p in (ROOT / folder).rglob("*")}
    mentioned = re.findall(r"\b(\w+\.py|\w+(?=/))", tree)
    assert [
        name for name in mentioned if name not in names | {"strategies", "games", "graphs"}
    ] == []
