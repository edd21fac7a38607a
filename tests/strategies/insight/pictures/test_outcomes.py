"""Every picture distinguishes the outcomes of sparks by class, words and dashes."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from attrs import evolve

from games import ConnectFour
from strategies import alphabeta, parse_strategy, search
from strategies.insight.pictures.fates import SIGNS
from strategies.insight.pictures.picture import STYLE
from strategies.insight.report.page import report_page
from strategies.running.records.record import Record
from strategies.running.records.wording import SPARKS


@cache
def run() -> Any:
    """Return a run with sparks of every outcome; two that searched are recorded as abandoned."""
    result = search(
        ConnectFour(4, 4), alphabeta(6, table="1MB"), using=parse_strategy("par_list.to_ply(3)"),
        engine="interpreted",
    ).compute(num_workers=1)  # fmt: skip
    sparks = [i for i, r in enumerate(result.records) if r.role == "spark"]
    searched = [i for i in sparks if result.records[i].outcome == "converted"]
    (closed,) = [i for i in sparks if i not in searched][:1]
    records = list(result.records)
    for i in searched[:2]:
        records[i] = records[i]._replace(aborted=1, reason="cut off")
    records[closed] = records[closed]._replace(window=(1, 0), reason="window closed")
    return evolve(result, records=tuple(records))


def fates() -> Counter[str]:
    """Count the sparks of each outcome, by the fields of their records."""
    return Counter(map(fate, (r for r in run().records if r.role == "spark")))


def fate(r: Record) -> str:
    if r.outcome == "fizzled":
        return {"already known": "known", "window closed": "fizzled"}[r.reason]
    return "aborted" if r.reason == "cut off" else "converted"


def test_there_are_sparks_of_every_outcome() -> None:
    assert set(fates()) == set(SPARKS)


@pytest.mark.parametrize("name", SPARKS)
def test_the_graph_distinguishes_outcomes(name: str) -> None:
    svg = run().draw("graph", most=10_000).svg
    marks = re.findall(rf'<g class="mark spark {name}"><title>(.*?)</title>', svg, re.DOTALL)
    assert len(marks) == fates()[name]
    says = {"known": "already known", "fizzled": "window closed", "aborted": "aborted: "}
    for other, words in says.items():
        assert all((words in tip) == (other == name) for tip in marks)
    assert name == "converted" or SPARKS[name].removeprefix("spark, ") in svg


@pytest.mark.parametrize("most", [3, 5, 9, 20, 40])
def test_a_folded_subtree_that_was_searched_is_not_painted_as_fizzled(most: int) -> None:
    result = search(
        ConnectFour(4, 4), alphabeta(4), using=parse_strategy("jamboree(0.5).to_ply(3)"),
        engine="interpreted",
    ).compute(num_workers=1)  # fmt: skip
    svg = result.draw("graph", most=most).svg
    marks = re.findall(r'<g class="mark folded (\w+)"><title>(.*?)</title>', svg, re.DOTALL)
    assert marks
    for outcome, tip in marks:
        searched = not re.search(r"^0 nodes$", tip, re.MULTILINE)
        assert not (searched and outcome in ("fizzled", "known"))
        assert (outcome == "converted") == bool(re.search(r"\d+ sparks converted", tip))
    shown = re.findall(r"<text[^>]*>([✓⊘✕=]\d+(?: [✓⊘✕=]\d+)*)<", svg)
    counts, tips = Counter[str](), Counter[str]()
    for text in shown:
        counts.update({part[0]: int(part[1:]) for part in text.split()})
    for _, tip in marks:
        tips.update({SIGNS[f]: int(n) for n, f in re.findall(r"(\d+) sparks (\w+)", tip)})
    assert counts == tips


@pytest.mark.parametrize("name", SPARKS)
def test_the_timeline_and_the_report_distinguish_outcomes(name: str) -> None:
    svg = run().draw().svg
    assert f'class="bar {name}"' in svg
    assert SPARKS[name] in svg
    page = report_page(run(), sequential=False)
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    kinds = Counter(data["kinds"][kind] for kind in data["kind"])
    assert kinds[name] == fates()[name]
    assert SPARKS[name] in page


def test_each_outcome_has_its_own_colour_and_edge() -> None:
    rules = [re.findall(rf"\.jam \.(?:bar\.)?{name} ?(?:\.shape)?{{(.*?)}}", STYLE)
             for name in ("aborted", "known")]  # fmt: skip
    for found in rules:
        assert len(found) == 2
        assert all("stroke-dasharray" in rule for rule in found)
    assert not set(rules[0]) & set(rules[1])


def test_the_legend_of_a_timeline_stays_inside_it() -> None:
    picture = run().draw("timeline")
    width, height = picture.size
    keys = re.findall(r'<text class="key" x="([\d.]+)" y="([\d.]+)">([^<]+)<', picture.svg)
    assert set(SPARKS.values()) <= {text for _, _, text in keys}
    assert all(float(x) + 6 * len(text) <= width for x, _, text in keys)
    assert all(float(y) <= height for _, y, _ in keys)
