"""Writes expressions and statements of wanted kinds by filling templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tests.programs import literals
from tests.programs.choices import Choices, one_of
from tests.programs.kinds import Binding, Kind, allowed, chosen, filled, is_variable, matched
from tests.programs.scope import Scope
from tests.programs.templates import Hole, Rules, Template

Special = Callable[["Writer", Scope, Kind, int], str | None]

EXCEPTIONS: Final = ("ZeroDivisionError", "IndexError", "KeyError", "ValueError", "LookupError",
    "ArithmeticError", "AssertionError", "StopIteration", "RuntimeError", "Stuck",
    "UnboundLocalError", "(IndexError, ZeroDivisionError)", "(KeyError, ValueError)",
    "Exception")  # fmt: skip

LOG: Final = "log"
"""The list in which expressions note that they are evaluated."""
FAILING: Final = ("[{x}][0 if {i} < 5 else {i}]", "({x}, 1 // ({i} - 3))[0]", "[{x}][{i} // 7]",
    "{{0: {x}}}[max(0, {i} - 4)]", "({x} if {i} != 2 else 1 // 0)")  # fmt: skip
"""Expressions that fail for some values of a variable."""
QUIET: Final = ("raised", "endless", "fn", "gen", "small", "iter")


class NoWay(Exception):
    """Raised where a template does not fit, because there is no such variable."""


class Writer:
    """Writes one program; `spent` counts the templates used, so that programs stay small."""

    def __init__(
        self, choices: Choices, rules: Rules, statements: Sequence[Template],
        specials: Sequence[Special], focus: Template | None = None, limit: int = 110,
        few: bool = False,
    ) -> None:  # fmt: skip
        self.choices = choices
        self.rules = rules
        self.statements = statements
        self.specials = specials
        self.focus = focus
        self.turn = 0
        """How often the template was in focus before: each time it comes to other places."""
        self.focused = Kind("none")
        """The kind of the template in focus, with int for each letter."""
        if focus is not None:
            binding = dict.fromkeys("KOTSVNW", Kind("int"))
            self.focused = filled(focus.result, binding)
        self.spent = 0
        self.limit = limit
        self.effects = (0, 5, 12, 30)[choices.below(4)]
        """How often in a hundred an expression notes that it is evaluated."""
        self.few = few
        """Whether to keep to few kinds of values."""
        self.risk = (0, 2, 6, 20)[choices.below(4)]
        """How often in a hundred a template that often raises is used."""
        self.classes: dict[str, str] = {}
        """The texts of the program's own classes, by name."""
        self.fields: dict[str, list[tuple[str, Kind]]] = {}
        """What can be read of a record, by the record's kind."""
        self.styles: dict[str, str] = {}

    def chance(self, percent: int) -> bool:
        """Return True with a probability; False is the simplest choice."""
        return self.choices.below(100) >= 100 - percent

    def expression(self, scope: Scope, wanted: Kind, depth: int) -> str:
        """Return an expression of a kind; some note that they are evaluated, or fail."""
        if is_variable(wanted):
            wanted = self.chosen(wanted.head)
        if wanted.head == "iter" and self.focused.head == "gen" and self.chance(50):
            wanted = Kind("gen", wanted.parts)
        text = self.plain(scope, wanted, depth)
        if self.effects and wanted.head not in QUIET and self.chance(self.effects):
            return self.noted(scope, text)
        return text

    def chosen(self, letter: str) -> Kind:
        """Return a kind for which a letter may stand, often that of the template in focus."""
        if self.focused.head != "none" and allowed(letter, self.focused) and self.chance(35):
            return self.focused
        return chosen(letter, self.choices, self.few)

    def noted(self, scope: Scope, text: str) -> str:
        """Return an expression whose evaluation can be seen, if names in scope allow it."""
        ints = [name for name, one in scope.names.items() if str(one) == "int"]
        if LOG in scope.names and not (ints and self.chance(self.risk)):
            return f"({LOG}.append({self.choices.below(100)}) or {text})"
        if ints and self.chance(self.risk):
            name = one_of(self.choices, ints)
            shape = one_of(self.choices, FAILING)
            return shape.format(x=text, i=name)
        return text

    def plain(self, scope: Scope, wanted: Kind, depth: int) -> str:
        """Return an expression of a kind as the templates make it."""
        self.spent += 1
        if depth <= 0 or self.spent > self.limit:
            return self.leaf(scope, wanted)
        options, places = self.rules.of(wanted)
        if self.focus in places and not scope.module and self.chance(50):
            try:
                return self.fill(scope, *options[places[self.focus]], depth - 1)
            except NoWay:
                pass
        if not options or self.chance(25):
            return self.leaf(scope, wanted)
        for _ in range(3):
            if self.specials and self.chance(15):
                special = one_of(self.choices, self.specials)
                if text := special(self, scope, wanted, depth - 1):
                    return text
            one, binding = one_of(self.choices, options)
            if one.risky and (scope.module or not self.chance(self.risk)):
                continue
            try:
                return self.fill(scope, one, binding, depth - 1)
            except NoWay:
                continue
        return self.leaf(scope, wanted)

    def leaf(self, scope: Scope, wanted: Kind) -> str:
        """Return a variable or a literal of a kind."""
        names = scope.readable(wanted)
        if names and self.chance(75):
            return one_of(self.choices, names)
        return literals.literal(self, scope, wanted)

    def kind_in(self, scope: Scope, wanted: Kind, binding: Binding) -> Kind:
        """Return the kind with its letters chosen, as kinds of variables in scope if possible."""
        if is_variable(wanted):
            if wanted.head not in binding:
                near = [k for k in scope.names.values() if allowed(wanted.head, k)]
                binding[wanted.head] = (
                    one_of(self.choices, near)
                    if near and self.chance(50)
                    else self.chosen(wanted.head)
                )
            return binding[wanted.head]
        if not wanted.parts:
            return wanted
        for part in wanted.parts:
            self.kind_in(scope, part, binding)
        return filled(wanted, binding)

    def fill(self, scope: Scope, one: Template, binding: Binding, depth: int) -> str:
        """Return an expression template's text with every hole filled."""
        if one.assigns and not scope.walrus:
            raise NoWay
        text = self.filled(scope, one, dict(binding), depth, [])
        return text if one.atomic else f"({text})"

    def filled(
        self, scope: Scope, one: Template, binding: Binding, depth: int,
        bound: list[tuple[str, Kind]],
    ) -> str:  # fmt: skip
        """Return a template's text; enter the names that it binds.

        Requires: the caller gives these names to what follows.
        """
        names: dict[str, str] = {}
        later: list[tuple[int, Hole]] = []
        out: list[str] = []
        for part in one.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            if part.word in ("block", "loop", "calm", "body", "yields"):
                later.append((len(out), part))
                out.append("")
                continue
            out.append(self.one_hole(scope, part, names, binding, depth, bound))
        if later:
            defines = "def {f=" in one.text
            itself = not defines or self.chance(2)
            inside = scope.block({name: k for name, k in bound if itself or k.head[-2:] != "fn"})
            inside.own.update(bound)
            for place, part in later:
                text = self.block_hole(inside, part, names, binding, depth)
                out[place] = text.replace("\n", "\n" + part.indent)
        return "".join(out)

    def name(self, scope: Scope, letter: str, names: dict[str, str]) -> str:
        """Return the name for a letter of a template; longer names stand for themselves."""
        if len(letter) > 1:
            return letter
        if letter not in names:
            names[letter] = scope.fresh(self.choices, set(names.values()))
        return names[letter]

    def bound_in(
        self, scope: Scope, part: Hole, names: dict[str, str], binding: Binding
    ) -> dict[str, Kind]:
        """Return the names and kinds that a hole binds."""
        return {
            self.name(scope, letter, names): self.kind_in(scope, one, binding)
            for letter, one in part.binds
        }

    def one_hole(
        self, scope: Scope, part: Hole, names: dict[str, str], binding: Binding, depth: int,
        bound: list[tuple[str, Kind]],
    ) -> str:  # fmt: skip
        """Return the text of a hole of an expression or of a name."""
        match part.word:
            case "name":
                return self.name(scope, part.binds[0][0], names)
            case "new":
                letter, pattern = part.binds[0]
                one = self.kind_in(scope, pattern, binding)
                if letter not in names and len(letter) == 1 and one.head != "fn":
                    olds = [n for n in scope.writable(one) if n not in names.values()]
                    if olds and self.chance(35):
                        names[letter] = one_of(self.choices, olds)
                bound.append((self.name(scope, letter, names), one))
                return bound[-1][0]
            case "var" | "old":
                assert part.kind is not None
                find = scope.readable if part.word == "var" else scope.writable
                if is_variable(part.kind) and part.kind.head not in binding:
                    near = [k for n, k in scope.names.items() if allowed(part.kind.head, k)]
                    if not near:
                        raise NoWay
                    binding[part.kind.head] = one_of(self.choices, near)
                key = f"{part.word} {part.kind}"
                if key not in names:
                    found = find(self.kind_in(scope, part.kind, binding))
                    if not found:
                        raise NoWay
                    names[key] = one_of(self.choices, found)
                return names[key]
            case "exc":
                return one_of(self.choices, EXCEPTIONS)
            case "ret" | "out":
                wanted = scope.returns if part.word == "ret" else scope.yields
                if wanted is None:
                    raise NoWay
                return self.expression(scope, wanted, depth)
        if part.word == "focus":
            return self.in_focus(scope, part, names, binding, depth)
        assert part.kind is not None
        inner = scope.inner(self.bound_in(scope, part, names, binding), walrus=not part.calm)
        return self.expression(inner, self.kind_in(scope, part.kind, binding), depth)

    def in_focus(
        self, scope: Scope, part: Hole, names: dict[str, str], binding: Binding, depth: int
    ) -> str:
        """Return an expression by the template in focus.

        Raises: NoWay if it is not of the kind.
        """
        assert part.kind is not None
        inner = scope.inner(self.bound_in(scope, part, names, binding), walrus=not part.calm)
        wanted = self.kind_in(scope, part.kind, binding)
        _, fits = self.rules.of(wanted)
        if self.focus not in fits:
            raise NoWay
        return self.fill(inner, *self.rules.of(wanted)[0][fits[self.focus]], min(depth, 2))

    def placed(self, scope: Scope, place: Template) -> str | None:
        """Return a statement that holds the construct in focus; None if it cannot."""
        binding: Binding = {}
        if self.focus is None or not matched(place.result, self.focused, binding):
            return None
        bound: list[tuple[str, Kind]] = []
        try:
            text = self.filled(scope, place, binding, 3, bound)
        except NoWay:
            return None
        for name, one in bound:
            scope.bind(name, one)
        return text

    def block_hole(
        self, scope: Scope, part: Hole, names: dict[str, str], binding: Binding, depth: int
    ) -> str:
        """Return the statements of a block or of a function's body."""
        bound = self.bound_in(scope, part, names, binding)
        if part.word in ("body", "yields"):
            assert part.kind is not None
            result = self.kind_in(scope, part.kind, binding)
            if part.word == "yields":
                inner = scope.function(bound, None, result)
                return self.generator(inner, depth)
            return self.function(scope.function(bound, result, None), depth)
        inner = scope.block(bound)
        inner.own.update(bound)
        inner.fixed |= bound.keys()
        if part.word == "loop":
            inner.in_loop = True
        if part.word == "calm":
            inner.in_loop, inner.returns, inner.yields = False, None, None
        text = self.block(inner, depth, 1 + self.choices.below(2))
        for name in inner.names.keys() - scope.names.keys() - bound.keys():
            if self.chance(12):
                scope.names[name] = inner.names[name]
        return text

    def block(self, scope: Scope, depth: int, count: int) -> str:
        """Return some statements."""
        return "\n".join(self.statement(scope, depth) for _ in range(count))

    def statement(self, scope: Scope, depth: int) -> str:
        """Return a statement; enter the names that it binds in the scope."""
        self.spent += 2
        if scope.uncalled and self.chance(70):
            name = scope.uncalled.pop()
            if name in scope.names and scope.names[name].head in ("fn", "kwfn", "starfn"):
                return self.call(scope, name, scope.names[name])
        if depth > 0 and self.spent < self.limit:
            for _ in range(4):
                one = one_of(self.choices, self.statements)
                if self.focus is not None and self.chance(10) and self.focus in self.statements:
                    one = self.focus
                if "    " in one.text and self.spent * 2 > self.limit and self.chance(60):
                    continue
                if one.risky and one is not self.focus and not self.chance(self.risk):
                    continue
                if one.text.startswith("if") and one.leaves and not scope.in_loop:
                    continue
                try:
                    bound: list[tuple[str, Kind]] = []
                    text = self.filled(scope, one, {}, depth - ("    " in one.text), bound)
                except NoWay:
                    continue
                for name, one_kind in bound:
                    scope.bind(name, one_kind)
                return text
        wanted = self.chosen("T")
        text = self.expression(scope, wanted, 1)
        name = scope.fresh(self.choices, set())
        scope.bind(name, wanted)
        return f"{name} = {text}"

    def call(self, scope: Scope, name: str, one: Kind) -> str:
        """Return a statement that calls a function and names its result."""
        arguments = [self.expression(scope, part, 2) for part in one.parts[:-1]]
        if one.head == "kwfn" and self.chance(60):
            arguments[1] = f"{('second', 'third')[self.choices.below(2)]}={arguments[1]}"
        text, result = f"{name}({', '.join(arguments)})", one.parts[-1]
        if result.head in ("gen", "endless"):
            count = self.choices.below(6)
            text = f"list({text})" if result.head == "gen" else f"list(islice({text}, {count}))"
            result = Kind("list", result.parts)
        olds = scope.writable(result)
        found = one_of(self.choices, olds) if olds and self.chance(25) else ""
        found = found or scope.fresh(self.choices, set())
        scope.bind(found, result)
        return f"{found} = {text}"

    def function(self, scope: Scope, depth: int) -> str:
        """Return the body of a function: statements, then its result."""
        assert scope.returns is not None
        lines = []
        if depth > 0 and self.spent < self.limit:
            lines.append(self.block(scope, depth, self.choices.below(3)))
        lines.append(f"return {self.expression(scope, scope.returns, max(depth, 1))}")
        return "\n".join(filter(None, lines))

    def generator(self, scope: Scope, depth: int) -> str:
        """Return the body of a generator, which yields at least once in its text."""
        assert scope.yields is not None
        lines = []
        for _ in range(1 + self.choices.below(3)):
            lines.append(f"yield {self.expression(scope, scope.yields, max(depth, 1))}")
            if depth > 0 and self.chance(60):
                lines.append(self.statement(scope, depth))
        return "\n".join(lines)
