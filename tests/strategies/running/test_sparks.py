"""The ledger is the same on every scheduler, agrees with an independent count, and adds up."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from threading import Event, Thread
from time import thread_time
from typing import Any

import pytest
from attrs import evolve
from dask.callbacks import Callback
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import HANDOUT_BIG, ConnectFour, ExplicitGame, TicTacToe
from strategies import (
    alphabeta,
    explain,
    jamboree,
    lazy_smp,
    par_buffer,
    par_list,
    par_list_chunk,
    parse_strategy,
    scout,
    search,
    seq,
    young_brothers_wait,
)
from strategies.algebra.groups import Window
from strategies.algebra.strategy import unfolded
from strategies.insight.pictures.task_graph import draw_plan
from strategies.running.records.clocks import Call, Reading, set_clocks
from strategies.running.records.record import Record, Tally, now, process, record
from strategies.running.records.rows import Row
from strategies.running.records.sparks import Sparks, Unbalanced, audited
from tests.strategies.clusters import cluster, two_processes

BUSY = 0.02
"""Seconds of processor time."""
TEXTS = [
    "jamboree(0.3).everywhere", "young_brothers_wait.to_ply(2)", "scout.to_ply(2)",
    "par_list_chunk(2).to_ply(3)", "par_list.everywhere.grain(plies=2)",
]  # fmt: skip


def answer(text: str, engine: str = "auto") -> Any:
    return search(HANDOUT_BIG, alphabeta(4), using=parse_strategy(text), engine=engine)


class Counted(Callback):  # type: ignore[misc]
    """Count the tasks that a scheduler reports, by the kind in their keys, not by records."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: Counter[str] = Counter()

    def _posttask(self, key: Any, value: Any, dsk: Any, state: Any, worker: Any) -> None:
        self.kinds[key[0].partition("-")[0]] += 1


def told(sparks: Sparks, kinds: Counter[str]) -> bool:
    return (sparks.created, sparks.dud, sparks.attempts) == (
        kinds["spark"], kinds["dud"], kinds["spark"] + kinds["dud"],
    )  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("scheduler", [None, "sync", "threads"])
def test_the_ledger_agrees_with_the_scheduler(text: str, scheduler: str | None) -> None:
    with Counted() as counted:
        found = answer(text).compute(scheduler=scheduler, num_workers=2)
    assert told(found.sparks, counted.kinds)
    assert found.sparks.dud > 0 or not text.endswith("everywhere")  # each of them is a task, too
    assert found.sparks.balanced()
    assert sum(counted.kinds.values()) == len(found.records)
    assert (found.move, found.value) == (0, 3)


@pytest.mark.slow
def test_the_ledger_of_processes() -> None:
    with two_processes() as pool:
        for text in TEXTS:
            with Counted() as counted:
                asked = answer(text, "interpreted")  # so that no process loads the compiler
                found = asked.compute(scheduler="processes", pool=pool, chunksize=1)
            assert told(found.sparks, counted.kinds), text
            assert found.sparks.balanced(), text
            assert (found.move, found.value) == (0, 3), text


@pytest.mark.slow
def test_the_ledger_of_a_cluster() -> None:
    with cluster() as client:
        from distributed import SchedulerPlugin

        class Seen(SchedulerPlugin):  # type: ignore[misc]
            def __init__(self) -> None:
                self.keys: set[Any] = set()

            def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
                if start == "processing" and finish == "memory":
                    self.keys.add(key)

        for text in TEXTS:
            seen = Seen()
            client.cluster.scheduler.add_plugin(seen, name=text)
            found = client.compute(answer(text)).result()  # task by task, not in bundles
            kinds = Counter(str(key[0]).partition("-")[0] for key in seen.keys)
            assert told(found.sparks, kinds)
            assert found.sparks.balanced()


def test_a_ledger_that_does_not_add_up_is_refused() -> None:
    with pytest.raises(Unbalanced, match="2 attempts, 1 created"):
        audited(Sparks(attempts=2, created=1, converted=1))
    with pytest.raises(Unbalanced, match="1 created, 0 dud, 0 overflowed; 0 converted"):
        audited(Sparks(attempts=1, created=1))


def test_a_lost_record_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from strategies.running.plans import tasks

    real = tasks.ledger
    monkeypatch.setattr(tasks, "ledger", lambda n, records, *more: real(n, records[1:], *more))
    with pytest.raises(Unbalanced):
        answer("par_list").compute(num_workers=1)


def test_a_spark_fizzles_if_the_table_has_its_result() -> None:
    """Two moves of each side in either order lead to the same position."""
    found = search(
        ConnectFour(4, 4), alphabeta(6, table="1MB"), using=parse_strategy("par_list.to_ply(3)"),
        engine="interpreted",
    ).compute(num_workers=1)  # fmt: skip
    reasons = dict(found.sparks.reasons)
    assert reasons["already known"] > 0
    assert sum(reasons.values()) == found.sparks.fizzled
    known = [r for r in found.records if r.reason == "already known"]
    assert all(r.leaves == 0 and r.outcome == "fizzled" for r in known)


def test_rows() -> None:
    result = search(
        TicTacToe(), alphabeta(3), using=parse_strategy("jamboree(0.5).to_ply(2)"),
        engine="interpreted",
    ).compute(num_workers=2)  # fmt: skip
    rows = result.sparks.records()
    assert len(rows) == result.sparks.created + result.sparks.dud
    assert sum(r.nodes for r in result.rows()) == result.nodes
    assert {r.worker for r in rows} <= {0, 1}
    assert all(0 <= r.start <= r.end for r in rows)
    by_place = {r.place: r for r in rows}
    game = TicTacToe()
    first = list(game.moves(game.start()))[4]
    assert by_place["4.4"].line.split()[0] == game.move_text(game.start(), first)
    assert by_place["4.4"].ply == 2


def test_rows_as_csv_and_json(tmp_path: Path) -> None:
    sparks = answer("par_list.everywhere").compute(num_workers=1).sparks
    text = sparks.to_csv(tmp_path / "sparks.csv")
    assert (tmp_path / "sparks.csv").read_text() == text
    read = list(csv.DictReader(StringIO(text)))
    assert list(read[0]) == list(Row._fields)
    assert [int(r["nodes"]) for r in read] == [r.nodes for r in sparks.records()]
    data = json.loads(sparks.to_json(tmp_path / "sparks.json"), parse_constant=pytest.fail)
    assert [list(r) for r in data] == [list(Row._fields)] * len(read)
    assert Sparks().records() == ()
    with pytest.raises(OSError, match="nowhere"):
        sparks.to_csv(tmp_path / "nowhere" / "sparks.csv")


def test_a_line_and_a_table() -> None:
    sparks = Sparks(attempts=3, created=2, converted=1, fizzled=1, dud=1, reasons=(("late", 1),))
    line, names, counts = str(sparks).splitlines()
    assert line == sparks.line
    assert line.startswith("SPARKS: 3 (1 converted, 0 overflowed, 1 dud, - GC'd, 1 fizzled)")
    assert dict(zip(names.split(), counts.split(), strict=True))["fizzled"] == "1"
    assert str(Sparks()) == Sparks().line
    assert eval(repr(sparks)) == sparks


def test_large_counts_are_grouped_in_line_and_table_but_for_the_counts_of_ghc() -> None:
    many = Sparks(1234567, 1234567, fizzled=1234567, inlined=14576946917, pruned=12345, lost=1000,
                  repeated=2000, reasons=(("late", 1234567),))  # fmt: skip
    line, _, counts = str(many).splitlines()
    ours = line.removeprefix(
        "SPARKS: 1234567 (0 converted, 0 overflowed, 0 dud, - GC'd, 1234567 fizzled)"
    )
    assert ours.startswith("; fizzled: 1,234,567 late; 14,576,946,917 inlined; 12,345 branches")
    assert not re.search(r"\d{4}", ours + counts)


def test_chrome_trace(tmp_path: Path) -> None:
    found = answer("par_list.everywhere").compute(num_workers=2)
    found.to_trace(tmp_path / "run.json")
    data = json.loads((tmp_path / "run.json").read_text(), parse_constant=pytest.fail)
    events = data["traceEvents"]
    bars = [e for e in events if e["ph"] == "X"]
    assert len(bars) == len(found.records)
    assert {e["ph"] for e in events} == {"M", "X", "C"}
    for e in events:
        assert isinstance(e["name"], str)
        assert isinstance(e["pid"], int)
        assert isinstance(e["tid"], int)
    for e in bars:
        assert e["ts"] >= 0
        assert e["dur"] >= 0
        assert {"key", "move", "window", "outcome", "nodes"} <= set(e["args"])
    named = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    assert named == {e["tid"] for e in bars}
    assert sum(e["args"]["nodes"] for e in bars) == found.nodes
    assert data["otherData"]["search"] == found.request.expression
    busy = [e["args"]["busy"] for e in events if e["ph"] == "C"]
    assert min(busy) == busy[-1] == 0
    assert 1 <= max(busy) <= 2


def at(name: str, start: float, end: float) -> Record:
    return record(("step", ()), "step", now())._replace(start=start, end=end, worker=f"{name}/1")


def test_clocks_that_agree_stay_unchanged() -> None:
    a, b = at("one/1", 1, 2), at("one/2", 2.5, 3)
    moved, clocks = set_clocks((a, b), [(a, b)], Call("one/1", 0.5, 3.5))
    assert moved == (a, b)
    assert clocks.offsets == (("one/1", 0.0), ("one/2", 0.0))
    assert clocks.error == 0.5


def test_clocks_are_shifted_so_that_causes_precede_effects() -> None:
    """The second process's clock is 1,000 s ahead; both tasks ran between request and response."""
    a, b, c = at("one/1", 1, 2), at("two/9", 1002.5, 1003), at("one/1", 3.5, 4)
    moved, clocks = set_clocks((a, b, c), [(a, b), (b, c)], Call("one/1", 0, 5))
    assert moved[0].end <= moved[1].start <= moved[1].end <= moved[2].start
    assert moved[1].seconds == pytest.approx(0.5)
    true = dict(clocks.offsets)["two/9"]
    assert (true, clocks.error) == (-1000, 0.5)
    assert "2 clocks, 1 of them moved" in str(clocks)


def test_measured_clocks_are_set_by_half_of_the_round_trip() -> None:
    a = at("two/9", 1002.5, 1003)
    read = Reading(6.0, "two/9", 1006.1, 6.2), Reading(6.0, "gone/3", 3.0, 6.2)
    moved, clocks = set_clocks((a,), [], Call("one/1", 0, 5), read)
    assert dict(clocks.offsets)["two/9"] == pytest.approx(-1000)
    assert clocks.error == pytest.approx(0.1)
    assert (moved[0].start, moved[0].end) == pytest.approx((2.5, 3))


def test_clocks_at_different_speeds_are_not_trusted() -> None:
    a, b, c = at("one/1", 1, 2), at("two/9", 7, 8), at("one/1", 2.5, 3)
    moved, clocks = set_clocks((a, b, c), [(a, b), (b, c)])
    assert moved == (a, b, c)
    assert clocks.error == float("inf")


def test_one_process_has_one_clock() -> None:
    found = answer("par_list").compute(num_workers=2)
    assert found.clocks is None
    assert found.call.process == process()
    assert found.call.start <= min(r.start for r in found.records)
    assert max(r.end for r in found.records) <= found.call.end
    assert found.call.seconds > 0
    assert evolve(found, call=None) == found


def counted_by(text: str) -> tuple[int, int]:
    """Return the sparks and steps of one node as counted by `explain`."""
    found = re.search(r"(\d+) sparks?, (\d+) steps?\.", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


LISTS = (
    par_list, jamboree(0), jamboree(0.3), jamboree(0.5), jamboree(1), par_list_chunk(2),
    par_list_chunk(3), par_buffer(2), young_brothers_wait, scout, par_list.live(),
)  # fmt: skip


@given(st.sampled_from(LISTS), st.integers(1, 3), st.integers(1, 4))
@settings(max_examples=15)
@example(par_list, 2, 4)
@example(par_list_chunk(2), 2, 3)
@example(scout, 2, 3)
def test_explain_the_plan_and_the_ledger_count_the_same(s: Any, plies: int, width: int) -> None:
    """On a uniform tree opened to a ply, the counts are those of one node times the nodes."""
    tree: Any = 0
    for _ in range(plies + 1):
        tree = [tree] * width
    answer = search(
        ExplicitGame.from_nested(tree), alphabeta(plies + 1), using=s.to_ply(plies),
        engine="interpreted",
    )  # fmt: skip
    sparks, steps = counted_by(explain(s.to_ply(plies), branches=width))
    again = sum(
        g.window is Window.ZERO for g in unfolded(s, "max", width).groups
    )  # tested, then searched
    nodes = [(width + again) ** ply for ply in range(plies)]
    found = answer.compute(num_workers=1).sparks
    assert found.asked == sparks * sum(nodes) == answer.plan.counts.sparks
    assert found.opened == sparks * sum(nodes[:-1])
    assert draw_plan(answer, most=10_000).svg.count('<g class="mark spark') == found.created
    if sparks:  # a node without sparks below the root is one task
        assert answer.plan.counts.steps == steps * sum(nodes)


def test_processor_time_is_recorded_in_addition_to_wall_time() -> None:
    """A waiting task takes wall time but no processor time; work in another thread counts."""

    def busy() -> None:
        end = thread_time() + BUSY
        while thread_time() < end:
            pass

    def waiting(_: Tally) -> None:
        Event().wait(BUSY)

    def elsewhere(tally: Tally) -> None:
        thread = Thread(target=tally.spend, args=(busy,))
        thread.start()
        thread.join()

    works: list[Callable[[Tally], None]] = [waiting, lambda tally: tally.spend(busy), elsewhere]
    found = []
    for work in works:
        start, tally = now(), Tally()
        work(tally)
        found.append(record(("step", ()), "step", start, tally))
    waited, here, there = (r.cpu for r in found)
    assert waited < BUSY <= min(here, there)  # processor time, not wall time


@pytest.mark.parametrize("using", [seq, par_list.to_ply(2), lazy_smp()], ids=repr)
def test_every_search_prints_its_processor_time(using: Any) -> None:
    result = search(HANDOUT_BIG, alphabeta(4), using=using, engine="interpreted").compute()
    assert all(r.cpu >= 0 for r in result.records)
    assert result.cpu == sum(r.cpu for r in result.records) == result.summary()["cpu"] > 0
    assert [r.cpu for r in result.rows()] == [
        r.cpu for r in sorted(result.records, key=lambda r: r.start)
    ]
