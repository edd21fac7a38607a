"""``jamboree study``: options, files, interrupts."""

import csv
import json

import pytest
from click.testing import CliRunner

from strategies.cli.group import jamboree
from strategies.studies import places as studying

STUDY = ["study", "handout_big", "--algorithm", "alphabeta(4)", "--engine", "interpreted",
         "--using", "par_list.to_ply(plies)", "--plies", "1,2", "--workers", "1",
         "--repeat", "2"]  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(jamboree, [str(a) for a in arguments])


def test_files(tmp_path):
    db, rows, svg = (tmp_path / n for n in ("study.db", "rows.csv", "time.svg"))
    first = run(*STUDY, "--results", db, "--csv", rows, "--plot", svg, "--json")
    assert first.exit_code == 0, first.stderr
    data = json.loads(first.stdout)
    assert [r["plies"] for r in data["rows"]] == [None, 1, 2]
    with rows.open() as file:
        assert [r["strategy"] for r in csv.DictReader(file)] == [
            r["strategy"] for r in data["rows"]
        ]
    assert svg.read_text().startswith("<svg")
    assert run(*STUDY, "--results", db, "--json").stdout == first.stdout
    before, table, speedup = (tmp_path / n for n in ("before.json", "table.tex", "speed-up.svg"))
    before.write_text(first.stdout)
    page, markdown = tmp_path / "study.html", tmp_path / "study.md"
    again = run(*STUDY, "--results", db, "--before", before, "--latex", table, "--speedup", speedup,
                "--markdown", markdown, "--report", page)  # fmt: skip
    assert "times as fast" in again.stdout
    assert r"times as fast & nodes & verdict \\" in table.read_text()
    assert "| times as fast |" in markdown.read_text()
    assert "Speed-up against workers" in speedup.read_text()
    assert '<section id="changes">' in page.read_text()
    run(*STUDY, "--results", db, "--by", "plies", "--plot", svg)
    assert "Time against plies with sparks" in svg.read_text()
    told = run(*STUDY, "--results", db, "--before", before, "--json").stdout
    assert json.loads(told).keys() == data.keys() | {"changes"}
    assert [r["ratio"] for r in json.loads(told)["changes"]["rows"]] == [1.0] * 3
    before.write_text(told)
    assert run(*STUDY, "--results", db, "--before", before, "--json").stdout == told
    before.write_text("{}")
    refused = run(*STUDY, "--before", before)
    assert (refused.exit_code, "not a study" in refused.stderr) == (2, True)
    assert "\x1b" not in run(*STUDY, "--results", db).stdout


def test_an_interrupt_keeps_finished_measurements_and_says_how_to_resume(tmp_path, monkeypatch):
    warmed, timed, total = 4, 3, 6
    left, real = iter(range(warmed + timed)), studying.measure

    def measure(*args):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(studying, "measure", measure)
    db = tmp_path / "study.db"
    ended = run(*STUDY, "--results", db)
    assert ended.exit_code == 130
    assert "interrupted, so some runs are missing" in ended.stdout
    assert f"{timed} of {total} runs are kept in {db}; the same command" in ended.stderr
    monkeypatch.undo()
    assert json.loads(run(*STUDY, "--results", db, "--json").stdout)["complete"]


def test_an_interrupt_without_a_file_suggests_one(monkeypatch):
    left, real = iter(range(6)), studying.measure

    def measure(*args):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(studying, "measure", measure)
    assert "with --results FILE.db" in run(*STUDY).stderr


def test_a_preset_may_be_changed():
    ran = run("study", "--preset", "pursuit-threads", "--depth", "3", "--workers", "1,1000",
              "--repeat", "1", "--engine", "interpreted", "--json")  # fmt: skip
    assert ran.exit_code == 0, ran.stderr
    data = json.loads(ran.stdout)
    assert {r["depth"] for r in data["rows"]} == {3}
    assert [r["how"] for r in data["rows"]] == ["measured"] * 2 + ["simulated", "measured"] + [
        "simulated"
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["study"], "name a GAME or a --preset"),
        (["study", "tictactoe", "--depth", "4,x"], "--depth takes numbers from 0, as in 6,8"),
        (["study", "tictactoe", "--using", "jamboree(p)"], "has no numbers for p: give some"),
        (["study", "tictactoe", "--using", "par_lst"], "par_lst"),
        (["study", "tictactoe", "--results", "study.txt"], "must end in .db or .sqlite"),
    ],
)
def test_contradictory_options_are_refused_in_one_line(arguments, said):
    ran = run(*arguments)
    assert ran.exit_code == 2
    assert said in ran.stderr
    assert ran.stderr.count("\n") <= 2


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    path = tmp_path / "study.db"
    path.write_text("no database\n" * 100)
    ran = run(*STUDY, "--results", path)
    assert (ran.exit_code, "is not a results file" in ran.stderr) == (2, True)
