"""A wrong argument of a public call raises an error that names it, never an internal error."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import jamboree as j
from games.problems import Problem, Queens
from strategies.insight.analysis.simulation import Burden
from strategies.searches.local_search import walk
from strategies.searches.local_search.algorithms import first_improvement, steepest_descent
from strategies.searches.local_search.climb import climb

GAME, OTHELLO = j.TicTacToe(), j.Othello(4)
ALGORITHM = j.alphabeta(2)
SEARCH = j.search(GAME, ALGORITHM, using=j.par_list)
RESULT = SEARCH.compute(num_workers=1)
GRAPH = j.from_edge_seq([(0, 1), (1, 0)], 2)
AGENTS = [j.RandomAgent(1), j.RandomAgent(2, "b")]
LONG = "\x1b[2J\u202e" + "x" * 10**5
"""A long text that would clear a terminal, and turn the direction of writing."""
WRONG: list[Any] = [
    None, "", "x", -1, 0, 3.5, float("nan"), True, [], {}, (1, 2), object(), b"x", int, GAME,
    ALGORITHM, j.seq, SEARCH, 10**400, -(2**70), float("inf"), 1e308, LONG, LONG.encode(), [LONG],
    {LONG: LONG},
]  # fmt: skip

PARSED = ("tictactoe", "connect_four", "nim", "othello", "riskless", "pursuit", "pacman", "pig",
          "twenty48", "handout_small")  # fmt: skip
CALLS: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "search": (j.search, (GAME, ALGORITHM), {"using": j.seq, "engine": "auto", "most_tasks": 9,
                                      "time": 0.01, "nodes": None}),
    "plan": (j.plan, (GAME, ALGORITHM, j.seq), {"window": (-1, 1), "limits": None}),
    "choose": (j.choose, (j.auto(2), GAME, j.alphabeta(1)), {"engine": "interpreted"}),
    "first_better": (j.first_better, (GAME, j.alphabeta(1), 0), {"engine": "interpreted"}),
    "solve": (j.solve, (j.HANDOUT_SMALL,), {"memory": "1MB", "engine": "interpreted"}),
    "study": (
        partial(j.study, algorithm=j.alphabeta(1)), (GAME,),
        {"strategies": [j.seq], "workers": [1], "depths": (), "plies": (), "p": (), "repeat": 1,
         "positions": [GAME.start()],
         "engine": "interpreted"},
    ),
    "tournament": (j.tournament, (GAME, AGENTS), {"rounds": 1, "seed": 0, "plies": 1}),
    "simulate": (j.simulate, (SEARCH, 2, Burden()), {}),
    "Burden": (Burden, (0.0, 0.0, 1.0, 1, False, 0.0), {}),
    "explain": (j.explain, (j.seq, 6), {}),
    "alphabeta": (j.alphabeta, (2,), {"nearer_wins": True, "table": "1MB"}),
    "expectimax": (j.expectimax, (2,), {"rounded": False, "cutoff": 0, "pruning": None}),
    "mcts": (j.mcts, (10, 1.4, 0, "random", "ucb"), {"trees": 1, "threads": 1}),
    "maxn": (j.maxn, (2,), {"table": None}),
    "paranoid": (j.paranoid, (2,), {"table": None}),
    "trace": (SEARCH.trace, (), {"most": 10**6}),
    "perft": (partial(j.engine_for(GAME, "interpreted").perft, GAME.start()), (1,), {}),
    "Algorithm": (j.Algorithm, (2,), {}),
    "Driver": (j.Driver, ("abdada", 2), {}),
    "parse_algorithm": (j.parse_algorithm, ("pvs(2)",), {}),
    "parse_strategy": (j.parse_strategy, ("par_list",), {}),
    "parse_using": (j.parse_using, ("par_list",), {}),
    "find_game": (j.find_game, ("tictactoe",), {}),
    "engine_for": (j.engine_for, (GAME, "auto"), {}),
    "KeptTable": (j.KeptTable, ("no.table", "1MB"), {}),
    "SearchAgent": (j.SearchAgent, (ALGORITHM, j.seq, 1, "auto", 1.0), {}),
    "HastyAgent": (j.HastyAgent, (j.SearchAgent(ALGORITHM),), {}),
    "Entrant": (partial(j.Entrant, AGENTS[0]), ("", {}), {}),
    "play": (j.play, (GAME, *AGENTS), {"seed": 0, "position": ""}),
    "Position": (j.Position, (GAME, GAME.start()), {}),
    "Nim": (j.Nim, ((3, 4), False), {}),
    "NimForMany": (j.NimForMany, ((3, 4), False, 3), {}),
    "Pursuit": (j.Pursuit, (3, 0, 2, 0, 4, 60), {}),
    "Othello": (j.Othello, (4, (0, 1, 12)), {}),
    "Maze": (j.Maze, (("P.", ".G"),), {}),
    "Pacman": (j.Pacman, (j.Maze.load("small"), 50, (1, -1, -30), 40), {}),
    "Riskless": (j.Riskless, (j.Map.load("square"), (1, 0, 0, 0, 0)), {}),
    "with_chance": (j.with_chance, (GAME, 1, None), {}),
    "with_repetition": (j.with_repetition, (GAME, 8), {}),
    "against_all": (j.against_all, (j.NimForMany(), 0), {}),
    "with_estimate": (j.with_estimate, (GAME, "no.npz"), {}),
    "with_weights": (j.with_weights, (OTHELLO,), {}),
    "weights_of": (j.weights_of, (OTHELLO,), {}),
    "Dense": (j.Dense, (2, 2, 3, 1.0), {}),
    "NTuples": (j.NTuples, (2, [[0]], ()), {}),
    "par_map": (j.par_map, (abs, [1, 2], j.rseq), {}),
    "eval_apply": (j.eval_apply, (abs, j.rseq), {}),
    "evaluation": (j.evaluation, (lambda: None,), {}),
    "par_eval": (j.par_eval, (j.evaluate(1, j.rseq),), {}),
    "Graph": (j.Graph, ([0, 1, 2], [1, 0]), {}),
    "from_edge_seq": (j.from_edge_seq, ([(0, 1)], 2), {}),
    "get_neighbors": (j.get_neighbors, (GRAPH, 0), {}),
    "reachable": (j.reachable, (GRAPH, 0), {}),
    "is_simple": (j.is_simple, (GRAPH,), {}),
    "WeightedGraph": (j.WeightedGraph, (GRAPH, [1, 2]), {}),
    "Seq": (j.Seq, ([1],), {}),
    "showl": (j.showl, (j.Seq([1]),), {}),
    "showt": (j.showt, (j.Seq([1]),), {}),
    "hidel": (j.hidel, (j.showl(j.Seq([1])),), {}),
    "hidet": (j.hidet, (j.showt(j.Seq([1])),), {}),
    "result.visualize": (RESULT.search().visualize, (None, RESULT), {}),
    "result.draw": (RESULT.draw, ("timeline",), {}),
    "result.against": (RESULT.against, (j.seq, 9), {}),
}  # fmt: skip

MOST = 500
"""The most characters of a message, which repeats at most 80 of each argument."""
CALLS |= {f"{name}.parse_state": (j.find_game(name).parse_state, ("",), {}) for name in PARSED}
CALLS |= {
    "climb": (climb, (Queens(4), steepest_descent(steps=1)),
              {"seed": 1, "restarts": 0, "engine": "interpreted"}),
    "walk": (lambda problem, climber: next(walk(problem, (0,) * 4, climber)),
             (Queens(4), steepest_descent()), {}),
    "endgame_table": (partial(j.endgame_table, engine="interpreted"), (j.HANDOUT_SMALL,), {
        "endless": 0.0}),
}  # fmt: skip
SLOTS = [(name, slot) for name, (_, args, kw) in CALLS.items() for slot in (*range(len(args)), *kw)]


@pytest.mark.parametrize(("name", "slot"), SLOTS)
def test_a_wrong_argument_is_refused_in_one_sentence(
    name: str, slot: int | str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # calls that accept the argument may write a file
    function, args, keywords = CALLS[name]
    refused: list[str] = []
    for wrong in WRONG:
        given: list[Any] = list(args)
        named = dict(keywords)
        if isinstance(slot, int):
            given[slot] = wrong
        else:
            named[slot] = wrong
        try:
            function(*given, **named)
        except j.JamboreeError as error:
            refused.append(str(error))
    assert refused
    assert not [why for why in refused if "has no attribute" in why or not why.isprintable()]
    assert max(map(len, refused)) < MOST


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: j.parse_algorithm(None), "read from a text, such as 'alphabeta.*not None"),  # type: ignore[arg-type]
        (lambda: j.simulate(3, 2), "answer must be a search that has not run, .*, not 3"),  # type: ignore[arg-type]
        (lambda: j.study(GAME, workers=1), r"workers must be a list or .* as \[1, 2\], not 1"),  # type: ignore[arg-type]
        (lambda: j.study(GAME, workers=[]), r"workers is empty: list numbers, such as \[1, 2\]"),
        (lambda: j.explain(None), r"a strategy is needed, as jamboree\(0.5\).*, not None"),  # type: ignore[arg-type]
        (lambda: Burden(cores=0), "cores must be a whole number, 1 or more, not 0"),
        (lambda: j.search("tictactoe", ALGORITHM), r"write find_game\('tictactoe'\)"),  # type: ignore[call-overload]
        (lambda: j.search(ALGORITHM, GAME), "a game is needed, not alphabeta"),  # type: ignore[call-overload]
        (lambda: j.search(GAME, ALGORITHM, state="X"), "a state of TicTacToe is of class Marks"),  # type: ignore[call-overload]
        (lambda: j.tune_weights(OTHELLO, AGENTS), "agent must be a search agent, such as"),
        (lambda: j.learn(GAME, GAME, games=1), "network must be a network, such as Dense"),  # type: ignore[arg-type]
        (lambda: j.tune(GAME, ALGORITHM, workers=2, burden=3), "burden must be a Burden"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_the_message_says_what_to_write(call: Any, why: str) -> None:
    with pytest.raises(j.ArgumentError, match=why) as refused:
        call()
    assert isinstance(refused.value, (TypeError, ValueError))


class Halves(Problem[int]):
    """A problem whose value is no whole number."""

    def start(self, seed: int) -> int:
        return 0

    def neighbors(self, state: int) -> Iterator[int]:
        yield state + 1

    def value(self, state: int) -> int:
        return abs(state - 3) / 2 if state else 2  # type: ignore[return-value]  # the fault


@j.evaluation
def no_yield(x: object) -> object:  # type: ignore[arg-type]  # the fault
    return x


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: climb(Halves()), r"value of 1 must be a whole number, .* not 1\.0"),
        (lambda: climb(Halves(), first_improvement()), "value of 1 must be a whole number"),
        (lambda: climb(Problem()), r"a problem needs start\(seed\)"),
        (lambda: j.run_eval(no_yield(1)).compute(), "yields no evaluation: write y = yield rseq"),
        (lambda: j.perft(GAME, 10**9), "depth must be .* not 1000000000$"),
        (lambda: SEARCH.compute(num_workers=0), "num_workers must be a whole number, 1 to 1024,"),
        (lambda: j.using((1, 2), j.eval_tuple(j.rseq)).compute(), "needs 1 component, not 2"),
        (lambda: j.find_game("nim:-1"), "heaps are numbers with - between, as 3-4-5, not '-1'"),
        (lambda: j.find_game("nim:3--4"), "heaps are numbers with - between"),
    ],
)
def test_messages_name_what_was_given(call: Any, why: str) -> None:
    with pytest.raises((j.JamboreeError, NotImplementedError), match=why):
        call()


def test_a_node_without_branches_is_explained() -> None:
    assert j.explain(j.par_list, branches=0).startswith("par_list, on a node with 0 branches:")
