"""Journals lose no entry, and never take a truncated line for a complete one."""

from __future__ import annotations

from pathlib import Path

import pytest

from strategies.support.journal import Journal, JournalError

HEADER = {"work": "sums", "seed": 1}


def test_entries_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Journal(path, HEADER) as journal:
        journal.add({"sum": 1, "text": "zwölf"})
    with Journal(path, HEADER, resume=True) as journal:
        assert journal.entries == [{"sum": 1, "text": "zwölf"}]
        journal.add({"sum": 2})
    with Journal(path, HEADER, resume=True) as journal:
        assert [entry["sum"] for entry in journal.entries] == [1, 2]


def test_complete_lines_of_a_truncated_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Journal(path, HEADER) as journal:
        for k in range(3):
            journal.add({"sum": k})
    content = path.read_bytes()
    for end in range(len(content) + 1):
        path.write_bytes(content[:end])
        with Journal(path, HEADER, resume=True) as journal:
            whole = max(0, content[:end].count(b"\n") - 1)
            assert [entry["sum"] for entry in journal.entries] == list(range(whole))
            for k in range(whole, 3):
                journal.add({"sum": k})
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "header", "resume", "why"),
    [
        ('{"work": "sums", "seed": 1}\n', HEADER, False, "exists already"),
        (
            '{"work": "sums", "seed": 1}\n',
            {"work": "sums", "seed": 2},
            True,
            "its seed is 1, not 2",
        ),
        ("hello\n", HEADER, True, "line 1 is not an entry"),
        ("hello", HEADER, True, "is not a journal"),
        ('{"work": "sums", "seed": 1}\n[]\n{}\n', HEADER, True, "line 2"),
    ],
)
def test_journals_of_other_work_are_refused_and_stay_unchanged(
    tmp_path: Path, content: str, header: dict[str, object], resume: bool, why: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    with pytest.raises(JournalError, match=why):
        Journal(path, header, resume=resume)
    assert path.read_text() == content


def test_a_journal_has_only_one_writer(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "a.jsonl"
    with Journal(path, HEADER), pytest.raises(JournalError, match="in use"):
        Journal(path, HEADER, resume=True)
    Journal(path, HEADER, resume=True).close()


def test_a_device_cannot_be_a_journal() -> None:
    with pytest.raises(JournalError, match="/dev/null is not a file"):
        Journal("/dev/null", HEADER)
