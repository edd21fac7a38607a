"""Random rules, as their text: functions of a row of four numbers that give a number.

Each kind of expression and statement is a template.  In a template, `{int}` stands for another
expression of that kind, `{v}` and `w` for names of its own, `{of}` and `{if}` for a number and a
condition that are made of the first; `⟨` and `⟩` are braces.  In statements, `{new_int}` stands for
a new name, `{old_int}` for one that may be assigned, `{block}` for statements further in.
"""

from __future__ import annotations

import re
from random import Random

INT = """({int} + {int})|({int} - {int})|({int} * {int} % 97)|({int} // ({int} % 5 + 2))|-{int}
({int} % ({int} % 5 - 7))|abs({int})|min({int}, {int})|max({int}, {int}, {int})|len({list})
max({list}, default={int})|sum({list}, {int})|sum({list})|{name}[{int} % 3 - 2]|{name}.count({int})
{name}.index({int})|int({bool})|({int} if {bool} else {int})|({int} & {int})|({int} ^ {int})
({int} % 50 << 2)|({int} % 50 >> 1)|divmod({int}, -3)[0]|({int} % 9) ** 2|round({int} / 4)
sum({of} for {v} in {list})|sum({of} for {v} in {list} if {if})|({bool} + {int})
min(({of} for {v} in {list}), default={int})|next(({of} for {v} in {list} if {if}), {int})
max({list} or [{int}], key=lambda {v}: {of})|len(⟨{of} for {v} in {list}⟩)
sum({v} * w for {v}, w in zip({list}, {list}))|sum({v} * w for {v}, w in enumerate({list}, 2))
⟨{int}: {int}, {int}: {int}⟩.get({int}, {int})|{row}[{int} % 4]"""
OF = "{v}|{v} * {v} % 31|{v} + {int}|{v} % -3|-{v}|abs({v} - {int})|({v} if {v} > {int} else {int})"
IF = "{v} % 2|{v} > {int}|{v} in {list}|not {v}|{int} <= {v} < {int}|{v} != {int}"
BOOL = """{int} < {int}|{int} == {int}|({int} < {int} <= {int})|({bool} and {bool})|(not {bool})
({bool} or {bool})|{int} in {list}|{int} not in {row}|any({if} for {v} in {list})|bool({list})
all({if} for {v} in {list})|({list} == {list})|({list} < {list})|({row} != {row})|bool({int})"""
LIST = """[{int}, {int}]|[{int}]|[{of} for {v} in {list}]|[{of} for {v} in {list} if {if}]
sorted({list})|list(range({int} % 6))|list(range({int} % 7, {int} % 4 - 3, -2))
sorted({list}, reverse={bool})
sorted({list}, key=lambda {v}: ({of}, {v}))|({list} + {list})|{name}[{int} % 4 - 1:{int} % 5]
{name}[::-1]|list(reversed({list}))|[*{list}, {int}]|list(map(lambda {v}: {of}, {list}))|list({row})
list(filter(lambda {v}: {if}, {list}))|sorted(set({list}))|({list} if {bool} else {list})
[{v} * w for {v}, w in zip({list}, {list})]|[{v} + w for {v}, w in enumerate({list})]
[{v} + w for {v} in {list} for w in {list}][:7]|[({int} if {if} else {v}) for {v} in {list}]"""
ROW = "t|t|({int}, {int}, {int}, {int})|{row}[:2] + ({int}, {int})|tuple({of} for {v} in t)"
STATEMENTS = """{new_int} = {int}|{new_list} = {list}|{new_list} = [*{list}]|{new_row} = {row}
{old_int} += {int}|{old_int} = {int}|{name} = {name}|{name}.append({int})|{name}[{int} % 2] = {int}
{name}.insert({int} % 3, {int})|{name}.extend({list})|{name}.reverse()|{name}.sort()|{name} = {list}
{name}[1:2] = {list}|{name}[-1] += {int}|if {name}: {name}.pop({int} % 1)|del {name}[:1]
if {bool}:{block}|if {bool}:{block};else:{block}|for {new_int} in {list}:{block}
for {new_int} in range({int} % 6):{block}|for {new_int}, {new_int} in enumerate({list}):{block}
for {new_int}, {new_int} in zip({list}, {list}):{block}|for {new_int} in reversed({list}):{block}
for {v} in {list}:;    if {if}: continue;    {old_int} += {v}
for {v} in {list}:;    if {if}: break;else:{block}"""
TEMPLATES = {
    kind: re.split(r"[|\n]", text)
    for kind, text in {
        "int": INT, "of": OF, "if": IF, "bool": BOOL, "list": LIST, "row": ROW, "do": STATEMENTS,
    }.items()
}  # fmt: skip
BRACES = {ord("⟨"): "{", ord("⟩"): "}"}
DEEPEST = 3
"""Expressions inside each other."""


class Rule:
    """The text of one rule, while it is written."""

    def __init__(self, seed: int) -> None:
        self.random, self.count = Random(seed), 0
        self.names: dict[str, list[str]] = {"int": ["a", "b"], "list": ["c", "d"], "row": ["t"]}

    def text(self) -> str:
        """The function's definition."""
        body = ["a, b = t[0], t[1] - t[2]", "c = [x + 1 for x in t]", "d = [t[3], t[1]]"]
        body += [line for _ in range(self.random.randint(2, 5)) for line in self.statement(2)]
        parts = [f"{n} % 1009" for n in self.names["int"][-4:]]
        parts += [f"(sum({n}) + 31 * len({n})) % 1009" for n in self.names["list"][-3:]]
        parts += [f"sum({n}) % 1009" for n in self.names["row"][-1:]]
        return "\n    ".join(["def rule(t):", *body, f"return {' + '.join(parts)}"])

    def new(self, letter: str) -> str:
        """A name that nothing has."""
        self.count += 1
        return f"{letter}{self.count}"

    def expression(self, kind: str, depth: int, own: str = "") -> str:
        """An expression of a kind; its parts may be made of the name `own`."""
        if depth <= 0 or self.random.random() < 0.15:
            if kind in self.names and kind != "of":
                plain = self.random.choice(self.names[kind])
                return plain if self.random.random() < 0.8 or kind != "int" else "3"
            if kind == "bool":
                return "a < b"
        template = self.random.choice(TEMPLATES[kind])
        name = own if kind in ("of", "if") else self.new("v")

        def part(hole: re.Match[str]) -> str:
            word = hole[1]
            if word == "v":
                return name
            if word == "name":
                return self.random.choice(self.names["list"])
            return self.expression(word, depth - 1, name)

        filled = re.sub(r"\{(\w+)\}", part, re.sub(r"\bw\b", f"{name}w", template))
        return filled.translate(BRACES)

    def statement(self, depth: int) -> list[str]:
        """Lines of a statement; what is new in a block is known there alone."""
        template = self.random.choice(TEMPLATES["do"])
        while depth <= 0 and "{block}" in template:
            template = self.random.choice(TEMPLATES["do"])
        own, begun = self.new("v"), []

        def part(hole: re.Match[str]) -> str:
            word = hole[1]
            if word.startswith("new_"):
                begun.append((word[4:], self.new(word[4])))
                return begun[-1][1]
            if word == "old_int":
                return self.random.choice([n for n in self.names["int"] if n in ("a", "b")])
            if word == "name":
                return self.random.choice(self.names["list"])
            return own if word == "v" else self.expression(word, DEEPEST, own)

        lines: list[str] = []
        for line in re.sub(r"\{(?!block)(\w+)\}", part, template).split(";"):
            head, block, _ = line.partition("{block}")
            lines.append(head)
            if block:
                before = {kind: list(names) for kind, names in self.names.items()}
                for kind, name in begun:
                    self.names[kind].append(name)
                inner = [s for _ in range(2) for s in self.statement(depth - 1)]
                lines += [f"    {s}" for s in inner]
                self.names = before
        if "{block}" not in template:
            for kind, name in begun:
                self.names[kind].append(name)
        return lines
