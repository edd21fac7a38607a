"""Templates: the code that Numba makes of a kernel for all games of one shape.

A template is text in LLVM's language, with holes for what differs between games. It is made once
for each shape, and kept in a file; the code of a game is made of it by filling the holes and
linking the game's rules, which takes a third of the time.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils
from numba.core.codegen import CodeLibrary, RuntimeLinker
from numba.core.compiler import compile_result
from numba.core.environment import lookup_environment

from strategies.native.compiler.by_value import (
    call_by_value,
    define_by_value,
    is_called_by_numba,
)
from strategies.native.compiler.linking import (
    Bare,
    CodeOfKernels,
    ForeignLibrary,
    InnerKernelLibrary,
    KernelLibrary,
    PartLibrary,
)
from strategies.native.compiler.shapes import HOLE, escaped
from strategies.native.shield import leave
from strategies.rules.language.messages import Refusal

UNFINISHED: Final = RuntimeLinker.PREFIX
"""What Numba puts before the name of a function that is called before it is finished."""
ENVIRONMENT: Final = re.compile(r'@"?(_ZN08NumbaEnv[^"\s,()]*)')
"""The name of what the code of a function needs to make Python's objects."""
_parts: WeakValueDictionary[str, Template] = WeakValueDictionary()
"""The templates of parts, by the names of the functions that they define."""
_order: Final = itertools.count()


class Piece(NamedTuple):
    """A part of a template as data.

    Attributes:
        name: its name.
        kind: its class, one of `KINDS`.
        texts: its modules in LLVM's language, with holes.
        links: the places of the pieces that are linked into it; -1 for the rules.
    """

    name: str
    kind: str
    texts: tuple[str, ...]
    links: tuple[int, ...]


class _Rules:
    """What stands in a template for the code of a game's rules."""

    def _ensure_finalized(self) -> None:
        pass


RULES: Final = _Rules()


class Template(CodeLibrary):
    """What Numba makes of a kernel, or of a part of one; `kind` is one of `KINDS`."""

    def __init__(self, codegen: Any, name: str, kind: str) -> None:
        super().__init__(Bare(codegen), name)
        self.kind, self.texts, self.linked = kind, list[str](), list[Any]()
        self.called, self.unfinished = set[str](), set[str]()
        self.order = 0

    def add_linking_library(self, library: Any) -> None:
        """Add code that this one calls."""
        library._ensure_finalized()
        if library not in self.linked:
            self.linked.append(library)

    def add_ir_module(self, ir_module: Any) -> None:
        """Add code, in which a call of a function that is not finished yet names that function:
        Numba's reads its address from memory, which only machine code of its own would fill.

        A kernel that another one calls gets a form that returns values, too.
        """
        for function in list(ir_module.functions) if self.kind == "inner" else ():
            inlined = function.is_declaration or "alwaysinline" in function.attributes
            if not inlined and is_called_by_numba(function):
                define_by_value(ir_module, function, _parts)
        for name, address in list(ir_module.globals.items()):
            if name.startswith(UNFINISHED):
                called = name.removeprefix(UNFINISHED)
                self.unfinished.add(called)
                function = ir_module.globals.get(called) or ir.Function(
                    ir_module, ir.FunctionType(ir.VoidType(), ()), called
                )
                address.initializer = function.bitcast(address.value_type)
                address.linkage, address.global_constant = "internal", True
        call_by_value(ir_module, _parts)
        self.texts.append(cgutils.normalize_ir_text(str(ir_module)))
        for function in ir_module.functions:
            if function.is_declaration:
                self.called.add(function.name)
            elif self.kind != "kernel":
                _parts[function.name] = self

    def finalize(self) -> None:
        """Note that the code is complete."""
        self.order, self._finalized = next(_order), True

    def pieces(self) -> list[Piece]:
        """Return the template as data: what each piece links comes before it.

        Raises: Refusal if a function that was called before it was finished has not come since.
        """
        self._ensure_finalized()
        seen: dict[Any, None] = {}
        waiting: list[Any] = [self]
        while waiting:
            one = waiting.pop()
            if one in seen or one is RULES:
                continue
            seen[one] = None
            if isinstance(one, Template):
                waiting += one.linked
                for name in one.unfinished & one.called:
                    if name not in _parts:
                        raise Refusal(f"{one.name} calls {name}, which has no code")
                waiting += [_parts[name] for name in one.called if name in _parts]
        foreign = [one for one in seen if not isinstance(one, Template)]
        ordered = foreign + sorted(
            (one for one in seen if isinstance(one, Template)), key=lambda one: one.order
        )
        places = {one: place for place, one in enumerate(ordered)} | {RULES: -1}
        return [_piece(one, places) for one in ordered]

    # What Numba asks of a library

    def _get_module_for_linking(self) -> Any:
        """Return the code of a part that Numba's own code calls: it has no holes."""
        pieces = self.pieces()
        if any(-1 in piece.links for piece in pieces):
            raise Refusal(
                f"{self.name} calls rules, and a function of Numba's calls it: use a loop"
            )
        return built(pieces, self.codegen, None, str)._get_module_for_linking()

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, because there is no machine code."""
        return 0

    def get_function(self, name: str) -> None:
        """Return None, because no module is parsed yet."""

    def get_llvm_str(self) -> str:
        """Return the code, with its holes."""
        return "\n".join(self.texts)

    def get_asm_str(self) -> str:
        """Return an empty text, because there is no machine code."""
        return ""


def _piece(one: Any, places: dict[Any, int]) -> Piece:
    if isinstance(one, Template):
        links = tuple(places[other] for other in one.linked)
        return Piece(one.name, one.kind, tuple(map(escaped, one.texts)), links)
    text = escaped(str(one._get_module_for_linking()))
    if HOLE.search(text):  # which LLVM has taken for what stands there
        raise Refusal(f"Numba's {one.name} handles a value of the game")
    return Piece(one.name, "foreign", (text,), ())


# The code of a game


KINDS: Final[dict[str, type[CodeOfKernels]]] = {
    "kernel": KernelLibrary, "inner": InnerKernelLibrary, "part": PartLibrary,
    "foreign": ForeignLibrary,
}  # fmt: skip


class Kept(NamedTuple):
    """A template of a whole kernel as data, with what Numba says of it."""

    pieces: tuple[Piece, ...]
    about: Any
    environment: Any
    others: tuple[Any, ...]
    """The environments of its parts, which make Python's objects of the arguments of an error."""
    signature: Any


def kept(compiled: Any) -> Kept:
    """Return the template that Numba compiled."""
    about = compiled.fndesc
    about.typemap = about.calltypes = None
    pieces = tuple(compiled.library.pieces())
    names = {name for piece in pieces for text in piece.texts for name in ENVIRONMENT.findall(text)}
    found = [lookup_environment(name) for name in sorted(names - {about.env_name})]
    others = tuple(one for one in found if one is not None and one.can_cache())
    return Kept(pieces, about, compiled.environment, others, compiled.signature)


def filled(template: Kept, context: Any, rules: Any, filling: Callable[[str], str]) -> Any:
    """Return the compiled kernel of a game: `rules` is the library of its rules, and `filling`
    fills the holes of a text."""
    library = built(template.pieces, context.codegen(), rules, filling)
    there = {variable.name for variable in library._final_module.global_variables}
    others = []
    for one in template.others:
        rebuild, (module, constants, name) = one.__reduce__()  # a copy with another name
        if (name := filling(name)) in there:
            others.append(rebuild(module, constants, name))
            library.codegen.set_env(name, others[-1])
    about = copy(template.about)
    about.mangled_name, about.env_name = map(filling, (about.mangled_name, about.env_name))
    return compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=context.get_executable(library, about, template.environment),
        signature=template.signature,
        objectmode=False,
        lifted=(),
        fndesc=about,
        library=library,
        environment=template.environment,
        reload_init=(),
        referenced_envs=others,
    )


def built(pieces: Sequence[Piece], codegen: Any, rules: Any, filling: Callable[[str], str]) -> Any:
    """Return the library of the last of some pieces."""
    parts: dict[str, PartLibrary] = {}
    made: list[Any] = []
    for piece in pieces:
        leave()  # if the process is ending
        library = KINDS[piece.kind](codegen, filling(piece.name), parts)
        for text in piece.texts:
            module = llvm.parse_assembly(filling(text))
            module.verify()
            library.add_llvm_module(module)
        for place in piece.links:
            library.add_linking_library(rules if place < 0 else made[place])
        library.finalize()
        made.append(library)
    return made[-1]
