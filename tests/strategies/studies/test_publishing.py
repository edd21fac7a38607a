"""Published results of a study: intervals, tables, pictures, and comparisons with another study."""

import json
import re
from html import unescape
from itertools import pairwise
from math import comb
from xml.etree import ElementTree

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import TicTacToe
from strategies.studies import NotAStudy, Study, compare
from strategies.studies.plot import plies_of
from strategies.studies.report import study_page
from strategies.studies.rows import median_interval
from tests.strategies.small_study import studied


def timed(*runs):
    """Return the study as if all its rows had taken these times."""
    middle = sorted(runs)[len(runs) // 2]
    return evolve(
        studied(), rows=tuple(evolve(r, runs=runs, seconds=middle) for r in studied().rows)
    )


@given(st.lists(st.floats(0, 10), min_size=1, max_size=30, unique=True))
def test_the_interval_is_the_narrowest_with_enough_coverage_of_the_median(runs):
    low, high = median_interval(runs)
    ordered, n = sorted(runs), len(runs)
    k = ordered.index(low) + 1
    assert ordered[n - k] == high

    def held(k):
        """Count how many of the 2^n outcomes have the median within the interval."""
        return sum(comb(n, below) for below in range(k, n - k + 1)) / 2**n

    assert k == 1 or held(k) >= 0.95
    assert 2 * (k + 1) > n or held(k + 1) < 0.95


def test_a_study_is_read_back_as_written():
    text = studied().to_json()
    read = Study.from_json(text)
    assert (read.rows, str(read), read.to_json()) == (studied().rows, str(studied()), text)
    assert next(iter(json.loads(text))) == "schema"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1, "rows": [{}]}', "nul"])
def test_files_that_are_no_studies_are_refused_in_one_line(text):
    with pytest.raises(NotAStudy, match=r"^the text is not a study[^\n]*$"):
        Study.from_json(text)
    with pytest.raises(NotAStudy, match="schema 1"):
        Study.from_json('{"schema": 2}')


def test_a_study_with_text_instead_of_a_number_is_refused():
    data = json.loads(studied().to_json())
    data["rows"][0]["seconds"] = "long"
    with pytest.raises(NotAStudy, match="the text is not a study"):
        Study.from_json(json.dumps(data))


def test_tables_have_a_line_for_each_row():
    lines = studied().to_markdown().splitlines()
    assert len(lines) == 2 + len(studied().rows)
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    table = studied().to_latex()
    assert table.count(r" \\") == 1 + len(studied().rows)
    assert not re.search(r"(?<!\\)[_%#$]", table)


def test_intervals_are_shown_only_for_several_runs():
    assert "0.100 to 0.300" in str(timed(0.3, 0.1, 0.2))
    assert "interval" not in str(timed(0.2))


def test_seconds_per_move_are_shown_only_if_a_search_had_several_moves():
    """For one move they would repeat the time."""
    assert {"moves", "s/move"}.isdisjoint(studied().cells()[0])
    games = evolve(studied(), rows=tuple(evolve(r, moves=3) for r in studied().rows))
    assert {"moves", "s/move"} <= set(games.cells()[0])


def test_the_depth_of_a_change_is_shown_only_if_it_varies():
    assert "depth" not in compare(studied(), studied()).cells()[0]
    deeper = evolve(
        studied(), rows=(studied().rows[0], *(evolve(r, depth=3) for r in studied().rows[1:]))
    )
    head, *rows = compare(deeper, deeper).cells()
    assert [row[head.index("depth")] for row in rows] == ["2", *["3"] * (len(rows) - 1)]


def test_points_of_strategies_on_the_same_workers_do_not_hide_each_other():
    rows = [
        *studied().rows,
        *(evolve(r, template="other") for r in studied().rows if r.strategy != "seq"),
    ]
    svg = evolve(studied(), rows=tuple(rows)).draw().svg
    found = re.findall(r'<circle class="point \w+" r="4" cx="([\d.]+)" cy="[\d.]+"><title>', svg)
    assert len(set(found)) == len(found) > 3


@given(st.integers(1, 48), st.sampled_from(["workers", "plies"]), st.integers(3, 40))
def test_many_lines_of_a_picture_stay_in_its_field_and_differ(count, by, most):
    """The points at neighbouring places are apart, however many there are."""
    one = next(r for r in studied().rows if r.strategy != "seq")
    rows = [
        evolve(one, template=f"number {i}", strategy=f"at {n}", **{"workers": 1, "plies": 1, by: n})
        for i in range(count)
        for n in (1, most - 1, most)
    ]
    svg = evolve(studied(), rows=tuple(rows)).draw(by=by).svg
    found = re.findall(r'class="point .*?(?:cx="|translate\()([\d.]+).*<title>at (\d+)', svg)
    left, across = map(float, re.search(r'class="field" x="(\d+)".* width="(\d+)"', svg).groups())
    assert len(found) == len(rows)
    assert all(left <= float(x) - 6 and float(x) + 6 <= left + across for x, _ in found)
    ordered = [int(n) for x, n in sorted(found, key=lambda point: float(point[0]))]
    assert ordered == sorted(ordered)
    named = re.findall(r'<g transform="[^"]*">(.*)<text class="key".*>number \d+<', svg)
    assert len(set(named)) == len(named) == count


def test_short_times_are_printed_with_three_digits():
    head, _, first, *_ = str(timed(0.000474, 0.000481, 0.0009)).split("\n\n")[1].split("\n")
    assert "time (s)" in head
    assert "0.000481  0.000474 to 0.000900" in first
    assert " 0.500  0.500 to 0.500" in str(timed(0.5, 0.5, 0.5))
    changes = str(compare(timed(0.0002, 0.0002, 0.0002), timed(0.00012, 0.00012, 0.00012)))
    assert "0.000200 (0.000200 to 0.000200)  0.000120 (0.000120 to 0.000120)" in changes


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((3.0, 3.1, 3.2), (1.0, 1.1, 1.2), "faster"),
        ((1.0, 1.1, 1.2), (3.0, 3.1, 3.2), "slower"),
        ((1.0, 1.1, 1.2), (1.2, 1.3, 1.4), "not seen"),
        ((3.0, 3.1), (1.0, 1.1), "too few"),
    ],
)
def test_a_difference_is_reported_only_if_the_intervals_are_disjoint(before, after, said):
    changes = compare(timed(*before), timed(*after))
    assert {change.verdict for change in changes.rows} == {said}
    assert len(changes.rows) == len(studied().rows)
    assert f"{changes.rows[0].ratio:.2f}" in str(changes)
    assert said in changes.to_markdown()
    cells = [e.text for e in ElementTree.fromstring(f"<d>{changes._repr_html_()}</d>").iter("td")]
    assert f"{changes.rows[0].ratio:.2f}" in cells
    marked = {"faster": "<b>faster</b>", "slower": "<i>slower</i>"}.get(said, said)
    assert f">{marked}</td>" in changes._repr_html_()


def test_rows_in_only_one_study_are_listed_and_other_searches_are_refused():
    less = evolve(studied(), rows=studied().rows[:-1])
    for when, changes in (
        ("before", compare(studied(), less)),
        ("after", compare(less, studied())),
    ):
        told = f"measured only {when}: jamboree(0.5).everywhere on 2 by alphabeta("
        assert told in str(changes)
    other = evolve(studied(), game=repr(TicTacToe()))
    with pytest.raises(ValueError, match=r"^the studies are of different searches: game [^\n]*$"):
        compare(studied(), other)


def test_json_includes_the_comparison_and_reading_ignores_it():
    before, after = timed(9.0, 9.5, 10.0), timed(4.5, 4.75, 5.0)
    less = evolve(before, rows=before.rows[1:])
    text = after.to_json(less)
    changes = json.loads(text)["changes"]
    assert [row["strategy"] for row in changes["rows"]] == [r.strategy for r in after.rows[1:]]
    for row in changes["rows"]:
        assert row["before"] == {"seconds": 9.5, "low": 9.0, "high": 10.0}
        assert row["after"] == {"seconds": 4.75, "low": 4.5, "high": 5.0}
        assert (row["ratio"], row["visits"], row["verdict"]) == (2.0, 1.0, "faster")
    assert [row["strategy"] for row in changes["only_after"]] == ["seq"]
    assert changes["only_before"] == []
    assert Study.from_json(text).to_json() == after.to_json()
    with pytest.raises(ValueError, match="of different searches"):
        after.to_json(evolve(before, state="other"))


def points(picture):
    """Return the vertical positions of the points of a picture."""
    return [float(y) for y in re.findall(r'<g class="\w+"><circle[^>]*cy="([\d.]+)"', picture)]


def test_the_chart_of_speed_ups_mirrors_the_chart_of_times():
    rows = studied().rows
    half, twice = rows[0].seconds / 2, rows[0].seconds * 2
    quick = evolve(rows[1], seconds=half, runs=(half,), speedup=2.0)
    slow = evolve(rows[2], seconds=twice, runs=(twice,), speedup=0.5)
    found = evolve(studied(), rows=(rows[0], quick, slow))
    for what in ("time", "speedup"):
        svg = found.draw(what).svg
        of_quick, of_slow = points(svg)
        assert (of_quick < of_slow) is (what == "speedup"), what
        assert ("bound ideal" in svg.partition("</style>")[2]) is (what == "speedup")
    with pytest.raises(ValueError, match="draws time or speedup, not 'speed'"):
        studied().draw("speed")
    with pytest.raises(ValueError, match="seq was not measured"):
        evolve(studied(), rows=rows[1:]).draw("speedup")


PLIES = {
    "par_list": 1, "par_list.to_ply(3)": 3, "jamboree(0.5).to_ply(2)(par_list)": 2,
    "par_list.to_ply(4).grain(2)": 2, "par_list.everywhere.grain(5)": 5, "seq": None,
    "jamboree(0.5).everywhere": None, "par_list.to_size(9)": None, "abdada": None, "mine(3)": None,
}  # fmt: skip


def test_the_plies_in_which_a_strategy_sparks():
    row = studied().rows[1]
    assert {s: plies_of(evolve(row, strategy=s, template=s)) for s in PLIES} == PLIES
    assert plies_of(evolve(row, plies=7)) == 7, "the number of a sweep"


def swept():
    """Return a study of two strategies at 1, 2 and 4 plies, with leaves that grow tenfold."""
    first, row, _ = studied().rows
    found = [first]
    for name, leaves in (("par_list", 20), ("jamboree(0.5)", 20_000)):
        for k, plies in enumerate((4, 1, 2)):
            text = f"{name}.to_ply({plies})"
            found.append(evolve(
                row, strategy=text, template=text, plies=plies, leaves=leaves * 10**k,
                seconds=plies, runs=(plies,),
            ))  # fmt: skip
    return evolve(studied(), rows=tuple(found))


def dots(svg):
    """Return where the points of a picture are across, by their strategies."""
    found = re.findall(r'cx="([\d.]+)" cy="[\d.]+"><title>([^,]+),', svg)
    return {strategy: float(x) for x, strategy in found}


def test_a_study_is_drawn_by_plies_and_by_leaves():
    found = swept()
    for what, name in (("time", "Time"), ("speedup", "Speed-up")):
        svg = found.draw(what, by="plies").svg
        assert f">{name} against plies with sparks</text>" in svg
        at = dots(svg)
        for s in ("par_list", "jamboree(0.5)"):
            one, two, four = (at[f"{s}.to_ply({n})"] for n in (1, 2, 4))
            assert four - two == pytest.approx(2 * (two - one), abs=0.2), "linear"
            assert svg.count(f">{s}.to_ply(n)</text>") == 1, "one line, of three points"
        assert "bound ideal" not in svg
        at = dots(found.draw(what, by="leaves").svg)
        steps = [at[f"{s}.to_ply({n})"] for s in ("par_list", "jamboree(0.5)") for n in (4, 1, 2)]
        between = [b - a for a, b in pairwise(steps)]
        assert between == pytest.approx([between[0]] * 5, abs=0.2), "logarithmic"
    several = evolve(found, rows=(*found.rows, *(evolve(r, workers=2) for r in found.rows[1:])))
    assert ">par_list.to_ply(n) on 2 workers</text>" in several.draw(by="plies").svg
    with pytest.raises(ValueError, match="by must be one of workers, plies, leaves, not 'cores'"):
        found.draw(by="cores")
    with pytest.raises(ValueError, match="no plies to draw: no strategy sparks in a fixed"):
        studied().draw(by="plies")


def test_the_page_shows_the_plots_with_points_at_two_places():
    drawn = [name for name in sections(study_page(swept())) if "plot" in name or "-by-" in name]
    assert drawn == ["time-by-plies", "speedup-by-plies", "time-by-leaves", "speedup-by-leaves"]


def test_the_page_draws_no_line_of_one_point():
    """Strategies of different plies, each alone, are no line against plies."""
    seq, row, _ = studied().rows
    texts = ["par_list.to_ply(1)", "scout.to_ply(2)"]
    rows = [
        evolve(row, strategy=text, template=text, workers=n, leaves=9 * len(text))
        for text in texts
        for n in (1, 2)
    ]
    found = sections(study_page(evolve(studied(), rows=(seq, *rows))))
    assert list(found) == ["time-plot", "speedup-plot", "times", "speedups", "nodes"]


def sections(page):
    """Return the cells of each table of a page, the header first, by the name of its section."""
    found = {}
    for name, part in re.findall(r'<section id="([\w-]+)">(.*?)</section>', page, re.S):
        rows = re.findall(r"<tr>(.*?)</tr>", part, re.S)
        found[name] = [
            [
                unescape(c.replace("<wbr>", ""))
                for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
            ]
            for row in rows
        ]
    return found


def test_the_page_has_pictures_and_every_row_with_a_bar(tmp_path):
    path = tmp_path / "study.html"
    assert studied().report(path) == path
    page = path.read_text(encoding="utf-8")
    assert set(re.findall(r"https?:[^\s\"'<]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    found = sections(page)
    assert list(found) == ["time-plot", "speedup-plot", "times", "speedups", "nodes"]
    assert page.count("<svg") == 2
    assert ".point{fill:var(--stepped)" in page, "what only these pictures have in their sheet"
    for name in ("times", "speedups", "nodes"):
        assert [row[0] for row in found[name][1:]] == [row.strategy for row in studied().rows]
    nodes = found["nodes"][0].index("nodes")
    assert [row[nodes] for row in found["nodes"][1:]] == [
        f"{row.nodes:,}" for row in studied().rows
    ]
    spans = re.findall(r'left:([-\d.]+)%;width:([-\d.]+)%"></span><i style="left:([-\d.]+)%', page)
    assert len(spans) == 3 * len(studied().rows)
    for left, width, mark in (map(float, span) for span in spans):
        assert left >= 0
        assert left + width <= 100.4
        assert 0 <= mark <= 100


def test_the_page_of_a_comparison_lists_the_changes(tmp_path):
    before, after = timed(9.0, 9.5, 10.0), timed(4.5, 4.75, 5.0)
    page = after.report(tmp_path / "study.html", before).read_text(encoding="utf-8")
    assert page == study_page(after, compare(before, after)), "as the command writes it"
    found = sections(page)
    assert next(iter(found)) == "changes"
    for *_, verdict, bar in found["changes"][1:]:
        assert verdict == "faster"
        assert 'width:100.0%"></span><i style="left:50.0%"' in bar, "twice as fast"
    assert len(found["changes"]) == 1 + len(studied().rows)


def test_the_page_of_a_study_without_seq_has_no_speed_ups_to_draw():
    rest = tuple(r for r in studied().rows if r.strategy != "seq")
    found = sections(study_page(evolve(studied(), rows=rest, complete=False)))
    assert list(found) == ["time-plot", "times", "speedups", "nodes"]
