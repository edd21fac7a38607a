"""Bundles of a graph are sent to workers when these have capacity."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strategies.running.plans.bundling import Bundle
from strategies.running.plans.late_binding import LateBinding

WORKERS = {"a": 1, "b": 2, "c": 1}


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Bundle], list[set[str]], set[int]]:
    """Draw bundles that wait for earlier ones, the worker that knows each, and the light ones."""
    count = draw(st.integers(1, 25))
    needs = [draw(st.sets(st.integers(0, n - 1), max_size=3)) if n else set() for n in range(count)]
    bundles = [Bundle((), tuple((m, ()) for m in sorted(some)), ()) for some in needs]
    homes = [draw(st.sets(st.sampled_from(["a", "b", "gone"]), max_size=2)) for _ in range(count)]
    return bundles, homes, draw(st.sets(st.integers(0, count - 1)))


@given(graphs(), st.randoms(use_true_random=False))
def test_each_bundle_is_sent_once_and_no_worker_idles_while_one_is_ready(
    graph: tuple[list[Bundle], list[set[str]], set[int]], random: Any
) -> None:
    bundles, homes, light = graph
    binding = LateBinding(bundles, homes, light)
    sent: dict[int, str | None] = {}
    done: set[int] = set()
    while len(done) < len(bundles):
        for n, at in binding.assigned(WORKERS):
            needs = {m for m, _ in bundles[n].needs}
            assert n not in sent
            assert needs <= (set(sent) if n in light else done)
            assert (at is None) == (n in light)
            sent[n] = at
        under_way = Counter(at for n, at in sent.items() if at and n not in done)
        waiting = [
            n for n in range(len(bundles))
            if n not in sent and n not in light and {m for m, _ in bundles[n].needs} <= done
        ]  # fmt: skip
        for at, threads in WORKERS.items():
            assert under_way[at] <= threads + 1
            assert under_way[at] >= threads or not waiting
        over = random.choice(sorted(set(sent) - done))
        binding.done(over)
        done.add(over)


def test_no_bundle_is_sent_ahead_that_another_worker_could_start_soon() -> None:
    bundles = [Bundle((), (), ()) for _ in range(10)]
    binding = LateBinding(bundles, [()] * 10, ())
    threads = {"a": 1, "b": 1}
    assert list(binding.assigned(threads)) == [(0, "a"), (1, "b"), (2, "a"), (3, "b")]
    for n in range(4):
        binding.done(n)
    assert list(binding.assigned(threads)) == [(4, "a"), (5, "b"), (6, "a"), (7, "b")]
    binding.done(4)
    assert list(binding.assigned(threads)) == []  # "a" has one bundle, and two are left for both


def test_a_worker_gets_bundles_that_others_know_only_if_it_would_idle() -> None:
    bundles = [Bundle((), (), ()) for _ in range(6)]
    binding = LateBinding(bundles, ["b", "b", "b", "a", "b", "b"], ())
    assert list(binding.assigned({"a": 1, "b": 1})) == [(3, "a"), (0, "b"), (1, "b")]
    binding.done(3)
    assert list(binding.assigned({"a": 1, "b": 1})) == [(2, "a")]
