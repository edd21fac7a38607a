"""``jamboree simulate``, and the files that ``jamboree search`` writes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree
from strategies.insight.selection.tune import tune

SEARCH = ["search", "tictactoe", "--algorithm", "alphabeta(4)", "--engine", "interpreted"]


def run(*arguments: Any) -> Any:
    return CliRunner().invoke(jamboree, [str(a) for a in arguments])


def test_files_of_a_search(tmp_path: Path) -> None:
    trace, sparks, rows = (tmp_path / n for n in ("run.json", "sparks.csv", "sparks.json"))
    using = "--using", "jamboree(0.5).to_ply(2)"
    found = run(*SEARCH, *using, "--trace", trace, "--sparks", sparks, "--json")
    assert found.exit_code == 0
    data = json.loads(found.stdout)
    assert "trace" not in data
    with sparks.open() as file:
        read = list(csv.DictReader(file))
    assert len(read) == data["sparks"]["created"] + data["sparks"]["dud"]
    assert (
        len([e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"])
        == (data["tasks"])
    )
    assert run(*SEARCH, *using, "--sparks", rows).exit_code == 0
    assert len(json.loads(rows.read_text())) == len(read)


@pytest.mark.parametrize(
    ("option", "text"),
    [("--trace", "must end in .json"), ("--sparks", "must end in .csv or .json")],
)
def test_a_file_of_another_kind_is_refused(option: str, text: str) -> None:
    found = run(*SEARCH, option, "run.txt")
    assert found.exit_code == 2
    assert text in found.stderr


def test_a_game_for_three_players_is_refused_before_anything_runs() -> None:
    found = run("simulate", "pig:3", "--algorithm", "alphabeta(3)")
    assert found.exit_code == 2
    assert found.stderr.endswith("PigForMany has 3 players; use maxn or paranoid\n")
    assert "compiling" not in found.stderr


def test_simulate(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    using = "--using", "par_list.to_ply(1)"
    more = "--workers", "8,1000", "--engine", "interpreted", "--no-measure"
    game = "tictactoe", "--algorithm", "alphabeta(3)"
    found = run("simulate", *game, *using, *more, "--json", "--csv", file)
    assert found.exit_code == 0, found.stderr
    data = json.loads(found.stdout)["simulations"]
    assert [d["workers"] for d in data] == [8, 1000]
    assert [r["strategy"] for r in data[0]["rows"]] == ["seq", "par_list.to_ply(1)"]
    with file.open() as opened:
        assert len(list(csv.DictReader(opened))) == 4
    told = run("simulate", *game, *using, *more)
    assert told.output.splitlines()[-1].startswith("best on 8: ")
    assert "; on 1000: " in told.output
    assert sum(line.startswith("strategy ") for line in told.output.splitlines()) == 1


def test_ctrl_c_gives_the_simulations_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tuned(*args: Any, workers: int, **more: Any) -> Any:
        if workers == 8:
            raise KeyboardInterrupt
        return tune(*args, workers=workers, **more)

    monkeypatch.setattr("strategies.insight.selection.tune.tune", tuned)
    file = tmp_path / "rows.csv"
    more = "--workers", "2,4,8", "--engine", "interpreted", "--no-measure", "--csv", file
    game = "tictactoe", "--algorithm", "alphabeta(3)", "--using", "par_list"
    found = run("simulate", *game, *more, "--json")
    assert found.exit_code == 130
    assert [d["workers"] for d in json.loads(found.stdout)["simulations"]] == [2, 4]
    with file.open() as opened:
        assert [row["workers"] for row in csv.DictReader(opened)] == ["2", "2", "4", "4"]


@pytest.mark.parametrize("using", ["auto", "abdada(workers=2)"])
def test_only_strategies_that_create_tasks_are_simulated(using: str) -> None:
    refused = run("simulate", "tictactoe", "--using", using)
    assert refused.exit_code == 2
    assert f"{using} makes no tasks; use a strategy" in refused.stderr
