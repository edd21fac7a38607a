"""A check that nobody else's file stands where a package of Jamboree is looked for.

Each package has a copy of this file, for it cannot ask for that of another before it
knows whose the other is.
"""

from __future__ import annotations

from importlib.util import find_spec
from os.path import basename, dirname, join, realpath, splitext

PACKAGES = ("graphs", "games", "strategies")


def check_siblings(package: str) -> None:
    """Check that Python finds the packages of Jamboree beside the one in the folder `package`.

    Raises: ImportError, which says whose file is in the way, and what to do.
    """
    home = dirname(realpath(package))
    for name in PACKAGES:
        found = find_spec(name)
        if found is None:
            continue
        place = realpath(found.origin or next(iter(found.submodule_search_locations or [""])))
        if splitext(place)[0] != join(home, name, "__init__"):
            theirs = dirname(place) if basename(place).startswith("__init__.") else place
            raise ImportError(
                f"{theirs} is in the way of Jamboree's package {name}, which is in "
                f"{join(home, name)}: give yours another name",
                name=name,
                path=place,
            )
