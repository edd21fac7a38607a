"""Link names on the pages to their documentation, and check all links of the site."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Mapping
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
"""The addresses of the documentation of other projects."""
CALL = re.compile(r"(\w+(?:\.\w+)*)(?:\(.*\))?", re.DOTALL)
LINK = re.compile(r'<(?:a|img|iframe|object)\b[^>]*?\b(?:href|src|data)="([^"]+)"')
BACK = re.compile(r'(class="viewcode-back" href="[^"]*api/)([^"#]+)\.html#([\w.]+)')
ANCHOR = re.compile(r'\bid="([^"]+)"')


def listing(project: str) -> str:
    """Return the names of a project that pages may link to, as lines of a Sphinx inventory.

    >>> listing("attrs").splitlines()[0]
    'attrs.asdict py:function 1 api.html#$ -'
    """
    return (HERE / "inventories" / f"{project}.txt").read_text(encoding="utf-8")


def write_inventories(folder: Path) -> None:
    """Compress the lists of names into the inventories that Sphinx reads."""
    for project in PROJECTS:
        head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
        note = "# The remainder of this file is compressed using zlib.\n"
        packed = (head + note).encode() + zlib.compress(listing(project).encode())
        (folder / f"{project}.inv").write_bytes(packed)


def connect(app: Any) -> None:
    """Have Sphinx link names, find sources, write llms.txt and check the links."""
    app.connect("doctree-read", link_code)
    app.connect("doctree-read", index_terms)
    app.connect("doctree-read", trim_code)
    app.connect("missing-reference", public_name)
    app.connect("viewcode-follow-imported", home)
    app.connect("html-page-context", back)
    app.connect("html-page-context", levels, priority=900)  # after the theme has built its tree
    app.connect("build-finished", finish)


@cache
def _aliases() -> dict[str, str]:
    return reference_pages.aliases()


@cache
def _homes() -> dict[tuple[str, str], str]:
    return reference_pages.homes()


def public_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Resolve a name that is documented under another one, such as a bare name."""
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
    """Return the module that defines a public object."""
    return _homes().get((module, attribute.partition(".")[0]))


def back(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Correct links from sources to documentation: Sphinx assumes one page for each module."""
    if page.startswith("_modules/") and "body" in context:
        pages = {n: o.docname for n, o in app.env.domains.python_domain.objects.items()}
        context["body"] = BACK.sub(lambda link: anchored(link, pages), context["body"])


def levels(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Give the headings in the tree of pages the level that screen readers need."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


def anchored(link: re.Match[str], pages: Mapping[str, str]) -> str:
    """Return the link to a name as its page spells it, which may be with another module.

    `pages` has the page of each documented name. A module may have the name of a function in it, so
    a name counts only on the page of the link.
    """
    page, parts = link[2], link[3].split(".")
    module = page.removesuffix("-module") if page.endswith("-module") else page.rpartition(".")[0]
    ends = (f"{module}.{'.'.join(parts[first:])}" for first in range(len(parts)))
    anchor = next((name for name in ends if pages.get(name) == f"api/{page}"), link[3])
    return f"{link[1]}{page}.html#{anchor}"


def link_code(app: Any, doctree: Any) -> None:
    """Link inline code on a page to the public object that it names or calls."""
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


def index_terms(app: Any, doctree: Any) -> None:
    """Give each term of the glossary an anchor, and an entry in the index and in the search."""
    from docutils import nodes
    from sphinx.addnodes import index

    page = app.env.docname
    if page != "glossary":
        return
    entries: list[tuple[str, str, str, str, None]] = []
    for term in doctree.findall(nodes.term):
        anchor = "term-" + re.sub(r"\W+", "-", term.astext()).strip("-")
        term["ids"].append(anchor)
        entries.append(("single", term.astext(), anchor, "main", None))
    doctree.append(index(entries=entries))  # for the search
    app.env.get_domain("index").entries.setdefault(page, []).extend(entries)


def trim_code(app: Any, doctree: Any) -> None:
    """Remove the blank line that ends an example, because a doctest needs it."""
    from docutils import nodes

    for block in doctree.findall(nodes.literal_block):
        text = block.astext().rstrip()
        if block.rawsource.rstrip() == text:  # code, not text with marks
            block.rawsource, block[:] = text, [nodes.Text(text)]


def finish(app: Any, error: Exception | None) -> None:
    """Write llms.txt; fail if a link of a page is broken.

    Raises: ExtensionError that lists the broken links.
    """
    if error is not None or app.builder.name not in ("html", "dirhtml"):
        return
    from sphinx.errors import ExtensionError

    (Path(app.outdir) / "llms.txt").write_text(llms(app.env), encoding="utf-8")
    broken = broken_links(Path(app.outdir))
    if broken:
        raise ExtensionError("broken links (to missing files or anchors):\n" + "\n".join(broken))


def broken_links(site: Path) -> list[str]:
    """Return the links of built pages whose file or anchor does not exist."""
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
    """Return the site as a list for language models: a line for each page and public object."""
    from sphinx import addnodes

    lines = ["# Jamboree", "", *(f"> {line}" for line in _summary(env, "index")), ""]
    for toc in env.get_doctree("index").findall(addnodes.toctree):
        lines += [f"## {toc['caption']}", ""]
        for _, page in toc["entries"]:
            if page in env.all_docs and not page.startswith("api/"):
                summary = " ".join(_summary(env, page))
                lines.append(f"- [{env.titles[page].astext()}](_sources/{page}.md.txt): {summary}")
        lines.append("")
    lines += ["## Public names", ""]
    for entry in reference_pages.public():
        summary = reference_pages.first_line(entry)
        lines.append(f"- [{entry.full}](api/{entry.page}.html): {summary}")
    return "\n".join(lines) + "\n"


def _summary(env: Any, page: str) -> list[str]:
    """Return the first sentence of a page, as a list of one line."""
    from docutils import nodes

    first = next(iter(env.get_doctree(page).findall(nodes.paragraph)), None)
    words = first.astext() if first is not None else ""
    return [" ".join(re.split(r"(?<=[.:]) ", words.replace("\n", " "))[0].split())]
