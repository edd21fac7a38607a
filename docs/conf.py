"""Sphinx settings. The build needs no network, and fails if a link of a page is broken."""

import logging
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE))

import executed  # noqa: E402
import gallery  # noqa: E402
import reference_pages  # noqa: E402
import site_links  # noqa: E402

# Loading a Pygments style shows the log messages of every library, also those of the examples.
logging.getLogger("jamboree").setLevel(logging.WARNING)

ROOT = HERE.parent
GENERATED = HERE / "generated"

project = "Jamboree"
release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
copyright = "The Jamboree developers, MIT license"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "generated", "notebooks", "jupyter_execute"]
nb_execution_mode = "off"  # because executed.py executes the notebooks
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "Jamboree"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
if "tags" in globals() and tags.has("versions"):  # noqa: F821  # Sphinx defines `tags`; versions.py sets it
    html_js_files.append("versions.js")
html_search_scorer = str(HERE / "scorer.js")
html_extra_path = ["generated/extra"]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_copy_empty_lines = False

# Single backticks in docstrings name Python objects, and become links where they are documented.
default_role = "py:obj"
# Annotations name classes without their module, and two modules may define the same name.
suppress_warnings = ["ref.python"]
autodoc_member_order = "bysource"
maximum_signature_line_length = 76  # longer signatures have a line for each parameter

# The documentation of other projects, with the inventories that `site_links` writes.
intersphinx_mapping = {
    name: (address, str(GENERATED / f"{name}.inv")) for name, address in site_links.PROJECTS.items()
}


def configure(app, config):
    """Write the folders and inventories that Sphinx reads before it builds."""
    (GENERATED / "extra").mkdir(parents=True, exist_ok=True)
    site_links.write_inventories(GENERATED)


def prepare(app):
    """Write the pages and pictures that are generated from the sources."""
    import layers

    layers.write(GENERATED)
    reference_pages.write(HERE / "api")
    gallery.write(GENERATED)
    executed.write(HERE / "executed")


def label(app, what, name, value, options, lines):
    """Put the labels of a docstring, such as Requires and Raises, in bold."""
    lines[:] = reference_pages.labelled(lines)


def setup(app):
    app.connect("autodoc-process-docstring", label)
    app.connect("config-inited", configure, priority=100)
    app.connect("builder-inited", prepare)
    site_links.connect(app)
