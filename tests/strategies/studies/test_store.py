"""Results of studies are stored one by one: none is lost or repeated if the process ends."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from attrs import evolve

from games import HANDOUT_BIG, TicTacToe
from strategies import RuleFailed, alphabeta
from strategies.studies.measure import Disagreement, Measurement, measure
from strategies.studies.run_study import study
from strategies.studies.store import NotResults, Store

REPEAT = 3
STUDY = f"""
import sys
from games import HANDOUT_BIG
from strategies import alphabeta
from strategies.studies import study
study(HANDOUT_BIG, alphabeta(4), ["par_list", "jamboree(0.5).to_ply(2)"], workers=[1, 2],
      repeat={REPEAT}, engine="interpreted", results=sys.argv[1],
      progress=lambda s: print(s.steps[0], flush=True))
"""
CASES = 5
KEY = "algorithm, strategy, workers, how, run"


def rows(path, names="*"):
    with closing(sqlite3.connect(path)) as db, db:
        found = db.execute(f"SELECT {names} FROM measurements").fetchall()
    db.close()
    return found


def again(path, **more):
    strategies = ["par_list", "jamboree(0.5).to_ply(2)"]
    return study(HANDOUT_BIG, alphabeta(4), strategies, workers=[1, 2], repeat=REPEAT,
                 engine="interpreted", results=path, **more)  # fmt: skip


def killed_after(path, runs):
    """Start the study, and kill it after it has made `runs` more runs."""
    process = subprocess.Popen([sys.executable, "-c", STUDY, path], stdout=subprocess.PIPE)
    try:
        for _ in range(runs + 1):  # one more line: results from before
            assert process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def test_a_killed_study_resumes_where_it_stopped(tmp_path):
    path = tmp_path / "study.db"
    kept = []
    for runs in (1, 6):
        killed_after(path, runs)
        assert len(rows(path)) >= len(kept) + runs
        assert set(kept) <= set(rows(path))
        kept = rows(path)
    told = []
    found = again(path, progress=lambda s: told.append(s.steps[0]))
    assert told[0] == len(kept)
    assert told[-1] == len(told) - 1 + len(kept) == REPEAT * CASES
    assert found.complete
    assert set(kept) <= set(rows(path))
    assert len(rows(path)) == len(set(rows(path, KEY))) == REPEAT * CASES


def test_a_finished_study_is_read_and_not_measured_again(tmp_path, monkeypatch):
    first = again(tmp_path / "study.db")

    def never(*args):
        raise AssertionError("measured again")

    monkeypatch.setattr("strategies.studies.places.measure", never)
    assert again(tmp_path / "study.db", progress=never) == first


def test_a_longer_study_keeps_what_a_shorter_one_measured(tmp_path, monkeypatch):
    path, made = tmp_path / "study.db", []
    small = {"strategies": ["par_list"], "workers": [1], "engine": "interpreted", "results": path}
    study(TicTacToe(), alphabeta(4), repeat=1, **small)

    def counted(setting, case):
        made.append(case)
        return measure(setting, case)

    monkeypatch.setattr("strategies.studies.places.measure", counted)
    s = study(TicTacToe(), alphabeta(4), repeat=2, depths=[3, 4], **small)
    warm = 2
    assert len(made) == warm + 4 + 2
    assert [len(r.runs) for r in s.rows] == [2] * 4


def test_a_depth_that_was_chosen_is_kept(tmp_path):
    path, more = tmp_path / "study.db", {"workers": [1], "repeat": 1, "engine": "interpreted"}
    first = study(HANDOUT_BIG, strategies=["par_list"], results=path, **more)
    assert first.algorithm == "alphabeta(depth=4)"
    with closing(sqlite3.connect(path)) as db, db:
        assert db.execute("UPDATE depths SET depth = 0 WHERE seconds > 1").rowcount == 1
    db.close()
    with pytest.raises(RuleFailed, match="this node has no value"):  # at the stored depth
        study(HANDOUT_BIG, strategies=["par_list"], results=path, **more)


def test_stored_results_are_compared_with_new_ones(tmp_path, monkeypatch):
    path = tmp_path / "study.db"
    again(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM measurements WHERE strategy = 'par_list'")
    db.close()

    def wrong(setting, case):
        return evolve(measure(setting, case), answer="other", found="something else")

    monkeypatch.setattr("strategies.studies.places.measure", wrong)
    with pytest.raises(Disagreement, match=r"par_list on 1 worker found something else; seq"):
        again(path)


@pytest.mark.parametrize("kind", ["text", "database"])
def test_other_files_are_refused_and_stay_unchanged(tmp_path, kind):
    path = tmp_path / "other.db"
    if kind == "text":
        path.write_text("no database\n" * 100)
    else:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("CREATE TABLE mine (a)")
        db.close()
    before = path.read_bytes()
    with pytest.raises(NotResults, match=r"is not a results file|is a database without results"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("column", ["run", "seconds", "leaves", "gcd", "found", "answer", "crc32"])
def test_a_changed_value_is_told(tmp_path, column):
    path = tmp_path / "study.db"
    small = {"strategies": [], "workers": [1], "engine": "interpreted", "results": path}
    study(TicTacToe(), alphabeta(1), repeat=1, **small)
    for value in 7, "seven", 0.5:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(f"UPDATE measurements SET {column} = ?", (value,))
        db.close()
        with pytest.raises(NotResults, match=r"study\.db is damaged: delete it, and measure again"):
            study(TicTacToe(), alphabeta(1), repeat=1, **small)


def test_a_full_disk_leaves_the_runs_that_are_kept(tmp_path):
    """Also of a file that no run more fits into, here because SQLite may take no more pages."""
    path = tmp_path / "full.db"
    names = "game", "rules", "state", "algorithm", "strategy", "how", "against", "engine"
    key = dict.fromkeys(names, "x" * 100) | {"machine": "", "version": "1", "workers": 1}
    key |= {"games": 0, "most_moves": 0, "seed": 0}
    with closing(Store(path)) as store:
        (pages,) = store.db.execute("PRAGMA page_count").fetchone()
        store.db.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(NotResults, match="free some space, then repeat the command"):
            fill(store, key)
    with closing(Store(path)) as store:
        assert 0 < len(store.runs(key)) < 300
        fill(store, key)
        assert len(store.runs(key)) == 300


def fill(store, key):
    for number in range(300):
        store.keep(key, number, Measurement(seconds=1.0))
