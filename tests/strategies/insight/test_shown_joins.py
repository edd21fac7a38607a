"""Pictures, tables, reports and diagnoses show joins, and count them apart from tasks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from attrs import evolve

from games import ConnectFour
from strategies import Result, par_list, pvs, search, young_brothers_wait
from strategies.cli.search_report import Report
from strategies.insight.analysis.diagnosis.facts import Facts
from strategies.insight.analysis.diagnosis.faults import few
from strategies.insight.analysis.timeline_marks import iteration_spans
from strategies.insight.analysis.utilisation import laid_out, utilisation
from strategies.insight.pictures.overview import draw_overview
from strategies.insight.report.columns import columns
from strategies.insight.report.page import report_page
from strategies.insight.report.run_sections import processes
from strategies.native.kept_engines import engine_for
from strategies.running.records.record import Record
from strategies.running.records.wording import JOINS
from strategies.studies.measure import Measurement
from tests.browser import Browser
from tests.strategies.joining import joining

GAME = ConnectFour(5, 4, pairs=1)
BROTHERS = young_brothers_wait.everywhere


@pytest.fixture(scope="module")
def result() -> Result:
    with joining():
        return search(GAME, pvs(11), using=BROTHERS.joined(), engine="native").compute(
            num_workers=3
        )


@pytest.fixture(scope="module")
def plain() -> Result:
    with joining():
        return search(GAME, pvs(11), using=BROTHERS, engine="native").compute(num_workers=3)


def test_the_time_of_joins_is_time_of_searches(result: Result) -> None:
    found = utilisation(result)
    joins = [b for b in found.bars if b.kind == "join"]
    assert len(joins) == len(result.joins) > 1
    assert result.sparks.created > 1
    assert found.workers == 3
    assert [b for b in found.bars if b not in joins] == list(found.tasks)
    assert found.counts == (
        f"{len(found.tasks):,} tasks, {len(joins):,} joins, {len(found.sparks):,} sparks"
    )
    spent = found.searching + found.folding + found.scheduling + found.transfer + found.idle
    assert spent == pytest.approx(found.total)
    searched = sum(r.seconds for r in result.records if r.role in ("spark", "step", "join"))
    assert found.searching == pytest.approx(searched)
    assert found.searching + found.folding == pytest.approx(result.work)
    assert all(b.ready == b.start and not b.after for b in joins)


def test_a_thread_of_the_next_graph_takes_the_lane_of_its_name(result: Result) -> None:
    """Workers that joined have a record in some graphs only."""
    first = result.records[0]

    def one(graph: int, worker: str, start: float) -> Record:
        return first._replace(graph=graph, worker=worker, start=start, end=start + 1)

    rows = [one(1, "p/a", 0), one(1, "p/b", 0), one(2, "p/b", 2), one(2, "p/c", 2)]
    found = laid_out(rows, {}, 2)
    assert [b.lane for b in found.bars] == [0, 1, 1, 0]
    assert found.workers == 2


def test_timelines_show_joins_with_a_legend_only_if_there_are_joins(
    result: Result, plain: Result
) -> None:
    svg = result.draw().svg
    drawn = re.findall(r'<rect class="bar join"[^>]*>(?:<title>([^<]*)</title>)?', svg)
    told = [text for text in drawn if text]
    counted = [int(text.split()[0].replace(",", "")) if " joins; " in text else 1 for text in told]
    assert sum(counted) == len(result.joins)
    assert JOINS in svg
    assert ".bar.join{" in svg
    assert f"{len(result.joins):,} joins" in svg
    assert "join" not in plain.draw().svg.replace("stroke-linejoin", "")
    assert result.draw().svg in result._repr_html_()


def test_iterations_and_the_overview_count_joins_apart(result: Result) -> None:
    says = [span.says for span in iteration_spans(result)]
    assert sum(
        int(n.replace(",", "")) for text in says for n in re.findall(r"([\d,]+) joins?,", text)
    ) == (len(result.joins))
    alone = evolve(result, records=tuple(r for r in result.records if r.role != "join"))
    assert draw_overview(None, result).svg == draw_overview(None, alone).svg


def test_traces_and_columns_hold_joins(result: Result) -> None:
    events = json.loads(result.to_trace())["traceEvents"]
    joins = [e for e in events if e["ph"] == "X" and e["cname"] == "rail_animation"]
    assert len(joins) == len(result.joins)
    assert {e["cat"] for e in joins} == {"join,done"}
    rows = columns(utilisation(result), None)
    assert rows["kind"].count(rows["kinds"].index("join")) == len(result.joins)
    assert sum(rows["nodes"]) == result.nodes


def test_tables_of_processes_and_studies_count_tasks_only(result: Result) -> None:
    threads = sorted({r.worker for r in result.records})
    homes = {name: f"{'ab'[i % 2]}/{i % 2}/{i}" for i, name in enumerate(threads)}
    moved = tuple(r._replace(worker=homes[r.worker]) for r in result.records)
    table = processes(laid_out(moved, {}, len(threads)), None)
    rows = [re.findall("<td[^>]*>([^<]*)</td>", row) for row in table.split("</tr>")[1:-1]]
    tasks = len(result.records) - len(result.joins)
    assert sum(int(row[3].replace(",", "")) for row in rows) == tasks
    assert table.count("<th class=num") == len(rows[0]) - 2, "all but machine and process"
    assert Measurement().add(result, 1.0).tasks == tasks


def test_the_command_counts_joins(result: Result) -> None:
    tasks, joins = len(result.records) - len(result.joins), len(result.joins)
    asked = search(GAME, pvs(11), using=BROTHERS.joined(), engine="native")
    shown = "\n".join(map(str, Report(asked, engine_for(GAME), "own", 3, result).parts()))
    assert f"in {tasks:,} tasks and {joins:,} joins, first to last" in shown


def test_a_diagnosis_counts_no_joins_as_tasks_that_were_started(result: Result) -> None:
    facts = Facts.of(result)
    join = next(b for b in facts.run.bars if b.kind == "join")
    many = (*facts.run.bars, *[evolve(join, ready=-100.0)] * 1000)
    crowded = evolve(facts, run=evolve(facts.run, bars=many))
    assert crowded.handing == facts.handing
    assert crowded.scheduling == facts.scheduling


def test_idle_workers_are_advised_to_join(result: Result, plain: Result) -> None:
    def advice(ran: Result) -> str:
        facts = Facts.of(ran)
        bars = tuple(b for b in facts.run.bars if b not in facts.run.sparks)
        found = few(evolve(facts, run=evolve(facts.run, idle=facts.run.total, bars=bars)))
        assert found is not None
        return found.advice

    assert ".joined()" in advice(plain)
    assert ".joined()" not in advice(result)
    slow = search(GAME, pvs(5), using=par_list.to_ply(2), engine="interpreted")
    assert ".joined()" not in advice(slow.compute(num_workers=2))


def test_the_report_counts_joins_apart(browser: Browser, result: Result, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_page(result, sequential=False), encoding="utf-8")
    tasks, joins = len(result.records) - len(result.joins), len(result.joins)
    with browser.page() as page:
        page.open(path)
        page.frame()
        assert page.events_of("Runtime.exceptionThrown", "Log.entryAdded") == []
        said = page.run("document.querySelector('#totals output').textContent")
        assert f": {tasks:,} tasks, {joins:,} joins, " in said
        sums = page.run(
            "[...document.querySelectorAll('#totals table')].map((table) =>"
            "[...table.tBodies[0].rows].reduce((sum, row) =>"
            "sum + Number(row.cells[1].textContent.replaceAll(',', '')), 0))"
        )
        assert sums == [tasks + joins, tasks + joins, tasks, tasks]
        keys = page.run("[...document.querySelectorAll('.key span')].map((k) => k.textContent)")
        assert JOINS in keys
        for measure in ("tasks", "nodes"):
            page.run(
                "((m) => { const s = document.querySelector('#overview select'); s.value = m;"
                f"s.dispatchEvent(new Event('change')); }})('{measure}')"
            )
            page.frame()
            heads = page.run(
                "[...document.querySelectorAll('#branches th')].map((h) => h.textContent)"
            )
            assert ("join" in heads) == (measure == "nodes")
        fill, edge, dashes = page.run("look('join')")
        assert fill.startswith("rgba(91, 126, 166")
        assert edge == "rgb(38, 115, 176)"
        assert dashes == [2, 2]
