"""Proofs on a cluster find what they find here, whatever the size of the values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import ExplicitGame
from strategies import auto, par_list, solve, young_brothers_wait
from tests.properties import examples

pytest.importorskip("distributed")

UNITS = 1, 0.5, 1e-3, 1000, 1e5, 1 / 3
"""The sizes of values; only small whole numbers fit into the narrow entries of a table."""
USING = par_list, young_brothers_wait.to_size(1), par_list.joined(), auto()


def nested(leaf: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    for _ in range(3):
        leaf = st.one_of(leaf, st.lists(leaf, min_size=1, max_size=3))
    return st.lists(leaf, min_size=2, max_size=3)


@given(unit=st.sampled_from(UNITS), tree=nested(st.integers(-40, 40)), using=st.sampled_from(USING))
@examples(12, times=40)
def test_values_of_any_size_are_proved_on_a_cluster(
    client_here: Any, unit: float, tree: Any, using: Any
) -> None:
    def sized(part: Any) -> Any:
        return [sized(p) for p in part] if isinstance(part, list) else part * unit

    game = ExplicitGame.from_nested(sized(tree))
    ways: dict[str, Any] = {"memory": "64kB", "line": 2, "engine": "interpreted"}
    here = solve(game, scheduler="threads", **ways)
    there = solve(game, using=using, scheduler=client_here, **ways)
    assert (there.value, there.line) == (here.value, here.line)
    assert there.exact
