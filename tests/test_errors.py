"""Every error of the project is a `JamboreeError` and also a built-in error."""

import pickle
from importlib import import_module

import pytest

import jamboree as j

OWN = [
    getattr(j, name) for name in j.__all__
    if isinstance(getattr(j, name), type) and issubclass(getattr(j, name), Exception)
]  # fmt: skip
HIDDEN = [
    "strategies.native.calls.solver:Unprovable",
    "strategies.native.kernels.window_policy:NoPolicy",
    "strategies.native.memory.transposition_table:NoRoom",
    "strategies.players.tournaments.entrants:EntrantError",
    "strategies.studies.store:NotResults",
    "strategies.support.journal:JournalError",
]


@pytest.mark.parametrize("error", OWN)
def test_public_errors_have_one_base(error):
    assert issubclass(error, j.JamboreeError)


@pytest.mark.parametrize("name", HIDDEN)
def test_other_errors_derive_from_jamboree_error_and_a_builtin_error(name):
    module, _, error = name.partition(":")
    kind = getattr(import_module(module), error)
    assert issubclass(kind, j.JamboreeError)
    assert issubclass(kind, (ValueError, OSError))
    assert str(pickle.loads(pickle.dumps(kind("why")))) == "why"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: j.TicTacToe().parse_state("X9"),
        lambda: j.ConnectFour().parse_state("444444444"),
        lambda: j.Riskless.on("no such map"),
        lambda: j.Maze.from_text("P"),
        lambda: j.ExplicitGame.from_nested([[1, 2], "three"]),
        lambda: j.find_game("chequers"),
        lambda: j.get_neighbors(j.from_edge_seq([(0, 1)], 2), 7),
        lambda: j.parse_strategy("par_lost"),
        lambda: j.parse_algorithm("alphabeta(depth=many)"),
        lambda: j.search(j.PigForMany(3), j.alphabeta(2)),
    ],
)
def test_malformed_arguments_raise_a_jamboree_error_and_value_error(wrong):
    with pytest.raises(j.JamboreeError) as refused:
        wrong()
    assert isinstance(refused.value, ValueError)
