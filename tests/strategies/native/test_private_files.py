"""Machine code on disk is private: what another user could have written is not loaded."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba.core import config

from strategies.native import kept_code
from strategies.native.compiler.disk_cache import Files, RuleCache
from tests.strategies.native.counting import mixed

KEY = "signature", ("a", "b", "c"), (("module", "Class", "digest"),)
pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners")


@pytest.fixture(params=[0o000, 0o022, 0o002, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_and_their_folders_are_private_whatever_the_umask(umask: int, tmp_path: Path) -> None:
    files = Files(tmp_path / "new" / "inner", "kernel")
    files.save(KEY, "code")
    (file,) = files.folder.iterdir()
    assert (mode(file), mode(files.folder), mode(files.folder.parent)) == (0o600, 0o700, 0o700)
    assert files.load(KEY) == "code"


FAULTS = [
    (target, fault) for target in ("file", "folder") for fault in ("group", "others", "owner")
]


@pytest.mark.parametrize(("target", "fault"), [*FAULTS, ("folder", "link")])
def test_code_that_others_could_have_written_is_not_loaded(
    target: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = Files(tmp_path / "code", "kernel")
    files.save(KEY, "code")
    path = files.folder if target == "folder" else files.path(KEY)
    if fault == "owner":
        owner = path.stat().st_uid
        real = (os.lstat, os.fstat)[target == "file"]
        name = "lstat" if target == "folder" else "fstat"

        def seen(at: int | Path) -> os.stat_result:
            found = real(at)
            return os.stat_result((*found[:4], owner + 1234, *found[5:]))

        monkeypatch.setattr(kept_code.os, name, seen)
    elif fault == "link":
        real_folder = path.rename(tmp_path / "elsewhere")
        path.symlink_to(real_folder)
    else:
        path.chmod(mode(path) | (0o020 if fault == "group" else 0o002))
    with pytest.warns(
        UserWarning, match=r"is not used, because .*: remove it, or set NUMBA_CACHE_DIR"
    ):
        assert files.load(KEY) is None
    assert files.load(KEY) is None  # without another warning
    if target == "folder":
        files.save(("other", *KEY[1:]), "more")
        assert len(list(files.folder.iterdir())) == 1


def test_code_of_the_superuser_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(tmp_path / "code", "kernel")
    files.save(KEY, "code")
    monkeypatch.setattr(kept_code.os, "geteuid", lambda: files.folder.stat().st_uid + 7)
    expected = "code" if files.folder.stat().st_uid == 0 else None
    if expected is None:
        with pytest.warns(UserWarning, match="belongs to the user"):
            assert files.load(KEY) is None
    else:
        assert files.load(KEY) == expected


def test_systems_without_owners_are_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(kept_code.os, "geteuid")
    files = Files(kept_code.own_folder(tmp_path), "kernel")
    files.save(KEY, "code")
    files.folder.chmod(0o777)
    assert files.load(KEY) == "code"


def test_a_folder_open_to_all(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o1777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    cache = RuleCache(mixed, {})
    assert cache.files is not None
    cache.files.save(KEY, "code")
    kept = list(tmp_path.rglob("*"))
    assert {mode(path) for path in kept} == {0o700, 0o600}
    assert cache.files.load(KEY) == "code"
