"""Journals lose no entry, and never take a truncated line for a complete one."""

from __future__ import annotations

import errno
import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategies.support.journal import Journal, JournalError

HEADER = {"work": "sums", "seed": 1}


def test_entries_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Journal(path, HEADER) as journal:
        journal.add({"sum": 1, "text": "zwölf \udcff"})
    with Journal(path, HEADER, resume=True) as journal:
        assert journal.entries == [{"sum": 1, "text": "zwölf \udcff"}]
        journal.add({"sum": 2})
    with Journal(path, HEADER, resume=True) as journal:
        assert [entry["sum"] for entry in journal.entries] == [1, 2]


KINDS = {"journal": st.sampled_from(["tuning", "tournament"]), "seed": st.integers(0, 1)}
HEADERS = st.fixed_dictionaries({}, optional={**KINDS, "rules": st.sampled_from([["a"], ["b"]])})


@given(HEADERS, HEADERS)
def test_a_journal_is_continued_with_the_same_header_only(
    own: dict[str, object], other: dict[str, object]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        Journal(path, own).close()
        if own == other:
            Journal(path, other, resume=True).close()
            return
        with pytest.raises(JournalError, match=r"of other work: .*; name another file"):
            Journal(path, other, resume=True)


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
            "its entry 'seed' is 1, not 2",
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


ENTRIES: list[dict[str, object]] = [{}, {"sum": 1, "text": "zwölf"}, {"sum": 2}]


@cache
def written() -> bytes:
    """Return the content of a journal."""
    with TemporaryDirectory() as folder:
        with Journal(f"{folder}/a.jsonl", HEADER) as journal:
            for entry in ENTRIES:
                journal.add(dict(entry))
        return Path(f"{folder}/a.jsonl").read_bytes()


@given(st.integers(0, 8 * len(written()) - 1))
@example(8 * written().index(b"crc32"))
def test_a_flipped_bit_is_told_with_its_line_and_loses_nothing(bit: int) -> None:
    raw = bytearray(written())
    raw[bit // 8] ^= 1 << bit % 8
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(raw)
        if bit // 8 == len(raw) - 1:  # the last line is not complete, so it is dropped
            with Journal(path, HEADER, resume=True) as journal:
                assert journal.entries == ENTRIES[:-1]
            return
        line = raw[: bit // 8].count(b"\n") + 1
        with pytest.raises(
            JournalError, match=rf"a\.jsonl, line {line} is (damaged|not an)"
        ) as told:
            Journal(path, HEADER, resume=True)
        assert ("delete the line" in str(told.value)) == (line > 1)
        assert path.read_bytes() == raw


def test_a_journal_without_checksums_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for content in ('{"work": "sums", "seed": 1}\n', '{"work": "sums", "seed": 1}\n{"sum": 1}\n'):
        path.write_text(content)
        with pytest.raises(JournalError, match="a version without checksums; name another"):
            Journal(path, HEADER, resume=True)
        assert path.read_text() == content
    path.write_bytes(written() + b'{"sum": 3}\n')
    with pytest.raises(JournalError, match="line 5 is damaged"):
        Journal(path, HEADER, resume=True)


def test_an_entry_that_is_not_of_the_work_is_told_with_its_line(tmp_path: Path) -> None:
    def check(entry: dict[str, int]) -> None:
        if entry.get("sum") == 2:
            raise ValueError("2 is no sum")

    (tmp_path / "a.jsonl").write_bytes(written())
    with pytest.raises(JournalError, match="line 4 is not of this work: 2 is no sum; delete"):
        Journal(tmp_path / "a.jsonl", HEADER, resume=True, check=check)


def test_a_full_disk_leaves_only_complete_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, write = tmp_path / "a.jsonl", os.write

    def full(file: int, content: bytes) -> int:
        if b"sX" in content[:5]:
            return write(file, content[:3])
        if content.startswith(b"X"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content)

    with Journal(path, HEADER) as journal:
        journal.add({"sum": 1})
        before = path.read_bytes()
        monkeypatch.setattr("os.write", full)
        with pytest.raises(OSError, match="No space left") as told:
            journal.add({"sX": 1})
        assert told.value.filename == str(path)
        assert path.read_bytes() == before
