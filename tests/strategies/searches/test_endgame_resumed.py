"""An endgame table that was interrupted anywhere and continued is the same as any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import Nim
from graphs import ArgumentError
from strategies import endgame_table, seq
from strategies.cli.group import jamboree
from strategies.native.kernels import sweeps
from strategies.native.memory.cells import Stop
from strategies.searches.endgame_file import Partial
from tests.properties import examples
from tests.strategies.searches.test_endgame_tables import (
    LONG,
    PIG,
    ROOK,
    Chain,
    Graph,
    Small2048,
    graphs,
)
from tests.strategies.searches.test_endgame_threads import few_are_many, lucky, same

Places = st.sets(st.integers(1, 9))


@contextmanager
def stopping(after: int) -> Iterator[None]:
    """Stop the sweeps inside the block when they have asked so often whether to stop."""
    asked = [0]

    def stopped(row: Any) -> bool:
        asked[0] += 1
        return asked[0] > after

    with few_are_many(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "POLLED", 0)
        patch.setattr(sweeps, "stopped", stopped)
        yield


@st.composite
def rings(draw: Any) -> Graph:
    """Return a ring of places on which chance moves on, back, or to an end, in one component."""
    n = draw(st.integers(4, 8))
    ends = draw(st.lists(st.integers(0, 1), min_size=1, max_size=n))
    branches = tuple(
        ((p + 1) % n, (p - 1) % n, *((n + p,) if p < len(ends) else ())) for p in range(n)
    )
    return Chain((-1,) * n + (0,) * len(ends), branches + ((),) * len(ends), (None,) * n + (*ends,))


@given(graphs(), rings(), Places, st.sampled_from([1e-12, 0.2]), st.lists(st.integers(0, 60)))
@examples(40)
def test_sweeps_continue_where_they_were_stopped(
    graph: Graph, ring: Graph, places: set[int], precision: float, stops: list[int]
) -> None:
    """With a low precision, a sweep more or less would be seen."""
    for game in (lucky(graph, places), ring):
        with TemporaryDirectory() as folder, few_are_many():
            file = Path(folder) / "begun.npz"
            how: Any = {"engine": "interpreted", "precision": precision}
            for after in stops[:4]:
                with stopping(after), suppress(KeyboardInterrupt):
                    endgame_table(game, workers=1, resume=file, **how)
            found = endgame_table(game, resume=file, **how)
            assert not file.exists()
            assert same(found, endgame_table(game, **how))


def interrupted(game: Any, file: Path, at: int, patch: pytest.MonkeyPatch) -> bool:
    """Stop a run at one of its pauses; return whether it had so many."""
    stop, pauses = Stop(), [0]
    usual: Callable[[Partial], None] = Partial.pause

    def pause(partial: Partial) -> None:
        usual(partial)
        pauses[0] += 1
        if pauses[0] > at:
            stop.set()

    patch.setattr(Partial, "pause", pause)
    try:
        endgame_table(game, resume=file, stop=stop, workers=2)
    except KeyboardInterrupt:
        return True
    finally:
        patch.setattr(Partial, "pause", usual)
    return False


@pytest.mark.parametrize("game", [ROOK, PIG, pytest.param(Small2048(), marks=LONG)])
def test_machine_code_continues_from_any_pause(
    game: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, whole = tmp_path / "begun.npz", endgame_table(game)
    for at in (0, 1, 5, 60):
        with few_are_many():
            if not interrupted(game, file, at, monkeypatch):
                break
        interrupted(game, file, at, monkeypatch)
        assert same(endgame_table(game, resume=file), whole)
        assert not file.exists()


def test_positions_that_were_found_are_not_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = ROOK, tmp_path / "begun.npz"
    with few_are_many():
        assert interrupted(game, file, 100, monkeypatch)
    before: list[int] = []
    begin = Partial.begin

    def noted(partial: Partial, graph: Any) -> None:
        begin(partial, graph)
        before.append(graph.count)

    monkeypatch.setattr(Partial, "begin", noted)
    endgame_table(game, resume=file)
    assert before[0] > 500


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    game, file = Nim((2, 3)), tmp_path / "begun.npz"
    with stopping(0), pytest.raises(KeyboardInterrupt):
        endgame_table(game, engine="interpreted", workers=1, using=seq, resume=file)
    again = {"engine": "interpreted", "resume": file}
    for wrong, message in (
        (lambda: endgame_table(Nim((2, 4)), **again), "of another game.*: delete it, or name"),  # type: ignore[arg-type]
        (lambda: endgame_table(game, endless=1, **again), "with another endless"),  # type: ignore[arg-type]
        (lambda: endgame_table(game, game.parse_state("1 3"), **again), "with another state"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ArgumentError, match=message):
            wrong()
    content = bytearray(file.read_bytes())
    content[content.index(b"NUMPY") + 130] ^= 1  # in the first row
    file.write_bytes(content)
    with pytest.raises(ArgumentError, match="is damaged"):
        endgame_table(game, **again)  # type: ignore[arg-type]


def test_a_limit_of_time_says_what_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, file = ROOK, tmp_path / "begun.npz"
    whole = endgame_table(game)  # compiles, too
    monkeypatch.setattr(Partial, "pause", lambda partial: sleep(0.02))
    with (
        few_are_many(),
        pytest.raises(TimeoutError, match=r"within 0\.5 s; .*begun\.npz has what was done"),
    ):
        endgame_table(game, time=0.5, resume=file)
    monkeypatch.undo()
    assert same(endgame_table(game, resume=file), whole)


def test_the_command_continues_from_a_file_beside_the_table(tmp_path: Path) -> None:
    file = tmp_path / "nim.npz"
    words = ["solve", "nim:2-3", "--endgame", str(file), "--engine", "interpreted"]
    with stopping(0):
        assert CliRunner().invoke(jamboree, words).exit_code != 0
    part = tmp_path / "nim.npz.part"
    assert part.exists()
    assert not file.exists()
    assert CliRunner().invoke(jamboree, words).exit_code == 0
    assert file.exists()
    assert not part.exists()
