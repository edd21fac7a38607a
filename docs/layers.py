"""Draw the layers of the code from the sources: packages as boxes, imports as arrows downwards.

The layers are those of the contracts that import-linter checks (``tool.importlinter`` in
pyproject.toml). The arrows are the imports in the sources, including those inside functions and
those for type checkers. Sphinx calls `write`; to call it by hand: ``python docs/layers.py FOLDER``.
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

Layers = list[list[str]]
"""The packages of each layer by their dotted names, the top layer first."""
Arrows = set[tuple[str, str]]
"""Pairs of packages: the first imports the second."""


def layers(root: Path = ROOT) -> Layers:
    """Read the layers of the three packages, each package above the layers of the next.

    >>> layers()[-2:], ["strategies.algebra", "strategies.support"] in layers()
    ([['games'], ['graphs']], True)
    """
    contracts = _contracts(root)
    rows: Layers = []
    for (package,) in contracts[""]:
        rows += contracts.get(package, [[package]])
    return rows


def inner_layers(package: str, root: Path = ROOT) -> Layers:
    """Read the layers inside a package; return an empty list if no contract orders them.

    >>> inner_layers("strategies.insight")[0], inner_layers("games")
    (['strategies.insight.report'], [])
    """
    return _contracts(root).get(package, [])


def _contracts(root: Path) -> dict[str, Layers]:
    """Read the contracts that list all subpackages of a container; "" contains the packages."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: dict[str, Layers] = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract.get(
            "exhaustive", "containers" not in contract
        ):
            for container in contract.get("containers", [""]):
                contracts[container] = [
                    sorted(f"{container}.{name.strip()}".strip(".") for name in layer.split("|"))
                    for layer in contract["layers"]
                ]
    return contracts


def arrows(rows: Layers, root: Path = ROOT) -> Arrows:
    """Read which package imports which.

    Raises: ValueError, with file and line, for an import that does not go down.
    """
    level = {package: number for number, row in enumerate(rows) for package in row}
    pairs = set()
    for package in level:
        for file, line, target in _imports(root, package):
            other = _package_of(target, level)
            if other in (None, package):
                continue
            if level[other] <= level[package]:
                raise ValueError(f"{file}:{line}: {package} imports {other}, which is not below it")
            pairs.add((package, other))
    return pairs


def _imports(root: Path, package: str) -> Iterator[tuple[Path, int, str]]:
    """Yield each import in a package's files: the file, the line, the dotted name."""
    folder = root.joinpath(*package.split("."))
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


def _package_of(target: str, level: dict[str, int]) -> str | None:
    """Return the package that contains a dotted name; None for a public name of `strategies`."""
    parts = target.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((name for name in names if name in level), None)


def needed(pairs: Arrows) -> Arrows:
    """Leave out the arrows that follow from a path through other packages.

    >>> sorted(needed({("a", "b"), ("b", "c"), ("a", "c")}))
    [('a', 'b'), ('b', 'c')]
    """
    below: dict[str, set[str]] = {}
    for upper, lower in pairs:
        below.setdefault(upper, set()).add(lower)

    def reach(package: str) -> set[str]:
        direct = below.get(package, set())
        return direct.union(*(reach(other) for other in direct))

    return {
        (upper, lower)
        for upper, lower in pairs
        if not any(lower in reach(other) for other in below[upper] if other != lower)
    }


def purpose(package: str, root: Path = ROOT) -> str:
    """Read a package's docstring up to the first line that ends a sentence.

    >>> len(purpose("games")) > 10
    True
    """
    folder = root.joinpath(*package.split("."))
    file = folder / "__init__.py"
    file = file if file.exists() else folder.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return re.split(r"(?<=[.:])\n|\n\n", docstring)[0].replace("\n", " ")


def listing(root: Path = ROOT) -> str:
    """Write the packages from top to bottom, each with its purpose, as a list in Markdown."""
    lines = []
    for row in layers(root):
        for package in row:
            lines.append(f"- **`{package}`**: {_markdown(purpose(package, root))}")
            for inner_row in inner_layers(package, root):
                for inner in inner_row:
                    name = inner.removeprefix(package + ".")
                    lines.append(f"  - `{name}`: {_markdown(purpose(inner, root))}")
    return "\n".join(lines) + "\n"


def _markdown(docstring: str) -> str:
    return docstring.replace("``", "`")


# The picture ------------------------------------------------------------------------------------

WIDE, HIGH, GAP, MARGIN, LANE, BESIDE = 600, 46, 34, 90, 13, 12
"""Pixels: the width of a layer, its height, the space between layers, the margin beside them, the
distances between arrows and between the boxes of a layer."""


def picture(root: Path = ROOT) -> str:
    """Draw the layers as an SVG element in the colour of the text around it."""
    rows = layers(root)
    drawn = needed(arrows(rows, root))
    boxes = {}
    for level, row in enumerate(rows):
        width = (WIDE - BESIDE * (len(row) - 1)) / len(row)
        for place, package in enumerate(row):
            left = MARGIN + place * (width + BESIDE)
            boxes[package] = (left, GAP + level * (HIGH + GAP), width)
    width, height = WIDE + 2 * MARGIN, len(rows) * (HIGH + GAP) + GAP
    parts = [
        f'<svg class="layers" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-labelledby="layers-title" style="max-width: 100%; height: auto" '
        'fill="none" stroke="currentColor" font-family="sans-serif">',
        '<title id="layers-title">Packages in layers; arrows are imports, all downwards. '
        "The list below the picture has the same packages.</title>",
        '<defs><marker id="layers-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor" '
        'stroke="none"/></marker></defs>',
        *(_arrow(points) for points in _paths(drawn, boxes, rows)),
        *(_box(package, *boxes[package], root) for row in rows for package in row),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(package: str, left: float, top: float, width: float, root: Path) -> str:
    middle = left + width / 2
    inside = " > ".join(
        " | ".join(name.rpartition(".")[2] for name in row) for row in inner_layers(package, root)
    )
    first, second = (top + 19, top + 36) if inside else (top + 28, top)
    text = (
        f'<text x="{middle:g}" y="{first:g}" text-anchor="middle" font-size="15" '
        f'font-weight="600" fill="currentColor" stroke="none">{package}</text>'
    )
    if inside:
        size = min(11, (width - 20) / (0.52 * len(inside)))  # a letter is about half as wide
        text += (
            f'<text x="{middle:g}" y="{second:g}" text-anchor="middle" font-size="{size:.3g}" '
            f'fill="currentColor" stroke="none" opacity="0.8">{escape(inside)}</text>'
        )
    return (
        f'<g><title>{escape(purpose(package, root))}</title><rect x="{left:g}" y="{top:g}" '
        f'width="{width:g}" height="{HIGH}" rx="6" fill="currentColor" fill-opacity="0.07"/>'
        f"{text}</g>"
    )


def _paths(drawn: Arrows, boxes: dict[str, tuple[float, float, float]], rows: Layers) -> list[str]:
    """Route each arrow: straight down to the next layer, else along a lane beside the layers."""
    level = {package: number for number, row in enumerate(rows) for package in row}
    tips: dict[str, int] = {}
    lanes = {"left": 0, "right": 0}
    paths = []
    for upper, lower in sorted(drawn, key=lambda pair: (level[pair[1]] - level[pair[0]], pair)):
        left, top, width = boxes[upper]
        target_left, target_top, target_width = boxes[lower]
        shared = max(left, target_left), min(left + width, target_left + target_width)
        if level[lower] == level[upper] + 1 and shared[0] < shared[1]:
            middle = sum(shared) / 2
            paths.append(f"M{middle:g} {top + HIGH:g}V{target_top:g}")
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
        paths.append(f"M{begin:g} {high:g}H{beside:g}V{over:g}H{end:g}V{target_top:g}")
    return paths


def _arrow(points: str) -> str:
    return f'<path d="{points}" opacity="0.75" marker-end="url(#layers-tip)"/>'


def write(folder: Path, root: Path = ROOT) -> None:
    """Write the picture and the list that the page on the architecture includes."""
    folder.mkdir(exist_ok=True)
    for name, text in (("layers.html", picture(root)), ("layers.txt", listing(root))):
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
