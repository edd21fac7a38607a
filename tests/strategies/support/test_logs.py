"""Events are logged, and shown if the user enables logging."""

import logging

import pytest
from click.testing import CliRunner

from games import TicTacToe
from strategies import alphabeta, search
from strategies.cli.group import jamboree
from strategies.native.engine import Engine
from strategies.support.journal import Journal

SEARCH = ["--algorithm", "alphabeta(2)", "--engine", "interpreted"]


@pytest.fixture
def logged(caplog):
    caplog.set_level(logging.INFO, "jamboree")
    return lambda: [(r.name, r.getMessage()) for r in caplog.records]


def test_the_log_says_why_rules_are_interpreted(logged):
    Engine(TicTacToe(), "interpreted").settle()
    why = "the interpreted engine was chosen"
    assert logged() == [("jamboree.engine", f"interpreting TicTacToe(): {why}")]


def test_tables_and_schedulers_are_logged(logged):
    asked = search(TicTacToe(), alphabeta(2, table="4kB"), engine="interpreted")
    asked.compute(scheduler="sync")
    assert {"jamboree.search", "jamboree.tables"} <= {name for name, _ in logged()}


def test_resuming_is_logged(logged, tmp_path):
    for _ in range(2):
        with Journal(tmp_path / "sums.jsonl", {"work": "sums"}, resume=True) as journal:
            journal.add({"sum": 3})
    assert logged()[-1] == ("jamboree.journal", f"resumed {tmp_path / 'sums.jsonl'}: 1 entries")


def test_the_log_can_be_shown():
    shown = CliRunner().invoke(jamboree, ["--verbose", "search", "nim:4-1-1", *SEARCH]).stderr
    assert "jamboree.engine: interpreting Nim" in shown
    quiet = CliRunner().invoke(jamboree, ["search", "nim:4-1-2", *SEARCH]).stderr
    assert "jamboree.engine" not in quiet
