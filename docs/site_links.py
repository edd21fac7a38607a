"""Links of the site: from names to where they are documented, and whether each leads somewhere."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Container
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import reference_pages

HERE = Path(__file__).parent
PROJECTS = {
    "python": "https://docs.python.org/3",
    "numpy": "https://numpy.org/doc/stable",
    "dask": "https://docs.dask.org/en/stable",
    "attrs": "https://www.attrs.org/en/stable",
}
"""Where the documentation of other projects stands."""
CALL = re.compile(r"(\w+(?:\.\w+)*)(?:\(.*\))?", re.DOTALL)
LINK = re.compile(r'<(?:a|img|iframe|object)\b[^>]*?\b(?:href|src|data)="([^"]+)"')
BACK = re.compile(r'(class="viewcode-back" href="[^"]*api/)([^"#]+)\.html#([\w.]+)')
ANCHOR = re.compile(r'\bid="([^"]+)"')


def listing(project: str) -> str:
    """The names of a project that may be linked to, as lines of Sphinx's inventories.

    >>> listing("attrs").splitlines()[0]
    'attrs.asdict py:function 1 api.html#$ -'
    """
    return (HERE / "inventories" / f"{project}.txt").read_text(encoding="utf-8")


def write_inventories(folder: Path) -> None:
    """Pack the lists of names into the files that Sphinx reads."""
    for project in PROJECTS:
        head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
        said = "# The remainder of this file is compressed using zlib.\n"
        packed = (head + said).encode() + zlib.compress(listing(project).encode())
        (folder / f"{project}.inv").write_bytes(packed)


def connect(app: Any) -> None:
    """Tell Sphinx to link names, to find sources, to write llms.txt and to check the links."""
    app.connect("doctree-read", link_code)
    app.connect("missing-reference", public_name)
    app.connect("viewcode-follow-imported", home)
    app.connect("html-page-context", back)
    app.connect("html-page-context", levels, priority=900)  # after the theme made its tree of pages
    app.connect("build-finished", finish)


@cache
def _aliases() -> dict[str, str]:
    return reference_pages.aliases()


@cache
def _homes() -> dict[tuple[str, str], str]:
    return reference_pages.homes()


def public_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Resolve a name that is documented under another: in an annotation, or a bare one."""
    if node.get("refdomain") != "py":
        return None
    target = node.get("reftarget", "").removesuffix("()")
    full = _aliases().get(target)
    if full is None:
        first, _, rest = target.partition(".")
        full = f"{_aliases()[first]}.{rest}" if rest and first in _aliases() else None
    if full is None or full == target:
        return None
    return env.domains.python_domain.resolve_xref(
        env, node["refdoc"], app.builder, "obj", full, node, content
    )


def home(app: Any, module: str, attribute: str) -> str | None:
    """The module whose source defines a public object."""
    return _homes().get((module, attribute.partition(".")[0]))


def back(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Mend the links from a source to its documentation: Sphinx knows one name for each module."""
    if page.startswith("_modules/") and "body" in context:
        known = app.env.domains.python_domain.objects
        context["body"] = BACK.sub(lambda link: _anchored(link, known), context["body"])


def levels(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Give the headings of the tree of pages the level that a screen reader asks for."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


def _anchored(found: re.Match[str], known: Container[str]) -> str:
    """The link to the name as its page has it: what stands before it may be another module."""
    page, parts = found[2], found[3].split(".")
    module = page.removesuffix("-module") if page.endswith("-module") else page.rpartition(".")[0]
    ends = (f"{module}.{'.'.join(parts[first:])}" for first in range(len(parts)))
    anchor = next((name for name in ends if name in known), found[3])
    return f"{found[1]}{page}.html#{anchor}"


def link_code(app: Any, doctree: Any) -> None:
    """Link code in a line of a page to the public object that it names or calls."""
    from docutils import nodes
    from sphinx.addnodes import pending_xref

    page = app.env.docname
    if page.startswith("api/") or page == "changelog":
        return
    for literal in list(doctree.findall(nodes.literal)):
        found = CALL.fullmatch(literal.astext())
        inside = literal.parent
        while inside is not None and not isinstance(
            inside, nodes.reference | nodes.title | pending_xref
        ):
            inside = inside.parent
        if inside is None and found and found[1] in _aliases():
            link = pending_xref(
                "", literal.deepcopy(), refdomain="py", reftype="obj", refdoc=page,
                reftarget=_aliases()[found[1]], refexplicit=True, refwarn=False,
            )  # fmt: skip
            literal.replace_self(link)


def finish(app: Any, error: Exception | None) -> None:
    """Write llms.txt, and fail where a link of a page leads nowhere."""
    if error is not None or app.builder.name not in ("html", "dirhtml"):
        return
    from sphinx.errors import ExtensionError

    (Path(app.outdir) / "llms.txt").write_text(llms(app.env), encoding="utf-8")
    broken = broken_links(Path(app.outdir))
    if broken:
        raise ExtensionError("links that lead nowhere:\n" + "\n".join(broken))


def broken_links(site: Path) -> list[str]:
    """Lists the links of built pages to files and anchors that are not there."""
    texts = {str(page): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    anchors = {page: set(ANCHOR.findall(text)) for page, text in texts.items()}
    exists = cache(os.path.exists)
    broken = []
    for page, text in texts.items():
        for link in sorted(set(LINK.findall(text))):
            if re.match(r"\w+:|//", link):
                continue
            path, anchor = urldefrag(unquote(unescape(link)))
            path = path.partition("?")[0]
            file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not exists(file) or (anchor and file in anchors and anchor not in anchors[file]):
                broken.append(f"{os.path.relpath(page, site)}: {link}")
    return broken


def llms(env: Any) -> str:
    """The site as a list for language models: each page, and each public object, in a line."""
    from sphinx import addnodes

    lines = ["# Jamboree", "", *(f"> {line}" for line in _summary(env, "index")), ""]
    for toc in env.get_doctree("index").findall(addnodes.toctree):
        lines += [f"## {toc['caption']}", ""]
        for _, page in toc["entries"]:
            if page in env.all_docs and not page.startswith("api/"):
                said = " ".join(_summary(env, page))
                lines.append(f"- [{env.titles[page].astext()}](_sources/{page}.md.txt): {said}")
        lines.append("")
    lines += ["## Public names", ""]
    for entry in reference_pages.public():
        said = reference_pages.first_line(entry)
        lines.append(f"- [{entry.full}](api/{entry.page}.html): {said}")
    return "\n".join(lines) + "\n"


def _summary(env: Any, page: str) -> list[str]:
    """The first sentence of a page."""
    from docutils import nodes

    first = next(iter(env.get_doctree(page).findall(nodes.paragraph)), None)
    words = first.astext() if first is not None else ""
    return [" ".join(re.split(r"(?<=[.:]) ", words.replace("\n", " "))[0].split())]
