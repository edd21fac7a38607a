"""Tasks lost with a worker, in the ledger, in rows, in the timeline and in the report."""

from __future__ import annotations

import csv
import json
import re
from types import SimpleNamespace

import pytest

from games import HANDOUT_BIG
from strategies import Result, alphabeta, par_list, search
from strategies.insight.analysis.timeline_marks import lost_marks
from strategies.insight.analysis.utilisation import utilisation
from strategies.insight.pictures.timeline import draw_timeline
from strategies.insight.report.page import report_page
from strategies.insight.report.run_sections import timeline
from strategies.running.plans.cluster_records import losses_of, with_losses
from strategies.running.records.record import Loss


@pytest.fixture(scope="module")
def plain() -> Result:
    return search(HANDOUT_BIG, alphabeta(4), using=par_list.to_ply(2)).compute(num_workers=2)


@pytest.fixture(scope="module")
def result(plain: Result) -> Result:
    """Return the run as if two sparks and a fold had been lost, and one of the sparks twice."""
    sparks = [(r.graph, r.key) for r in plain.records if r.role == "spark"]
    fold = next((r.graph, r.key) for r in plain.records if r.role == "fold")
    begin = min(r.start for r in plain.records)
    once = Loss(begin + 1e-5, "tcp://10.0.0.7:1", (*sparks[:2], fold))
    return with_losses(plain, (once, Loss(begin + 2e-5, "tcp://10.0.0.8:1", (sparks[0],))))


def test_the_ledger_counts_each_spark_once_and_the_number_lost(
    plain: Result, result: Result
) -> None:
    assert (result.sparks.lost, result.sparks.repeated) == (3, 2)
    assert result.sparks == plain.sparks
    assert result.sparks.balanced()
    assert result.sparks.line == f"{plain.sparks.line}; 3 lost with a worker, 2 run again"
    head, counts = (line.split() for line in result.sparks.table.splitlines())
    assert (head[-2:], counts[-2:]) == (["lost", "repeated"], ["3", "2"])
    assert "lost" not in str(plain.sparks)
    assert result.nodes == plain.nodes


def test_rows_and_plain_data_contain_lost_tasks(result: Result) -> None:
    rows = list(csv.DictReader(result.sparks.to_csv().splitlines()))
    assert sorted(int(r["lost"]) for r in rows if r["lost"] != "0") == [1, 2]
    assert result.summary()["sparks"]["lost"] == 3
    assert result.summary()["sparks"]["repeated"] == 2
    events = json.loads(result.to_trace())["traceEvents"]
    assert sum(e["args"].get("lost", 0) for e in events) == 4  # including a fold


def test_the_timeline_marks_lost_tasks_with_a_legend(plain: Result, result: Result) -> None:
    svg = draw_timeline(result).svg
    assert svg.count('class="lost line"') == 2
    assert svg.count('class="flag"') == 3 + 1  # three tasks, and the legend
    assert "a worker was lost or left" in svg
    assert "run again: lost with its worker" in svg
    assert "2 sparks lost" in svg
    says = "The worker tcp://10.0.0.7:1 was lost or left. It had 2 sparks and 1 other task"
    assert says in svg
    flags = re.findall(
        r'<rect class="bar [^>]*? x="([\d.]+)" y="([\d.]+)"[^>]*><title>[^<]*</title></rect>\s*'
        r'<path class="flag" d="M([\d.]+) ([\d.]+)h',
        svg,
    )
    assert len(flags) == 3
    assert all((x, y) == (left, top) for x, y, left, top in flags), "at the bar's corner"
    before = draw_timeline(plain).svg
    assert 'class="flag"' not in before
    assert "run again" not in before


def test_the_report_lists_lost_tasks(plain: Result, result: Result) -> None:
    page = report_page(result, sequential=False)
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert sorted(n for n in data["lost"] if n) == [1, 1, 2]
    assert [loss["time"] for loss in data["losses"]] == [10_000, 20_000]
    assert "3 lost with a worker, 2 run again" in page
    assert "Workers lost" in page
    assert '<path class="lost"' in page
    without = timeline(utilisation(plain))
    assert "Workers lost" not in without
    assert '<path class="lost"' not in without


def test_the_diagnosis_begins_with_the_lost_workers(plain: Result, result: Result) -> None:
    first = result.diagnosis().findings[0]
    assert first.name == "lost workers"
    assert first.says.startswith(
        "2 workers (tcp://10.0.0.7:1, tcp://10.0.0.8:1) were lost or left; 3 tasks ran again, up to"
    )
    assert 0 < first.lost < 1
    assert "lost workers" in report_page(result, sequential=False)
    assert "lost workers" not in str(plain.diagnosis())


def test_a_lost_fold_is_a_task_and_not_a_spark(plain: Result) -> None:
    fold = next((r.graph, r.key) for r in plain.records if r.role == "fold")
    early = Loss(min(r.start for r in plain.records) - 1, "tcp://10.0.0.7:1", (fold,))
    (mark,) = lost_marks(with_losses(plain, (early,)))
    assert (mark.time, mark.name) == (0.0, "1 task lost")
    assert "It had 1 task, which" in mark.says


def test_the_marks_are_within_the_run(result: Result) -> None:
    assert all(0 <= m.time <= utilisation(result).seconds for m in lost_marks(result))


def test_the_scheduler_reports_the_losses_of_this_run_only() -> None:
    gone = {
        "action": "remove-worker", "worker": "tcp://a",
        "processing-tasks": {("search-r", 3): 0.5, ("search-other", 1): 0.5, "a key": 1.0, 7: 1.0},
        "lost-computed-tasks": {("merge-r", 1), ("look-r", 0)},
    }  # fmt: skip
    other = {**gone, "worker": "tcp://b", "processing-tasks": {}, "lost-computed-tasks": set()}
    events = ((1.0, gone), (2.0, other), (3.0, {"action": "add-worker"}), (4.0, "a text"))
    ((age, worker, numbers),) = losses_of("r", SimpleNamespace(get_events=lambda topic: events))
    assert (worker, numbers) == ("tcp://a", [1, 3])
    assert age > 0
