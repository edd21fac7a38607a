"""The documentation site: the files that are generated for Sphinx, and the check of its links."""

import importlib
import re
import sys
from keyword import iskeyword
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.browser import Browser
from tests.pages import SITE, needs_site

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def of_docs() -> dict[str, ModuleType]:
    """Return the modules in the folder of the pages, which import each other by name."""
    sys.path.append(str(DOCS))
    try:
        return {n: importlib.import_module(n) for n in ("reference_pages", "site_links", "gallery")}
    finally:
        sys.path.remove(str(DOCS))


def test_every_public_object_has_a_page_and_a_description(of_docs) -> None:
    reference = of_docs["reference_pages"]
    pages = reference.pages()
    for package in reference.PACKAGES:
        homes = reference.public_names(package)
        exported = set(importlib.import_module(package).__all__)
        for name in set(exported):  # a name of another package has its page there
            home = homes[name].partition(".")[0]
            if home != package:
                exported.remove(name)
                assert name in importlib.import_module(home).__all__, name
        assert exported == {entry.name for entry in reference.public() if entry.module == package}
    assert [entry.full for entry in reference.public() if not reference.first_line(entry)] == []
    assert all(entry.page in pages for entry in reference.public())
    folded = [name.lower() for name in pages]
    assert len(set(folded)) == len(folded), (
        "pages whose names differ only in case are one file on some systems"
    )


def test_bars_in_code_are_not_escaped(of_docs) -> None:
    lines = {
        e.name: of_docs["reference_pages"].first_line(e)
        for e in of_docs["reference_pages"].public()
    }
    assert "``f $|| s``" in lines["par_apply"]
    assert [line for line in lines.values() if "\\|" in line] == []


def test_the_tables_of_a_package_list_each_name_once_below_its_subpackage(of_docs) -> None:
    pages = of_docs["reference_pages"].pages()
    for package in of_docs["reference_pages"].PACKAGES:
        names = re.findall(r"^   \* - :py:obj:`(\w+) <", pages[package], re.MULTILINE)
        entries = [e for e in of_docs["reference_pages"].public() if e.module == package]
        assert sorted(names) == sorted(entry.name for entry in entries)
    heads = re.findall(r"^(\w+)\n--+$", pages["strategies"], re.MULTILINE)
    assert heads[:3] == ["Searches", "Algorithms", "Algebra"]
    assert heads[-1] == "Support"


def test_other_names_of_an_object_lead_to_its_public_name(of_docs) -> None:
    aliases = of_docs["reference_pages"].aliases()
    assert aliases["strategies.algebra.combinators.par_list"] == "strategies.par_list"
    assert aliases["games.twenty48.rules.Twenty48"] == "games.Twenty48"
    assert aliases["check_laws"] == "games.laws.check_laws"


def test_names_in_the_inventories_exist_in_the_other_projects(of_docs) -> None:
    """A typing error in an inventory would make a broken link that no build reports."""
    for project in of_docs["site_links"].PROJECTS:
        for line in of_docs["site_links"].listing(project).splitlines():
            name, kind, priority, address, shown = line.split(" ")
            assert (kind.startswith("py:"), priority, shown) == (True, "1", "-"), line
            assert ".html" in address, line
            module, _, rest = name.rpartition(".")
            home = importlib.import_module(module or "builtins")
            assert iskeyword(rest) or hasattr(home, rest), line


def test_broken_links_are_found(of_docs, tmp_path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "a.html").write_text('<p id="here"><a href="api/b.html#there"></a><a href="#here">')
    (tmp_path / "api" / "b.html").write_text(
        '<p id="there"><a class="x" href="../a.html#gone"><img alt="" src="no.svg">'
        '<a href="https://example.org/no">'
    )
    broken = of_docs["site_links"].broken_links(tmp_path)
    assert broken == ["api/b.html: ../a.html#gone", "api/b.html: no.svg"]


def test_a_source_leads_to_its_function_where_a_module_has_the_same_name(of_docs) -> None:
    of_links = of_docs["site_links"]
    link = of_links.BACK.match('class="viewcode-back" href="../api/a.f.html#a.b.f')
    pages = {"a.f": "api/a.f", "a.b.f": "api/a.b.f-module"}
    assert of_links.anchored(link, pages).endswith("api/a.f.html#a.f")
    assert of_links.anchored(link, {"a.b.f": "api/a.f"}).endswith("api/a.f.html#a.b.f")


def test_the_gallery_shows_each_picture_that_its_examples_draw(of_docs) -> None:
    gallery = of_docs["gallery"]
    text = (DOCS / "pictures.md").read_text()
    images = [
        f'src="pictures/{gallery.slug(title)}.svg"' for title, _ in gallery.examples("pictures")
    ]
    assert len(images) >= 6
    assert [image for image in images if text.count(image) != 1] == []


def test_an_example_ends_without_the_blank_line_that_its_test_needs(of_docs) -> None:
    nodes = pytest.importorskip("docutils.nodes")
    code, marked = (
        nodes.literal_block(">>> 1\n1\n\n", ">>> 1\n1\n\n"),
        nodes.literal_block("a *b*\n"),
    )
    marked += [nodes.Text("a "), nodes.emphasis("", "b"), nodes.Text("\n")]
    page = nodes.section("", code, marked)
    of_docs["site_links"].trim_code(None, page)
    assert (code.astext(), code.rawsource) == (">>> 1\n1",) * 2
    assert marked.astext() == "a b\n"


def test_the_search_of_the_site_finds_the_terms_of_the_glossary(of_docs) -> None:
    nodes = pytest.importorskip("docutils.nodes")
    addnodes = pytest.importorskip("sphinx.addnodes")
    kept: dict[str, list[tuple[str, ...]]] = {}
    domain = SimpleNamespace(entries=kept)
    env = SimpleNamespace(docname="glossary", get_domain=lambda _: domain)
    term = nodes.term("", "null window")
    page = nodes.section("", term)
    of_docs["site_links"].index_terms(SimpleNamespace(env=env), page)
    entries = [("single", "null window", "term-null-window", "main", None)]
    assert term["ids"] == ["term-null-window"]
    assert kept == {"glossary": entries}
    assert [node["entries"] for node in page.findall(addnodes.index)] == [entries]


def test_the_citation_names_this_version() -> None:
    project = (DOCS.parent / "pyproject.toml").read_text()
    cited = (DOCS.parent / "CITATION.cff").read_text()
    version = project.split('version = "')[1].split('"')[0]
    assert f"version: {version}\n" in cited
    assert f"version = {{{version}}}" in (DOCS / "background.md").read_text()


FIRST = (
    "new Promise((done) => { const look = () => {"
    "const link = document.querySelector('#search-results li a');"
    "link ? done(link.getAttribute('href')) : setTimeout(look, 50); }; look(); })"
)
"""JavaScript: the address of the first result, as soon as there is one."""


@needs_site
@pytest.mark.parametrize(
    ("query", "page"),
    [("spark+depth", "spark-depth"), ("own+game", "tutorial"), ("own+algorithm", "own-algorithm")],
)
def test_the_search_finds_the_page_first_whose_title_answers(
    browser: Browser, query: str, page: str
) -> None:
    with browser.page() as tab:
        tab.open(SITE / "search.html", f"?q={query}")
        assert tab.run(FIRST).partition(".html")[0] == page
