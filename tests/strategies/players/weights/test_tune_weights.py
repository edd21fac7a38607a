"""Tuning is independent of the number of workers, resumable, and better than chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen

from games import ConnectFour, Featured2048, TicTacToe, Twenty48
from games.fields import TUNED, WEIGHT
from strategies import AlgorithmError, SearchAgent, alphabeta, expectimax, maxn, tune_weights
from strategies.cli.tune_command import command
from strategies.players.weights import fitness
from strategies.players.weights.fitness import Evolution, trials

pytest.importorskip("cma")

GAME, AGENT = ConnectFour(5, 4), SearchAgent(alphabeta(2), engine="interpreted")


def tuned(**more: Any) -> Any:
    given: dict[str, Any] = {"names": ["pairs"], "generations": 2, "trials_each": 3, "match": 4}
    return tune_weights(GAME, AGENT, **(given | more))


def test_the_optimiser_improves_and_is_deterministic() -> None:
    def climbed(seed: int) -> list[float]:
        found = Evolution([1.0, 0.0, 50.0], 0.3, seed, None)
        for _ in range(60):
            points = found.ask()
            found.tell([-((a - 2) ** 2) - (b + 9) ** 2 - (c - 60) ** 2 / 50 for a, b, c in points])
        return found.mean

    assert climbed(3) == climbed(3) != climbed(4)
    assert climbed(3) == pytest.approx([2, -9, 60], abs=0.5)


def test_a_point_that_wins_is_found() -> None:
    found = tuned(generations=3, trials_each=5, match=30, sigma=2.0)
    assert found.after["pairs"] > 0  # an agent that counts pairs beats one that sees nothing
    assert found.better
    assert found.gain.low > 0.5


def test_workers_and_interruptions_do_not_change_the_result(tmp_path: Path) -> None:
    path = tmp_path / "tuning.jsonl"
    whole = tuned(workers=1, record=path)
    assert tuned(workers=3).to_dict() == whole.to_dict()
    lines = path.read_text().splitlines(keepends=True)
    for kept in (1, len(lines) - 2):
        path.write_text("".join(lines[:kept]))
        assert tuned(record=path, resume=True).to_dict() == whole.to_dict()
        assert sorted(path.read_text().splitlines()) == sorted("".join(lines).splitlines())


def test_the_final_match_uses_new_openings() -> None:
    met = {t for g in range(5) for t in trials(GAME, 6, 4, 0, g)}
    assert not {seed for _, seed in met} & {seed for _, seed in trials(GAME, 6, 4, 0, None)}


def test_for_one_player_the_score_is_maximised() -> None:
    class Told(Twenty48):
        pass

    with pytest.raises(ValueError, match="nothing to tune"):
        tune_weights(Told(64), SearchAgent(expectimax(1)))
    with pytest.raises(
        ValueError, match="there is no measure 'luck'; choose from best tile, score"
    ):
        tune_weights(Featured2048(64), AGENT, measure="luck")


def test_contradictory_arguments_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="no weight 'pears'; weights: pairs"):
        tuned(names=["pears"])
    with pytest.raises(ValueError, match="the weight 'pairs' is named twice"):
        tuned(names=["pairs", "pairs"])
    with pytest.raises(ValueError, match="weights: empty monotonicity smoothness"):
        tune_weights(Featured2048(), AGENT, names=["full"])
    with pytest.raises(ValueError, match="width is a rule of ConnectFour, not a weight"):
        tuned(names=["width"])
    with pytest.raises(AlgorithmError, match="maxn is for three players"):
        tune_weights(GAME, SearchAgent(maxn(1)))
    with pytest.raises(ValueError, match="sigma must be a number above 0, not 0"):
        tuned(sigma=0)
    with pytest.raises(ValueError, match="leave out measure"):
        tuned(measure="score")
    least = next(o for o in command.params if o.name == "population").type.min  # type: ignore[attr-defined]
    assert tuned(generations=1, match=0, population=least).generations
    with pytest.raises(ValueError, match="population must be"):
        tuned(population=least - 1)
    monkeypatch.setitem(__import__("sys").modules, "cma", None)
    with pytest.raises(ImportError, match="pip install") as caught:
        tuned()
    assert str(caught.value) == fitness.INSTALL


@frozen
class Fond(TicTacToe):
    """Tic-tac-toe with an estimate by weights of every kind; `rule` is no weight."""

    whole: int = field(default=2, metadata={TUNED: True})
    part: float = field(default=0.5, metadata={TUNED: True})
    even: float = field(default=3, metadata={WEIGHT: True})
    rule: int = 9
    native = False


def test_declared_weights_are_tuned_and_floats_stay_floats() -> None:
    found = tune_weights(Fond(), SearchAgent(alphabeta(1)), generations=2, trials_each=1, match=0)
    assert list(found.after) == ["whole", "part", "even"]
    assert isinstance(found.after["whole"], int)
    assert found.after["part"] not in (0, 0.5, 1)
    assert found.after["even"] % 1
    assert found.game.rule == 9
