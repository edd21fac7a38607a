"""The floors of the house, drawn from the code: rooms as boxes, imports as arrows downwards.

The floors are those that import-linter checks (``tool.importlinter`` in pyproject.toml); arrows are
the imports of the sources, those inside functions and those for type checkers too.  Sphinx calls
`write`; by hand it is ``python docs/floors.py FOLDER``.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]

Floors = list[list[str]]
"""The rooms of each floor by their dotted names, the top floor first."""
Arrows = set[tuple[str, str]]
"""Which room imports which."""


def floors(root: Path = ROOT) -> Floors:
    """Reads the floors of the three packages, each package below the floors of the one above.

    >>> floors()[-2:], ["strategies.algebra", "strategies.support"] in floors()
    ([['games'], ['graphs']], True)
    """
    layers = _layers(root)
    found: Floors = []
    for (package,) in layers[""]:
        found += layers.get(package, [[package]])
    return found


def inner_floors(room: str, root: Path = ROOT) -> Floors:
    """Reads the floors inside a room; none where no contract orders them.

    >>> inner_floors("strategies.insight")[0], inner_floors("games")
    (['strategies.insight.report'], [])
    """
    return _layers(root).get(room, [])


def _layers(root: Path) -> dict[str, Floors]:
    """The layers of contracts that name all rooms of a container; those of the packages by ""."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Floors] = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get(
            "exhaustive", "containers" not in contract
        ):
            for container in contract.get("containers", [""]):
                found[container] = [
                    sorted(f"{container}.{name.strip()}".strip(".") for name in layer.split("|"))
                    for layer in contract["layers"]
                ]
    return found


def arrows(rooms: Floors, root: Path = ROOT) -> Arrows:
    """Reads which room imports which.

    Raises: ValueError, with file and line, for an import that does not go down.
    """
    floor = {room: level for level, row in enumerate(rooms) for room in row}
    found = set()
    for room in floor:
        for file, line, target in _imports(root, room):
            other = _room_of(target, floor)
            if other in (None, room):
                continue
            if floor[other] <= floor[room]:
                raise ValueError(f"{file}:{line}: {room} imports {other}, which is not below it")
            found.add((room, other))
    return found


def _imports(root: Path, room: str) -> Iterator[tuple[Path, int, str]]:
    """Each import of a room's files: the file, the line, the dotted name."""
    folder = root.joinpath(*room.split("."))
    for file in sorted(folder.rglob("*.py")) or [folder.with_suffix(".py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    targets = [alias.name for alias in names]
                case ast.ImportFrom(module=str(module), names=names, level=0):
                    targets = [f"{module}.{alias.name}" for alias in names]
                case _:
                    continue
            for target in targets:
                yield file.relative_to(root), node.lineno, target


def _room_of(target: str, rooms: dict[str, int]) -> str | None:
    """The room that a dotted name is in; None if it is in none, as a public name of a root is."""
    parts = target.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((name for name in names if name in rooms), None)


def needed(found: Arrows) -> Arrows:
    """Leaves out the arrows between rooms that a way over other rooms joins already.

    >>> sorted(needed({("a", "b"), ("b", "c"), ("a", "c")}))
    [('a', 'b'), ('b', 'c')]
    """
    below: dict[str, set[str]] = {}
    for upper, lower in found:
        below.setdefault(upper, set()).add(lower)

    def reach(room: str) -> set[str]:
        direct = below.get(room, set())
        return direct.union(*(reach(other) for other in direct))

    return {
        (upper, lower)
        for upper, lower in found
        if not any(lower in reach(other) for other in below[upper] if other != lower)
    }


def purpose(room: str, root: Path = ROOT) -> str:
    """Reads the first paragraph of a room's docstring, to the end of the line that ends a sentence.

    >>> len(purpose("games")) > 10
    True
    """
    folder = root.joinpath(*room.split("."))
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=[.:])\n|\n\n", docstring)[0].replace("\n", " ")


def listing(root: Path = ROOT) -> str:
    """Writes the rooms in order, each with its purpose, as a list in Markdown."""
    lines = []
    for row in floors(root):
        for room in row:
            lines.append(f"- **`{room}`**: {_markdown(purpose(room, root))}")
            for inner_row in inner_floors(room, root):
                for inner in inner_row:
                    name = inner.removeprefix(room + ".")
                    lines.append(f"  - `{name}`: {_markdown(purpose(inner, root))}")
    return "\n".join(lines) + "\n"


def _markdown(docstring: str) -> str:
    return docstring.replace("``", "`")


# The picture ------------------------------------------------------------------------------------

WIDE, HIGH, GAP, MARGIN, LANE, BESIDE = 600, 46, 34, 90, 13, 12
"""Pixels: a floor, its height, between floors, beside them, between arrows, between rooms."""


def picture(root: Path = ROOT) -> str:
    """Draws the floors as an SVG element in the colour of the text around it."""
    rows = floors(root)
    drawn = needed(arrows(rows, root))
    boxes = {}
    for level, row in enumerate(rows):
        width = (WIDE - BESIDE * (len(row) - 1)) / len(row)
        for place, room in enumerate(row):
            left = MARGIN + place * (width + BESIDE)
            boxes[room] = (left, GAP + level * (HIGH + GAP), width)
    width, height = WIDE + 2 * MARGIN, len(rows) * (HIGH + GAP) + GAP
    parts = [
        f'<svg class="floors" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-labelledby="floors-title" style="max-width: 100%; height: auto" '
        'fill="none" stroke="currentColor" font-family="sans-serif">',
        '<title id="floors-title">The rooms on their floors; arrows are imports, all downwards. '
        "The list below the picture says the same.</title>",
        '<defs><marker id="floors-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor" '
        'stroke="none"/></marker></defs>',
        *(_arrow(points) for points in _ways(drawn, boxes, rows)),
        *(_box(room, *boxes[room], root) for row in rows for room in row),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(room: str, left: float, top: float, width: float, root: Path) -> str:
    middle = left + width / 2
    inside = " > ".join(
        " | ".join(name.rpartition(".")[2] for name in row) for row in inner_floors(room, root)
    )
    first, second = (top + 19, top + 36) if inside else (top + 28, top)
    text = (
        f'<text x="{middle:g}" y="{first:g}" text-anchor="middle" font-size="15" '
        f'font-weight="600" fill="currentColor" stroke="none">{room}</text>'
    )
    if inside:
        size = min(11, (width - 20) / (0.52 * len(inside)))  # a letter is about half as wide
        text += (
            f'<text x="{middle:g}" y="{second:g}" text-anchor="middle" font-size="{size:.3g}" '
            f'fill="currentColor" stroke="none" opacity="0.8">{escape(inside)}</text>'
        )
    return (
        f'<g><title>{escape(purpose(room, root))}</title><rect x="{left:g}" y="{top:g}" '
        f'width="{width:g}" height="{HIGH}" rx="6" fill="currentColor" fill-opacity="0.07"/>'
        f"{text}</g>"
    )


def _ways(drawn: Arrows, boxes: dict[str, tuple[float, float, float]], rows: Floors) -> list[str]:
    """The path of each arrow: straight down to the next floor, else by a lane beside the floors."""
    level = {room: number for number, row in enumerate(rows) for room in row}
    tips: dict[str, int] = {}
    lanes = {"left": 0, "right": 0}
    ways = []
    for upper, lower in sorted(drawn, key=lambda pair: (level[pair[1]] - level[pair[0]], pair)):
        left, top, width = boxes[upper]
        target_left, target_top, target_width = boxes[lower]
        shared = max(left, target_left), min(left + width, target_left + target_width)
        if level[lower] == level[upper] + 1 and shared[0] < shared[1]:
            middle = sum(shared) / 2
            ways.append(f"M{middle:g} {top + HIGH:g}V{target_top:g}")
            continue
        outer = rows[level[upper]]
        sides = (["left"] if upper == outer[0] else []) + (["right"] if upper == outer[-1] else [])
        row = rows[level[lower]]
        near = [side for side in sides if lower == row[0 if side == "left" else -1]]
        side = min(near or sides, key=lanes.__getitem__)
        lane = lanes[side]
        lanes[side] += 1
        tip = tips[lower] = tips.get(lower, 0) + 1
        out = LANE * (lane + 1)
        if side == "left":
            begin, beside, end = left, MARGIN - out, target_left + 2 * LANE * tip
        else:
            begin, beside = left + width, MARGIN + WIDE + out
            end = target_left + target_width - 2 * LANE * tip
        over = target_top - 8 - 4 * (tip % 4)
        high = top + HIGH / 2 + 5 * (lane % 3 - 1)
        ways.append(f"M{begin:g} {high:g}H{beside:g}V{over:g}H{end:g}V{target_top:g}")
    return ways


def _arrow(points: str) -> str:
    return f'<path d="{points}" opacity="0.75" marker-end="url(#floors-tip)"/>'


def write(folder: Path, root: Path = ROOT) -> None:
    """Writes the picture and its list for the page on the architecture."""
    folder.mkdir(exist_ok=True)
    for name, text in (("floors.html", picture(root)), ("floors.txt", listing(root))):
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
