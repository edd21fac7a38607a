"""Reports as text are self-contained, complete, escaped, and say how to repeat the search."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from games import ExplicitGame, Position, TicTacToe
from strategies import Result, abdada, alphabeta, jamboree, par_list, search, seq
from strategies.insight.analysis.recorded import recorded
from strategies.insight.analysis.timeline_marks import iteration_spans
from strategies.insight.analysis.utilisation import critical_path, utilisation
from strategies.insight.report import document
from strategies.insight.report.page import report_page
from strategies.running.records.clocks import Call, Clocks
from strategies.running.records.record import process


def run(using: Any = None, **options: Any) -> Result:
    using = jamboree(0.5).to_ply(2) if using is None else using
    answer = search(TicTacToe(), alphabeta(depth=4), using=using, engine="interpreted", **options)
    return answer.compute(num_workers=2)


@pytest.fixture(scope="module")
def result() -> Result:
    return run()


@pytest.fixture(scope="module")
def page(result: Result) -> str:
    return report_page(result, sequential=run(seq))


def data(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def ledger(page: str) -> dict[str, str]:
    """Return the counts of sparks on the page, by name."""
    (part,) = re.findall(r'<section id="sparks">.*?</dl>', page, re.S)
    return {unescape(k): n for k, n in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", part)}


def test_each_count_is_on_the_page_once_with_an_explanation(page: str, result: Result) -> None:
    (part,) = re.findall(r'<section id="sparks">.*?</section>', page, re.S)
    assert result.sparks.line not in unescape(part)
    assert len(re.findall(r'<div title="[^"]+"><dt>', part)) == len(result.sparks.counts)


def test_it_refers_to_nothing_outside_the_file(page: str) -> None:
    assert set(re.findall(r"https?:[^\s\"'<]*", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.findall(r"<(?:link|img|iframe|object|embed)\b|@import|\burl\(", page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


def test_the_only_task_of_a_search_is_not_named_after_a_move() -> None:
    page = report_page(run(seq), sequential=False)
    assert "the whole search" in data(page)["words"]
    assert '<section id="overview">' not in page


def test_threads_and_the_whole_search_are_no_branches_of_a_tree() -> None:
    """Then there are no totals by ply and by first branch, which have no meaning."""
    found = {using: data(report_page(run(using), sequential=False))
             for using in (seq, abdada(2), par_list)}  # fmt: skip
    assert [columns["tree"] for columns in found.values()] == [False, False, True]
    assert {"thread 1", "thread 2"} <= set(found[abdada(2)]["words"])


@pytest.mark.parametrize(
    ("limits", "vary"), [({}, False), ({"time": 60}, True), ({"nodes": 9, "using": seq}, False)]
)
def test_the_footer_says_whether_values_may_vary(limits: Any, vary: bool) -> None:
    (foot,) = re.findall("<footer>(.*?)</footer>", report_page(run(**limits), sequential=False))
    assert ("values and moves do not" in foot) == (not vary)


@pytest.mark.parametrize("using", [par_list, par_list.live()])
def test_hollow_points_are_explained_if_there_are_some(using: Any) -> None:
    (part,) = re.findall(r'<section id="bounds">.*?</section>', report_page(run(using)), re.S)
    assert ("Hollow points" in part) == ("simulated</text>" in part) == (using == par_list)


def test_every_record_is_a_row(page: str, result: Result) -> None:
    columns = data(page)
    others = {
        "seconds", "workers", "values", "tree", "kinds", "words", "places", "bands", "processes",
        "marks", "losses", "signs", "critical",
    }  # fmt: skip
    assert columns["critical"] == list(critical_path(utilisation(result)))
    rows = {name: column for name, column in columns.items() if name not in others}
    assert {len(column) for column in rows.values()} == {len(result.records)}
    kinds = [columns["kinds"][k] for k in columns["kind"]]
    assert kinds.count("converted") == result.sparks.converted
    assert kinds.count("fizzled") == result.sparks.fizzled
    assert sum(columns["nodes"]) == result.nodes
    assert sum(columns["leaves"]) == result.leaves
    assert columns["start"] == sorted(columns["start"])


def test_a_run_of_two_processes_has_a_band_for_each_and_a_note_on_clocks(
    result: Result,
) -> None:
    homes = "near/7/1", "far</7/1"
    records = tuple(r._replace(worker=homes[i % 2]) for i, r in enumerate(result.records))
    clocks = Clocks((("near/7", 0.0), ("far</7", -3.0)), 0.002)
    page = report_page(evolve(result, records=records, clocks=clocks), sequential=False)
    assert [one["name"] for one in data(page)["processes"]] == ["near 7", "far< 7"]
    assert data(page)["lane"].count(0) == sum(r.worker == "near/7/1" for r in records)
    assert "<summary>2 processes</summary>" in page
    assert "far&lt;" in page
    assert ">-3 s</td>" in page
    assert "Times are accurate to 2 ms." in page
    assert "processes</summary>" not in report_page(result, sequential=False)


def test_tasks_start_after_those_that_they_wait_for(page: str, result: Result) -> None:
    columns = data(page)
    ends = [a + b for a, b in zip(columns["start"], columns["took"], strict=True)]
    waits = [(i, i - before) for i, row in enumerate(columns["after"]) for before in row]
    assert waits
    assert all(ends[j] <= columns["start"][i] + 2 for i, j in waits)  # rounded to nanoseconds
    assert sum(map(len, columns["after"])) == sum(len(t.after) for t in recorded(result).tasks)


def test_every_task_has_its_mark_in_the_graph(page: str) -> None:
    columns = data(page)
    marks = page.count('<g class="mark ')
    assert sorted(columns["marks"]) == list(range(marks))


def test_large_data_are_compressed(result: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = data(report_page(result, sequential=False))
    monkeypatch.setattr(document, "SMALL", 100)
    page = report_page(result, sequential=False)
    (packed,) = re.findall(r'<script type="application/zlib" id="data">(.*?)</script>', page)
    assert json.loads(zlib.decompress(b64decode(packed))) == plain


def test_long_texts_of_moves_are_cut(tmp_path: Path) -> None:
    names = tuple(letter * 100_000 for letter in "abc")
    game = ExplicitGame.from_nested([[3, 6], [6, 4], [1, 30]], names=names)
    answer = search(game, alphabeta(depth=2), using=par_list.everywhere, engine="interpreted")
    result = answer.compute(num_workers=1)
    for picture in ("timeline", "graph", "tree"):
        assert len(result.draw(picture).svg) < 50_000
    assert len(report_page(result, sequential=False)) < 1_000_000
    assert len(result._repr_html_()) < 300_000


def test_it_has_all_parts(page: str, result: Result) -> None:
    for name in ("again", "diagnosis", "timeline", "sparks", "graph", "bounds"):
        assert f'<section id="{name}">' in page
    assert ledger(page) == {k: str(n or 0) for k, n in result.sparks.counts.items()} | {"GC'd": "-"}
    assert f"<p>Fizzled: {result.sparks.fizzled} window closed.</p>" in page
    assert "speed-up against it" in page
    assert page.count('<g class="mark spark ') == result.sparks.created


def test_the_expression_repeats_the_search(page: str, result: Result) -> None:
    found = re.search(r"result = (search\(.*?\))\.compute\(num_workers=2\)", page)
    assert found
    import games
    import strategies

    scope = {n: getattr(m, n) for m in (games, strategies) for n in m.__all__}
    again = eval(unescape(found[1]), scope)
    assert repr(again) == repr(result.search())
    assert again.plan.attempts == result.sparks.attempts


def test_the_page_shows_the_command_instead_if_given(result: Result) -> None:
    page = report_page(result, sequential=False, command="jamboree search 'a <b>'")
    assert '<pre tabindex="0">jamboree search &#x27;a &lt;b&gt;&#x27;</pre>' in page
    assert "speed-up against it" not in page


def test_texts_of_a_game_are_escaped() -> None:
    names = ("</script><script>alert(1)//", "bell\x07", "two\nlines")
    game = ExplicitGame.from_nested([[3, 6], [6, 4], [1, 30]], names=names)
    answer = search(game, alphabeta(depth=2), using=par_list.everywhere, engine="interpreted")
    page = report_page(answer.compute(num_workers=1), sequential=False)
    assert page.count("<script") == page.count("</script>") == 2
    assert data(page)["words"]


def test_a_small_tree_is_drawn_and_a_large_one_left_out(page: str) -> None:
    game = ExplicitGame.from_nested([[3, 6], [6, 4]])
    small = search(game, alphabeta(depth=2), engine="interpreted").compute()
    assert '<section id="tree">' in report_page(small)
    assert '<section id="tree">' not in page


@pytest.mark.parametrize(
    ("using", "limits", "why"),
    [
        (seq, {"nodes": 500}, "within a limit, seq deepens ply by ply in one thread"),
        (abdada(2), {}, "the threads of abdada(workers=2) search one position together"),
        (abdada(2), {"nodes": 500}, "the threads of abdada(workers=2) search one position"),
    ],
)
def test_the_page_says_why_it_has_no_graph(using: Any, limits: dict[str, Any], why: str) -> None:
    page = report_page(run(using, **limits))
    (graph,) = re.findall(r'<section id="graph">.*?</section>', page, re.S)
    assert f"There is none: {why}" in graph
    assert "<svg" not in graph
    assert "<dt>workers</dt><dd>2</dd>" in page
    assert ("speed-up against it" in page) == (not limits)


def test_a_search_within_a_limit_shows_its_iterations() -> None:
    result = run(par_list, time=60)
    page = report_page(result)
    assert "A row of graphs over one table" in page
    assert "<dt>depth</dt><dd>4 plies within the limit</dd>" in page
    assert "speed-up against it" not in page
    assert [g.depth for g in result.graphs if not g.leftmost][-1] == 4
    bands = data(page)["bands"]
    assert [b["names"][0] for b in bands] == [s.name for s in iteration_spans(result)]
    assert bands[0]["names"][0] == "depth 1"
    assert all("nodes in" in b["says"] for b in bands)


def test_the_file_is_written_whole(result: Result, tmp_path: Path) -> None:
    path = result.report(tmp_path / "report.html", sequential=False)
    assert path.read_text(encoding="utf-8").endswith("</html>\n")
    with pytest.raises(OSError, match="missing"):
        result.report(tmp_path / "missing" / "report.html", sequential=False)
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def lasting(result: Result, seconds: float) -> Result:
    """Return the run, stretched to this duration, with a processor for each task."""
    first = min(r.start for r in result.records)
    factor = seconds / (max(r.end for r in result.records) - first)
    records = tuple(
        r._replace(
            start=(r.start - first) * factor, end=(r.end - first) * factor, cpu=r.seconds * factor
        )
        for r in result.records
    )
    return evolve(result, records=records, call=Call(process(), -1.25, seconds))


def told(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_all_times_on_the_page_agree(result: Result) -> None:
    """Facts, timeline and diagnosis count from the first task to the last, without planning."""
    page = report_page(lasting(result, 4.0), sequential=lasting(run(seq), 0.0005))
    facts = told(page)
    assert facts["time, first task to last"] == "4 s"
    assert facts["planning, before and after"] == "1.25 s"
    assert facts["sequential search"] == "500 µs"
    assert facts["speed-up against it"] == "0.00013"
    assert data(page)["seconds"] == pytest.approx(4.0)
    assert "4 s on 2 workers, against 500 µs in order on one" in page
    assert "5.25 s" not in page
    short = report_page(lasting(result, 0.01), sequential=lasting(run(seq), 0.0005))
    assert told(short)["speed-up against it"] == "too short to say"


class Coloured(TicTacToe):
    """A game that shows positions in the colours of a terminal."""

    def show(self, state: Any) -> str:
        return f"\x1b[1;31m{super().show(state)}\x1b[0m"


def test_colours_of_a_terminal_get_into_no_page_and_no_picture(tmp_path: Path) -> None:
    game = Coloured()
    answer = search(game, alphabeta(2), using=jamboree(0.5).to_ply(1), engine="interpreted")
    found = answer.compute(num_workers=1)
    written = [
        found.report(tmp_path / "page.html").read_text("utf-8"),
        found.draw("tree").svg,
        answer.replay(tmp_path / "replay.html").read_text("utf-8"),
        Position(game, game.start()).board,
    ]
    assert not any("\x1b" in text or "u001b" in text or "[1;31m" in text for text in written)
    assert game.picture(game.start()) == TicTacToe().picture(TicTacToe().start())
