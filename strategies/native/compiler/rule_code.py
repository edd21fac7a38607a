"""The code of rules: what of it is linked into kernels, and what kernels call by address.

Short rules are parts of each kernel, where LLVM optimizes across the calls. Of long ones, only the
small functions are; the others are compiled once, and kept in a file.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple

import llvmlite
import llvmlite.binding as llvm

from graphs.limits import RULE_FILES
from strategies.native import kept_code
from strategies.native.versions import own_sources
from strategies.rules.machine.compilation import Code, object_code, optimized
from strategies.support.fork_locks import fork_lock

SMALL: Final = 100
"""The most instructions of a function of long rules that is inlined, with what it calls."""
LONG: Final = 1500
"""The instructions of rules, with what they call, above which large functions are called by
address."""
LEVEL: Final = 3
_CALLED: Final = re.compile(r'@"?([^"( ]+)"?\(')
_AFTER_PARAMETERS: Final = re.compile(r"(\)(?: local_unnamed_addr| unnamed_addr)?)(?=[^()]*\{$)")


class RuleCode(NamedTuple):
    """The code of rules for kernels.

    Attributes:
        module: what is linked into kernels.
        names: the names that functions got which are called by address.
        machine: the machine code of these, empty if there are none.
    """

    module: Any
    names: dict[str, str]
    machine: bytes


def split(text: str, digest: str) -> RuleCode:
    """Optimize the code of rules, and decide which functions are linked into kernels."""
    module = optimized(text, LEVEL)
    own, whole_sizes = _sizes(module)
    rules = {f.name for f in module.functions if _is_rule(f)}
    sizes = {name: own[name] if name in rules else size for name, size in whole_sizes.items()}
    names: dict[str, str] = {}
    long = sum(whole_sizes[name] for name in rules) > LONG
    if long:
        names = {n: f"jam.{digest}.{n}" for n, size in sizes.items() if size >= SMALL}
    inlined: set[str] = set()
    for function in module.functions:
        name = function.name
        if name in names:
            function.name, function.linkage = names[name], "external"
        elif name in sizes and not (long and sizes[name] >= SMALL) and not _stays(function):
            inlined.add(name)
    whole = _inlining(str(module), inlined)
    if not names:
        return RuleCode(llvm.parse_assembly(whole), names, b"")
    code = object_code(llvm.parse_assembly(whole), LEVEL)
    return RuleCode(llvm.parse_assembly(_declared(whole, set(names.values()))), names, code)


def _inlining(text: str, names: set[str]) -> str:
    """Return the text of a module in which some functions are always inlined.

    llvmlite 0.45 to 0.47 cannot say so of a function in a module.
    """
    lines = []
    for line in text.split("\n"):
        found = _CALLED.search(line) if line.startswith("define") else None
        if found and found.group(1) in names:
            line = _AFTER_PARAMETERS.sub(r"\1 alwaysinline", line, count=1)
        lines.append(line)
    return "\n".join(lines)


def _is_rule(function: Any) -> bool:
    """Whether kernels call a function."""
    return not function.is_declaration and function.linkage != llvm.Linkage.internal


def _sizes(module: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Return the instructions of each function, and those with all that it calls inlined."""
    own: dict[str, int] = {}
    called: dict[str, list[str]] = {}
    name = ""
    for line in str(module).splitlines():  # in a tenth of the time that objects would take
        if line.startswith("define"):
            name = _CALLED.search(line).group(1)  # type: ignore[union-attr]
            own[name], called[name] = 0, []
        elif line.startswith("  ") and line[2] not in " ]":  # no case of a switch
            own[name] += 1
            if " call " in line and (found := _CALLED.search(line)):
                called[name].append(found.group(1))
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name in own and name not in sizes:
            sizes[name] = own[name]  # of one that calls itself
            sizes[name] += sum(map(size, called[name]))
        return sizes.get(name, 0)

    for name in own:
        size(name)
    return own, sizes


def _stays(function: Any) -> bool:
    """Return whether a function must not be inlined: it is rare, or calls itself."""
    if b"noinline" in b" ".join(function.attributes):
        return True
    return any(
        f"@{function.name}(" in str(i) or f'@"{function.name}"(' in str(i)
        for b in function.blocks
        for i in b.instructions
        if i.opcode == "call"
    )


def _declared(text: str, names: set[str]) -> str:
    """Return the text of a module without the bodies of some functions."""
    lines, inside = [], False
    for line in text.split("\n"):
        if inside:
            inside = line != "}"
            continue
        found = _CALLED.search(line) if line.startswith("define") else None
        if found and found.group(1) in names:
            inside = True
            line = re.sub(r"\s*\{$", "", "declare" + line.removeprefix("define"))
        lines.append(line)
    return "\n".join(lines)


# Files


def file_of(folder: Path, digest: str) -> Path:
    """Return the file of the machine code of rules.

    Its name says for which processor, and by which version of this package: another one may have
    chosen other functions to be called by address.
    """
    about = (
        own_sources(),
        llvmlite.__version__,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )
    return folder / f"rules-{digest}.{hashlib.sha256(repr(about).encode()).hexdigest()[:16]}.job"


_loaded: dict[str, Code] = {}
"""Machine code of rules, by digests of the rules: kernels call it as long as the process lives."""
_loading: Final = fork_lock()


def load(digest: str, code: bytes, names: dict[str, str]) -> None:
    """Load machine code, and make its functions known to the code of kernels."""
    with _loading:
        if code and digest not in _loaded:
            loaded = Code(code)
            for name in names.values():
                llvm.add_symbol(name, loaded.address(name))
            _loaded[digest] = loaded


def read(file: Path) -> tuple[bytes, dict[str, str]] | None:
    """Return what `keep` wrote, or None."""
    try:
        header, _, code = (kept_code.kept(file) or b"").partition(b"\n")
        return code, json.loads(header)["names"]
    except (ValueError, KeyError, TypeError):
        return None


def keep(file: Path, made: RuleCode) -> None:
    """Write machine code to a file, or do nothing if that is not possible."""
    content = json.dumps({"names": made.names}).encode() + b"\n" + made.machine
    kept_code.keep(file, content, "rules-*.job", RULE_FILES)
