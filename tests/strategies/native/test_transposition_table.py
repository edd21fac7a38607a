"""The table: what it stores, what it replaces, and that threads never read a wrong value."""

import os
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.connect_four import ConnectFour
from games.game import Game
from games.u64 import U64
from strategies.native.hashing import mix
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.kernels.proof_entries import recall, remember
from strategies.native.memory.cells import cells
from strategies.native.memory.floats import INFINITY, above, below, bits_of, float_of
from strategies.native.memory.transposition_table import (
    EXACT,
    LOWER,
    NOTHING,
    UPPER,
    Table,
    answers,
    depth_in,
    keep,
    kind_in,
    move_in,
    parse_size,
    probe,
    show_size,
)

SECONDS = float(os.environ.get("JAMBOREE_STRESS_SECONDS", "1"))
"""Seconds for which threads write and read; set it to 60 for a thorough run."""


def opened(size: int | str = "4kB") -> tuple[Table, Any]:
    """Return a table, and the control cells of a search that uses it."""
    table, control = Table(size), cells(16)
    table.enter(control, "a test")
    return table, control


@given(
    st.integers(0, 2**64 - 1),
    st.integers(0, 511),
    st.sampled_from([LOWER, UPPER, EXACT]),
    st.integers(-1, 126),
    st.floats(allow_nan=False),
)
def test_stored_entries_are_found(key: int, depth: int, kind: int, move: int, value: float) -> None:
    table, control = opened()
    word = U64(key)
    assert probe(table.cells, control, word) == (0, 0.0)
    keep(table.cells, control, word, depth, kind, move, value)
    entry, found = probe(table.cells, control, word)
    assert (depth_in(entry), kind_in(entry), move_in(entry), found) == (depth, kind, move, value)
    assert probe(table.cells, control, word ^ 1) == (0, 0.0)


def test_branches_too_far_to_the_right_are_not_stored() -> None:
    table, control = opened()
    keep(table.cells, control, U64(5), 3, EXACT, 500, 1.0)
    assert move_in(probe(table.cells, control, U64(5))[0]) == -1


def test_a_bucket_keeps_the_deeper_and_the_latest_entry() -> None:
    table, control = opened()
    words = [U64(k) for k in (1, 2, 3)]  # one bucket
    for word, depth in zip(words, (9, 4, 5), strict=True):
        keep(table.cells, control, word, depth, EXACT, 0, float(depth))
    found = [kind_in(probe(table.cells, control, w)[0]) for w in words]
    assert found == [EXACT, NOTHING, EXACT]
    assert table.counts(control).overwritten == 1
    table.age()
    table.enter(control, "a test")
    keep(table.cells, control, words[1], 1, EXACT, 0, 1.0)
    found = [kind_in(probe(table.cells, control, w)[0]) for w in words]
    assert found == [NOTHING, EXACT, EXACT]


def test_a_half_written_slot_is_never_found() -> None:
    table, control = opened()
    word = U64(77)
    keep(table.cells, control, word, 3, EXACT, 0, 1.0)
    table.cells[0] = int(bits_of(2.0))
    assert probe(table.cells, control, word) == (0, 0.0)


@given(st.floats(allow_nan=False))
def test_neighbours_of_a_float(x: float) -> None:
    from math import inf, nextafter

    assert above(x) == nextafter(x, inf)
    assert below(x) == nextafter(x, -inf)
    assert float_of(bits_of(x)) == x


def test_sizes() -> None:
    assert [parse_size(s) for s in (4096, "4kB", "3 MB", "12")] == [4096, 4096, 3 << 20, 12]
    assert [show_size(s) for s in (4096, 3 << 20, 1 << 30, 1001)] == ["4kB", "3MB", "1GB", "1001B"]
    assert (repr(Table("3MB")), Table("4kB").marks) == ("Table('2MB')", 512)
    for wrong in ("", "MB", "1TB", "-1MB", 0, -1, 1.5, None, True):
        with pytest.raises(ValueError, match="a size must be a number of bytes"):
            parse_size(wrong)  # type: ignore[arg-type]


@kernel
def stress(
    game: Game[Any, Any], state: Any, seed: int, rounds: int, control: Any, table: Any
) -> int:
    """Store and look up random positions whose value is a function of the position; count the
    look-ups that return another value."""
    wrong = 0
    word = U64(seed)
    for _ in range(rounds):
        word = mix(word + 0x9E3779B97F4A7C15)
        key = mix(word % 4096)
        value = float(int(key >> 20))
        entry, found = probe(table, control, key)
        if kind_in(entry) != NOTHING and (found != value or move_in(entry) != int(key % 100)):
            wrong += 1
        if word & 1 == 0:
            keep(table, control, key, int(word >> 60), EXACT, int(key % 100), value)
    return wrong


@kernel
def stress_answers(
    game: Game[Any, Any], state: Any, seed: int, rounds: int, control: Any, table: Any
) -> int:
    """Do the same as `stress` with entries of one word."""
    wrong = 0
    word = U64(seed)
    for _ in range(rounds):
        word = mix(word + 0x9E3779B97F4A7C15)
        key = mix(word % 4096)
        value = int(key % 10_000) - 5_000
        kind, found, move = recall(table, control, key, 0.0)
        if kind != NOTHING and (found != value or move != int(key % 60)):
            wrong += 1
        if word & 1 == 0:
            remember(table, control, key, int(word >> 60), EXACT, int(key % 60), float(value))
    return wrong


def test_what_is_not_in_the_table_answers_nothing() -> None:
    for depth in range(1100):  # an entry has the last nine bits of it
        for low, high in (-INFINITY, INFINITY), (-1.0, 0.0), (0.0, 1.0), (1.0, 2.0):
            assert not answers(0, 0.0, depth, low, high)


@pytest.mark.parametrize("kernel_of", [stress, stress_answers])
def test_eight_threads_never_read_a_wrong_value(kernel_of: Any) -> None:
    """The table has few slots, so that all threads constantly write to the same ones."""
    game = ConnectFour()
    engine, table = engine_for(game, "native"), Table("4kB")
    found: list[tuple[int, int]] = []
    end = time.monotonic() + SECONDS

    def work(seed: int) -> None:
        control = cells(16)
        table.enter(control, "a test")
        while True:
            args = seed, 200_000, control, table.cells
            found.append((engine.call(kernel_of, game.start(), *args), table.counts(control).hits))
            seed += 8
            if time.monotonic() > end:
                return

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) >= 8
    assert [wrong for wrong, _ in found if wrong] == []
    assert all(hits > 1000 for _, hits in found)
