"""Generate random rules as text: functions of four numbers that return an int and a float.

A rule uses the templates of one or two themes rather than all, so that not every rule contains
something that does not compile.
"""

from __future__ import annotations

import ast
import re
from random import Random

from tests.strategies.native.random_templates import THEMES, templates

BRACES = {ord("⟨"): "{", ord("⟩"): "}"}
DEEPEST = 3
"""The depth of nested expressions."""
HEAD = """import math
from itertools import combinations, pairwise
from attrs import evolve
from games.tuples import put
from games.u64 import U64
from tests.strategies.native.random_parts import *
from tests.strategies.native.random_parts import GRID, LINES, PRIMES, SHARES, WORTH

"""
BEGIN = {
    "plain": ["a, b = t[0], t[1] - t[2]", "c = [x + 1 for x in t]", "d = [t[3], t[1]]"],
    "records": [
        "p = Pair(t[0], t[3])",
        "s = State(t, p, (p, Pair(t[1], 1), Pair(2, t[2])), t[1] / 2)",
        "ps = [p, Pair(3, t[1])]",
    ],
    "floats": ["f = t[0] / 2", "g = [t[1] / 4, 0.5]"],
    "boards": ["m = (t[:3], t[1:], (t[3], 5, t[0]))"],
    "tables": ["e = {t[0]: t[1], 3: 4}", "u = {t[2], 1}", "h = U64(t[3] & 255)"],
}
NAMES = {
    "plain": {"int": ["a", "b"], "list": ["c", "d"], "row": ["t"]},
    "records": {"pair": ["p"], "state": ["s"], "pairs": ["ps"]},
    "floats": {"float": ["f"], "floats": ["g"]},
    "boards": {"board": ["m"]},
    "tables": {"dict": ["e"], "set": ["u"], "word": ["h"]},
}
WORTH = {
    "int": "{0} % 1009",
    "list": "(sum({0}) + 31 * len({0})) % 1009",
    "row": "sum({0}) % 1009 + {0}[0] % 7",
    "pair": "({0}.x + 3 * {0}.y) % 1009",
    "pairs": "sum([q.x + 3 * q.y for q in {0}]) % 1009 + len({0})",
    "state": "({0}.pair.x + {0}.pairs[0].y * 3 + {0}.pairs[2].x + {0}.row[0]) % 1009 + {0}.over",
    "float": "number({0}) % 1009",
    "floats": "sum([number(q) for q in {0}]) % 1009 + len({0})",
    "board": "sum([(q[0] + 3 * q[1] + 5 * q[2]) % 1009 for q in {0}]) + {0}[0][1] % 1009",
    "dict": "len({0}) + sum([(q * {0}[q]) % 1009 for q in sorted({0})])",
    "set": "len({0}) + sum(sorted({0})) % 1009",
    "word": "int({0} % U64(1009))",
}
"""The expression of a number that represents a value, by its kind."""


class Rule:
    """The text of one rule while it is generated."""

    def __init__(self, seed: int, *themes: str) -> None:
        self.random, self.count = Random(seed), 0
        every = sorted(THEMES)
        chosen = themes or self.random.sample(every, self.random.randint(1, 2))
        self.themes = ("plain", *(theme for theme in chosen if theme != "plain"))
        self.names = {kind: list(n) for theme in self.themes for kind, n in NAMES[theme].items()}
        self.assigned = {kind: list(names) for kind, names in self.names.items()}
        self.templates = {
            kind: self.random.sample(every, max(6, len(every) // 2)) if len(every) > 12 else every
            for kind, every in templates(self.themes).items()
        }

    def text(self) -> str:
        """Return the text of the module that defines the function."""
        body = [line for theme in self.themes for line in BEGIN[theme]]
        body += [line for _ in range(self.random.randint(1, 4)) for line in self.statement(2)]
        inner = "\n    ".join(["def rule(t):", *body, f"return {self.result()}"])
        return ast.unparse(ast.parse(f"{HEAD}\n{inner}"))

    def result(self) -> str:
        """Return an expression that represents the values of all names."""
        parts = [
            WORTH[kind].format(name) for kind, names in self.names.items() for name in names[-3:]
        ]
        last = self.names["float"][-1] if "float" in self.names else "0.5"
        return f"({' + '.join(parts)}, {last} + 0.0)"

    def new(self, letter: str) -> str:
        """Return an unused name."""
        self.count += 1
        return f"{letter}{self.count}"

    def expression(self, kind: str, depth: int, own: str = "") -> str:
        """Return an expression of a kind; its parts may use the name `own`."""
        if depth <= 0 or self.random.random() < 0.15:
            if kind in self.names:
                plain = self.random.choice(self.names[kind])
                return plain if self.random.random() < 0.8 or kind != "int" else "3"
            if kind in ("bool", "pt"):
                return {"bool": "a < b", "pt": "(a, b)"}[kind]
        template = self.random.choice(self.templates[kind])
        name = own if kind in ("of", "if") else self.new("v")

        def part(hole: re.Match[str]) -> str:
            word = hole[1]
            if word == "v":
                return name
            if word.startswith("any_"):
                return self.random.choice(self.names[word[4:]])
            return self.expression(word, depth - 1, name)

        filled = re.sub(r"\{(\w+)\}", part, re.sub(r"\bw\b", f"{name}w", template))
        filled = filled.translate(BRACES)
        return filled if filled.isidentifier() else f"({filled})"

    def statement(self, depth: int) -> list[str]:
        """Return the lines of a statement; names defined in a block are known only there."""
        template = self.random.choice(self.templates["do"])
        while depth <= 0 and "{block}" in template:
            template = self.random.choice(self.templates["do"])
        own, begun = self.new("v"), []

        def part(hole: re.Match[str]) -> str:
            word = hole[1]
            if word.startswith("new_"):
                begun.append((word[4:], self.new(f"{word[4]}_")))
                return begun[-1][1]
            if word.startswith("old_"):
                return self.random.choice(self.assigned[word[4:]])
            if word.startswith("any_"):
                return self.random.choice(self.names[word[4:]])
            if word == "result":
                return self.result()
            if word in ("v", "fun", "grid"):
                return own if word == "v" else f"{own}{word}"
            return self.expression(word, DEEPEST, own)

        lines: list[str] = []
        template = re.sub(r"\bw\b", f"{own}w", template)
        for line in re.sub(r"\{(?!block)(\w+)\}", part, template).split(";"):
            head, block, _ = line.translate(BRACES).partition("{block}")
            lines.append(head)
            if block:
                indent = " " * (len(head) - len(head.lstrip()) + 4)
                before = {kind: list(names) for kind, names in self.names.items()}
                for kind, name in begun:
                    self.names[kind].append(name)
                inner = [s for _ in range(2) for s in self.statement(depth - 1)]
                lines += [f"{indent}{s}" for s in inner]
                self.names = before
        if "{block}" not in template:
            for kind, name in begun:
                self.names[kind].append(name)
        return lines
