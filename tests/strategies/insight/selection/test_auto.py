"""auto(): the choice of a strategy by a short probe."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given

from games import HANDOUT_BIG, ConnectFour, ExplicitGame, TicTacToe
from strategies import (
    AlgorithmError,
    Auto,
    SearchAgent,
    Strategy,
    StrategyError,
    abdada,
    alphabeta,
    auto,
    choose,
    explain,
    mcts,
    minimax,
    par_list,
    parse_strategy,
    parse_using,
    pvs,
    search,
    seq,
    young_brothers_wait,
)  # fmt: skip
from strategies.algebra.drivers import Driver
from strategies.insight.selection import auto as choice_of
from strategies.insight.selection.auto import JOINT, Tried, candidates
from strategies.insight.selection.probe import Growth, Probe, run
from strategies.native.engine import Engine
from strategies.running.plans.grain import ENOUGH
from strategies.support.printing import preformatted
from tests.properties import examples
from tests.strategies.given import brute, trees

GAME = ConnectFour(5, 4, pairs=1)


@pytest.mark.parametrize("algorithm", [alphabeta(15), minimax(10)])
def test_the_choice_is_a_fixed_expression_and_keeps_the_result(algorithm: object) -> None:
    answer = search(GAME, algorithm, using=auto(workers=2))  # type: ignore[call-overload]
    chosen = answer.plan.using
    assert isinstance(chosen, Strategy)
    assert parse_strategy(repr(chosen)) == chosen
    found, plain = answer.compute(num_workers=2), search(GAME, algorithm).compute()  # type: ignore[call-overload]
    assert found.using == chosen
    assert (found.value, found.move) == (plain.value, plain.move)
    assert explain(chosen).startswith(repr(chosen))


@given(trees(depth=4, wins=True, chance=True))
@examples(15)
def test_any_tree_can_be_probed(game: ExplicitGame) -> None:
    found = search(game, alphabeta(4), using=auto(workers=2)).compute(num_workers=2)
    value, move = brute(game, game.start(), 4)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.move == move


def test_a_choice_lists_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice_of, "SMALL", 0)
    choice = choose(auto(workers=2), GAME, minimax(9))
    assert choice.tried[0].strategy == seq
    assert len(choice.tried) > 1
    best = min(t.expected for t in choice.tried)
    assert next(t for t in choice.tried if t.strategy == choice.best).expected <= best / 0.95
    lines = str(choice).splitlines()
    assert lines[0].startswith(f"{choice.best}, chosen for 2 workers in ")
    assert lines[0].endswith(f"by searches to depth {choice.depth}")
    assert len(lines) == 1 + len(choice.tried)
    assert choice.depth in (3, 5, 7)  # odd, like the requested depth
    assert choice._repr_html_() == preformatted(str(choice))


def test_seq_is_chosen_for_small_searches_and_those_that_cannot_be_probed() -> None:
    assert choose(auto(), TicTacToe(), alphabeta(4)).best == seq
    assert search(TicTacToe(), alphabeta(9), using=auto(2), nodes=100).plan.using == seq
    inner = (
        HANDOUT_BIG,
        alphabeta(4),
    )  # because inner positions of the handout's tree have no estimate
    assert choose(auto(workers=2), *inner).tried == ()


def test_no_gain_from_threads_is_expected_for_interpreted_rules() -> None:
    choice = choose(auto(workers=64), TicTacToe(), minimax(6), engine="interpreted")
    assert choice.best == seq
    assert len(choice.tried) > 1


def test_a_driver_is_chosen_only_if_allowed() -> None:
    for workers in (1, 2, 64):
        alone = list(candidates(alphabeta(9), workers, drivers=False))
        assert not any(isinstance(s, Driver) for s in alone)
        assert list(candidates(alphabeta(9), workers, drivers=True)) == [abdada(workers), *alone]
        assert len(set(alone)) == len(alone)
    assert not any(isinstance(s, Driver) for s in candidates(minimax(9), 2, drivers=True))
    driven = run(TicTacToe(), alphabeta(4), TicTacToe().start(), abdada(2), "interpreted", 2)
    assert 0 < driven.critical <= driven.nodes


def test_for_many_workers_no_strategy_that_waits_at_all_nodes_is_chosen() -> None:
    first, *rest = candidates(pvs(9), 64, drivers=False)
    assert first.unfold("max", 3).inner[1].unfold("min", 3).inner[0].unfold("max", 3).groups == (
        par_list.live().unfold("max", 3).groups
    )
    assert rest == list(candidates(pvs(9), 8, drivers=False))


def test_few_workers_that_can_join_tasks_do_so() -> None:
    joined = young_brothers_wait.everywhere.joined()
    for workers in range(1, 10):
        first = next(iter(candidates(pvs(9), workers, drivers=False)))
        assert (first == joined) == (1 < workers < ENOUGH)
        for algorithm, native in ((pvs(9), False), (alphabeta(9), True), (minimax(9), True)):
            assert joined not in candidates(algorithm, workers, drivers=False, native=native)


@pytest.mark.parametrize("client", [None, "a client"])
def test_a_joint_search_is_considered_without_a_probe_on_one_machine(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice_of, "SMALL", 0)
    monkeypatch.setattr(choice_of, "client_of", lambda scheduler: client)
    tried = {t.strategy: t for t in choose(auto(workers=3), TicTacToe(), pvs(6)).tried}
    assert (seq.joined() in tried) == (client is None)
    if client is None:
        expected = tried[seq].expected * JOINT / 3
        assert tried[seq.joined()] == Tried(seq.joined(), 1, expected)
    others = choose(auto(workers=ENOUGH), TicTacToe(), pvs(6)), choose(auto(3), GAME, minimax(9))
    assert all(seq.joined() != t.strategy for choice in others for t in choice.tried)


def grown(*nodes: int) -> Growth:
    """Return the growth of searches with these nodes, at depths 1, 3, 5 …, towards depth 9."""
    probes = (Probe(n * 1e-6, n * 1e-6, n, 1, n) for n in nodes)
    return Growth(9, tuple((1 + 2 * k, probe) for k, probe in enumerate(probes)))


def test_growth_is_the_mean_of_the_last_two_steps_without_the_first() -> None:
    growth = grown(50, 500)
    assert growth.step == pytest.approx(10)
    assert growth.times == pytest.approx(1000)
    assert growth.expected == pytest.approx(0.5)
    assert growth.rate == pytest.approx(1e-6)
    assert grown(5).times == 1
    assert grown(1, 50, 100).times == pytest.approx(4)
    assert grown(1, 50, 100, 800).times == pytest.approx(4)
    assert grown(1, 2, 6, 54, 108).step == pytest.approx((9 * 2) ** 0.5)


def test_the_time_of_compiling_is_no_part_of_a_strategys_overhead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[object] = []

    def recording(*given: Any) -> Probe:
        ran.append(given[3])
        return run(*given)

    monkeypatch.setattr(choice_of, "SMALL", 0)
    monkeypatch.setattr(choice_of, "run", recording)
    monkeypatch.setattr(Engine, "loaded", property(lambda _: bool(ran)))  # by the first candidate
    choose(auto(workers=2), GAME, minimax(9))
    assert ran[0] == ran[1]
    assert len(set(ran)) == len(ran) - 1


def test_tasks_are_scheduled_by_their_nodes() -> None:
    from strategies import par_list

    one, two = (run(GAME, minimax(5), GAME.start(), par_list.to_ply(1), "auto", n) for n in (1, 2))
    assert one.critical == one.nodes == two.nodes
    assert two.nodes / 2 <= two.critical < two.nodes


def test_texts() -> None:
    for text in ("auto()", "auto(workers=2)", "auto(workers=2, drivers=True)"):
        wish = parse_using(text)
        assert isinstance(wish, Auto)
        assert repr(wish) == text
        assert pickle.loads(pickle.dumps(wish)) == wish
    assert parse_using("auto") == parse_using(" auto ( ) ") == auto()
    assert auto().on(3) == auto(3).on(5) == auto(3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("auto(0)", "a whole number, 1 or more, not 0"),
        ("auto(1.5)", "a whole number, 1 or more, not 1.5"),
        ("auto(drivers=2)", "True or False, not 2"),
        ("auto(par_list)", "as in auto(workers=2)"),
        ("auto(2).to_ply(2)", "auto takes only a number of workers"),
        ("auto(threads=2)", "as in auto(workers=2)"),
        ("auto(", "as in auto(workers=2)"),
        ("auto(__import__('os'))", "as in auto(workers=2)"),
        ("par_list(auto())", "'auto' is not part of a strategy"),
    ],
)
def test_texts_that_are_refused(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as error:
        parse_using(text)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_wrong_arguments_are_refused_before_probing() -> None:
    with pytest.raises(StrategyError, match="mcts takes a strategy"):
        search(GAME, mcts(10), using=auto())
    with pytest.raises(AlgorithmError):
        search(GAME, minimax(3), using=auto(), time=1)


def test_an_agent_probes_for_its_own_workers() -> None:
    agent = SearchAgent.parse("alphabeta(depth=5) using auto", workers=1)
    assert str(agent) == "alphabeta(depth=5) using auto()"
    plain = SearchAgent.parse("alphabeta(depth=5)")
    assert agent.next_move(GAME, GAME.start()) == plain.next_move(GAME, GAME.start())


def test_the_command_line_prints_the_choice() -> None:
    import json

    from click.testing import CliRunner

    from strategies.cli.group import jamboree

    asked = ["search", "tictactoe", "--algorithm", "alphabeta(4)", "--using", "auto", "--json"]
    ran = CliRunner().invoke(jamboree, asked)
    assert ran.exit_code == 0, ran.output
    assert parse_strategy(json.loads(ran.stdout)["using"]) == seq
    refused = CliRunner().invoke(jamboree, [*asked[:-2], "auto(0)"])
    assert refused.exit_code == 2
    assert "1 or more, not 0" in refused.output


def test_the_probe_starts_at_the_given_position(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(choice_of, "grow", lambda game, rule, state, *_: started.append(state))
    begin = TicTacToe().start()
    later = TicTacToe().make_move(begin, 4)
    for state in (None, later):
        assert choose(auto(2), TicTacToe(), alphabeta(4), state=state).best == seq
    assert started == [begin, later]
