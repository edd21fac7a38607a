"""Each benchmark runs, at a small size; the figures are not tested."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.__main__ import QUESTIONS, main
from benchmarks.finding import Finding
from benchmarks.fits import fitted
from benchmarks.scale import PARTS, QUICK
from benchmarks.sets import FOLDER, SETS
from benchmarks.usage import own_arguments
from strategies.studies import read_positions

SHORT = {"connect_four_cpp", "speedup", "tasks", "virtual"}
"""Benchmarks that also run with the other tests: of each kind, the one that compiles least.  The
parts of "scale" are run below."""


@pytest.mark.usefixtures("only_new_garbage")  # before it measures, a benchmark collects garbage
@pytest.mark.filterwarnings("ignore")  # warnings of the libraries that we compare with
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name not in SHORT)) for name in QUESTIONS],
)
def test_each_benchmark_runs(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--quick", "--write", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    findings = json.loads((tmp_path / "results.json").read_text())["findings"]
    assert findings or f"{name}: skipped" in out
    assert all(f["name"] in (tmp_path / "results.md").read_text() for f in findings)


@pytest.mark.usefixtures("only_new_garbage")
@pytest.mark.parametrize("part", ["memory", "sparks", "growth"])
def test_each_part_of_the_scale_is_told(part: str) -> None:
    if not Path("/proc/self/smaps_rollup").exists():
        pytest.skip("memory is measured on Linux")
    assert re.search(r"off by \d+%, \d+ points", PARTS[part](QUICK))


def test_the_line_through_points_is_found() -> None:
    counts = {"": [1.0] * 4, "tasks": [1.0, 2, 3, 4], "sparks": [5.0, 1, 1, 7]}
    pairs = zip(counts["tasks"], counts["sparks"], strict=True)
    measured = [2 + 3 * tasks - 0.25 * sparks for tasks, sparks in pairs]
    for relative in (True, False):
        fit = fitted(counts, measured, relative)
        assert fit.coefficients == pytest.approx({"": 2, "tasks": 3, "sparks": -0.25})
        assert fit.text(str).startswith("2.0 + 3.0 · tasks - 0.25 · sparks (off by 0%")
    assert fitted(counts, [3.0, 9, 1, 8]).residual > 0.1


@pytest.mark.parametrize("name", SETS)
def test_each_fixed_set_has_24_positions_with_solutions(name: str) -> None:
    found = read_positions(SETS[name].game, FOLDER / f"{name}.txt")
    assert len({repr(position.state) for position in found}) == 24
    assert all(position.stated for position in found)


def test_a_benchmark_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["nonsense"])
    assert stopped.value.code == 2
    assert "no benchmark nonsense" in capsys.readouterr().err


def test_help_lists_the_options_of_a_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deepened", "--help"]) == 0
    out = capsys.readouterr().out
    assert "python -m benchmarks deepened [--quick] [--write FOLDER]" in out
    assert "python -m benchmarks.deepened NUMBER [STRATEGY …]" in out


@pytest.mark.parametrize(
    ("arguments", "status"), [(["--help"], 0), ([], 2), (["three"], 2), (["3", "--help"], 0)]
)
def test_a_benchmark_run_alone_prints_its_usage(
    arguments: list[str], status: int, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("sys.argv", ["positions", *arguments])
    with pytest.raises(SystemExit) as stopped:
        own_arguments("positions COUNT", numbers=2)
    assert stopped.value.code == status
    assert "positions COUNT" in "".join(capsys.readouterr())
    monkeypatch.setattr("sys.argv", ["positions", "3"])
    assert own_arguments("positions COUNT", numbers=2) == ["3"]


def test_positions_of_the_hardest_class_resume_after_the_last(tmp_path: Path) -> None:
    from benchmarks.begin_hard import go_on, told
    from games import ConnectFour
    from strategies.support.journal import Journal

    game, path, rows = ConnectFour(6, 4), tmp_path / "begin-hard.jsonl", []
    for count in (1, 2):
        with Journal(path, {"work": "a test"}, resume=True) as journal:
            before = list(journal.entries)
            rows.append(go_on(journal, game, count, bits=12, using="abdada(2)", hard=2))
            assert journal.entries[: len(before)] == before
    assert rows[1][:1] == rows[0]
    assert [row["position"] for row in rows[1]] == list(
        dict.fromkeys(r["position"] for r in rows[1])
    )
    assert told(rows[1]).startswith("2 positions; ")
    assert told([]) == "no position of the class is solved yet"


@pytest.mark.parametrize(
    ("at_most", "figure", "met"), [(True, 1.1, True), (True, 1.3, False), (False, 1.3, True)]
)
def test_a_target_is_met_at_most_or_at_least(at_most: bool, figure: float, met: bool) -> None:
    found = Finding("cost", figure, 1.2, "Dask", "", "", "", at_most=at_most)
    assert found.met is met
    assert ("missed" in found.row()) is not met
    assert "void" in found.row(void=True)
    assert "missed" not in found.row(void=True)


@pytest.mark.long
def test_fault_injection_resumes_its_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    from benchmarks.faults.__main__ import main as faults

    monkeypatch.setattr("signal.signal", lambda *_: None)
    options = ["--kills", "1", "--runs", "games", "--record", str(tmp_path / "rounds"), "--resume"]
    assert faults([*options, "--count", "1"]) == 0
    assert faults([*options, "--count", "2"]) == 0
    assert "| kill | 2 | 2 |" in capsys.readouterr().out
