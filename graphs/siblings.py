"""A check that Python finds the packages of Jamboree, not files of the same name.

Each package has a copy of this file, because it cannot import another package before this check.
"""

from __future__ import annotations

from importlib.util import find_spec
from os.path import basename, dirname, join, realpath, splitext

PACKAGES = ("graphs", "games", "strategies")


def check_siblings(package: str) -> None:
    """Check that Python finds the packages of Jamboree beside the folder `package`.

    Raises: ImportError, which names the file that hides a package, and says what to do.
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
                f"{theirs} hides Jamboree's package {name}, which is in {join(home, name)}; "
                "rename yours",
                name=name,
                path=place,
            )
