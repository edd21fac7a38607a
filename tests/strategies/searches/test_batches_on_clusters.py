"""A batch of calls is sent to a cluster in bundles, and computed as on this machine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import dask
import pytest
from dask import delayed

from games import TicTacToe
from strategies import alphabeta, par_list, par_map, parse_strategy, rseq, search, using
from strategies.searches.evaluations.evaluated import Evaluated

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


@pytest.fixture
def kinds(client_here: Any, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the tasks of each kind that were sent individually."""
    counts, submit = Counter[str](), client_here.submit

    def noted(*args: Any, key: Any, **kwargs: Any) -> Any:
        counts[key[0].partition("-")[0]] += 1
        return submit(*args, key=key, **kwargs)

    monkeypatch.setattr(client_here, "submit", noted)
    return counts


def positions(text: str) -> Evaluated:
    """Return a search of each position of tic-tac-toe after two moves."""
    game = TicTacToe()
    states = [game.start()]
    for _ in range(2):
        states = [game.make_move(s, move) for s in states for move in game.moves(s)]
    searches = [search(game, alphabeta(1), state=s, engine="interpreted") for s in states]
    return using(searches, parse_strategy(text))


@pytest.mark.parametrize("text", ["par_list", "par_list_chunk(2)", "par_list_n(60, rseq)"])
def test_a_batch_of_searches_is_sent_in_bundles(
    client_here: Any, kinds: Counter[str], text: str
) -> None:
    lazy = positions(text)
    here, there = lazy.compute(scheduler="threads"), lazy.compute(scheduler=client_here)
    assert [(r.value, r.line, r.nodes) for r in there] == [(r.value, r.line, r.nodes) for r in here]
    assert 2 <= kinds["work"] < len(lazy.__dask_graph__()) - 1


def test_any_calls_and_containers(client_here: Any, kinds: Counter[str]) -> None:
    assert par_map(abs, range(-50, 0)).compute(scheduler=client_here) == list(range(50, 0, -1))
    cubes = {"a": (delayed(pow)(2, 3), 5), "b": delayed(pow)(3, 3)}
    pair = using(cubes, parse_strategy("par_traversable(rseq)"))
    assert pair.compute(scheduler=client_here) == {"a": (8, 5), "b": 27}
    assert kinds.keys() == {"work"}


def test_collections_with_dask_features_are_left_to_dask(
    client_here: Any, kinds: Counter[str], tmp_path: Path
) -> None:
    """Calls that depend on others, options, annotations, and results that the cluster has."""
    xs = [delayed(abs)(-i) for i in range(6)]
    waiting = using(xs, parse_strategy("jamboree(0.5)"))
    assert using([x + 1 for x in xs], par_list).compute(scheduler=client_here) == [1, 2, 3, 4, 5, 6]
    assert waiting.compute(scheduler=client_here) == [0, 1, 2, 3, 4, 5]
    assert using(xs, par_list).compute(scheduler=client_here, retries=1) == [0, 1, 2, 3, 4, 5]
    with dask.annotate(retries=1):
        assert using(xs, par_list).compute(scheduler=client_here) == [0, 1, 2, 3, 4, 5]
        again = [delayed(fails_once)(tmp_path / str(i)) for i in range(3)]
    assert using(again, par_list).compute(scheduler=client_here) == ["0", "1", "2"]
    kept = client_here.persist(xs)
    assert using(kept, par_list).compute(scheduler=client_here) == [0, 1, 2, 3, 4, 5]
    known = client_here.compute(using(xs, par_list))
    assert using(xs, par_list).compute(scheduler=client_here) == known.result()
    assert not kinds


def fails_once(path: Path) -> str:
    if not path.exists():
        path.touch()
        raise OSError("this is the first call")
    return path.name


def test_errors_of_calls_are_raised(client_here: Any, kinds: Counter[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        par_map(inverse, range(3, -1, -1), rseq).compute(scheduler=client_here)
    assert kinds["work"]
    assert not any(client_here.processing().values())


def inverse(x: int) -> float:
    return 1 / x
