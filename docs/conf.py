"""Sphinx settings, and the pages of the reference; the pages are built without a network."""

import importlib
import sys
import tomllib
from pathlib import Path

from graphs.lazy_names import public_names

ROOT = Path(__file__).parents[1]
PACKAGES = ("graphs", "games", "strategies", "jamboree")

project = "Jamboree"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "generated"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "Jamboree"

# Single backticks in docstrings name Python objects, and become links where they are documented.
default_role = "py:obj"
# Annotations name classes without their module, and two modules may have one of the same name.
suppress_warnings = ["ref.python"]
autodoc_member_order = "bysource"


def write_reference(app):
    """A page for each package, a section for each module: nobody has to keep a list of them."""
    folder = ROOT / "docs" / "api"
    folder.mkdir(exist_ok=True)
    for package in PACKAGES:
        files = sorted((ROOT / package).rglob("*.py"))
        text = "\n".join(section(file) for file in files if file.stem != "__main__")
        page = folder / f"{package}.rst"
        if not page.exists() or page.read_text() != text:
            page.write_text(text)


def section(file):
    """The documentation of a module; that of a package leaves its members to their modules.

    That of a root package lists its public names, as its stub does.
    """
    parts = file.relative_to(ROOT).with_suffix("").parts
    is_package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if is_package else parts)
    line = "=" if "." not in name else "-"
    members = "" if is_package else "   :members:\n   :show-inheritance:\n"
    text = f"{name}\n{line * len(name)}\n\n.. automodule:: {name}\n{members}"
    return text if "." in name else f"{text}\nPublic names: {links(name)}\n"


def links(package):
    """The public names of a package, each linked to where it is documented."""
    importlib.import_module(package)
    homes = public_names(package)
    return ", ".join(f":py:obj:`{name} <{homes[name]}.{name}>`" for name in sorted(homes))


def write_floors(app):
    """The floors of the page on the architecture, drawn from the sources."""
    sys.path.append(str(ROOT / "docs"))
    import floors

    floors.write(ROOT / "docs" / "generated")


def setup(app):
    app.connect("builder-inited", write_reference)
    app.connect("builder-inited", write_floors)
