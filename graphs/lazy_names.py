"""Public names that load on first use, listed in the stub beside a package's ``__init__.py``.

The stub ``__init__.pyi`` is the only list: type checkers read it, and so does this module.  It has
only lines ``from package.module import name as name``.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

LINE: Final = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def public_names(package: str) -> dict[str, str]:
    """Return the public names of a package, each with its module, from the stub of the package.

    Requires: an imported package, from a folder or an archive.

    >>> public_names("graphs")["Seq"]
    'graphs.seq'
    """
    module: Any = sys.modules[package]
    stub = os.path.join(os.path.dirname(module.__file__), "__init__.pyi")
    text = module.__spec__.loader.get_data(stub).decode()
    return {name: home for home, name in LINE.findall(text)}


def attach_stub(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the ``__getattr__``, ``__dir__`` and ``__all__`` of a package, from its stub.

    Ensures: a module is imported when the first of its names is used; a name is looked up once.
    """
    homes = public_names(package)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        is_module = home == package
        value = import_module(f"{home}.{name}") if is_module else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    names = sorted(homes)
    return load, names.copy, names


def late(home: str, name: str) -> Callable[[Any], Any]:
    """Return a method that calls a function of a module, which is imported when it is first called.

    It is for what a value shows of itself, such as a picture, which is drawn by a layer above it.

    >>> class Word(str):
    ...     shown = late("json", "dumps")
    >>> Word("a").shown()
    '"a"'
    """

    def method(self: Any) -> Any:
        return getattr(import_module(home), name)(self)

    return method
