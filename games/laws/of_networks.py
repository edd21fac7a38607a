"""Laws of games with networks: each cell has a weight, and declared symmetries hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from games.laws import rules
from games.laws.law import AnyGame, in_play, law_of_positions, law_of_states
from games.laws.of_hooks import without
from games.laws.rules import Broken, Raised
from games.laws.trace import Trace
from games.networks.learned import Network, defines, is_learned, practice_of
from games.networks.ntuples import Cells, NTuples, bits, fits
from games.u64 import U64
from graphs.limits import SYMMETRIES_TESTED

NEAR: Final = 1e-5
"""The largest relative difference between symmetric values, which add the same weights in another
order."""


def network_of(game: AnyGame) -> Network:
    found: Network = rules.ask(game, "network")
    return found


def cells_of(game: AnyGame, state: Any, count: int) -> Iterator[Any]:
    """Yield the values of the first cells of a position."""
    return (rules.ask(game, "cell", state, k) for k in range(count))


@law_of_states(in_play, without("cell", "network"))
def cells_have_weights(game: AnyGame, state: Any) -> None:
    """Each cell that the network of a game reads is an int from 0 to below its `values`, also in
    the `familiar` position that is read in place of another."""
    network = network_of(game)
    read = rules.ask(game, "familiar", state) if defines(type(game), "familiar") else state
    for k in network.seen:
        for value in (rules.ask(game, "cell", at, k) for at in (state, read)):
            if not isinstance(value, int) or not 0 <= value < network.values:
                raise Broken(f"cell({k}) to be an int from 0 to {network.values - 1}", repr(value))


@law_of_states(in_play, without("cell", "stage"))
def stages_are_counted_from_0(game: AnyGame, state: Any) -> None:
    """The stage of a position is an int of 0 or more."""
    found = rules.ask(game, "stage", state)
    if not isinstance(found, int) or found < 0:
        raise Broken("stage to be an int of 0 or more", repr(found))


@law_of_states(in_play, without("cell", "network", "packed"))
def packed_words_have_the_cells(game: AnyGame, state: Any) -> None:
    """If the values of a cell are a power of two and all cells fit in a word, `packed` returns them
    as a U64, the first in its lowest bits."""
    network = network_of(game)
    if not isinstance(network, NTuples) or not fits(network):
        return
    word = rules.ask(game, "packed", state)
    cells = tuple(cells_of(game, state, network.cells))
    wanted = sum(int(cell) << (bits(network) * k) for k, cell in enumerate(cells))
    low = (1 << (bits(network) * network.cells)) - 1
    if not isinstance(word, U64) or int(word) & low != wanted:
        raise Broken(f"a U64 with the cells {cells}, {U64(wanted)!r}", repr(word))


@law_of_states(in_play, without("cell", "network", "practice"))
def practice_is_the_game(game: AnyGame, state: Any) -> None:
    """If a game is in play, so is its practice game, with the same player, the same next positions
    and the same cells."""
    other, network, staged = practice_of(game), network_of(game), defines(type(game), "stage")
    if rules.ask(other, "status", state) != rules.ask(game, "status", state):
        raise Broken("practice() to be in play", "that it is over")
    asked: tuple[tuple[str, Callable[[AnyGame], Any]], ...] = (
        ("player", lambda each: rules.ask(each, "player", state)),
        ("positions next", lambda each: rules.children(each, state)),
        ("cells", lambda each: tuple(cells_of(each, state, network.cells))),
        ("stage", lambda each: rules.ask(each, "stage", state) if staged else 0),
    )
    for name, answer in asked:
        mine, theirs = answer(game), answer(other)
        if mine != theirs:
            raise Broken(f"practice() to have the same {name}, {mine!r}", repr(theirs))


def _states_none(game: AnyGame) -> str:
    absent = without("cell", "network")(game)
    if absent:
        return absent
    return "" if network_of(game).symmetries else "the network states no symmetries"


@law_of_positions(_states_none)
def symmetries_are_those_of_the_game(game: AnyGame, traces: Sequence[Trace]) -> int:
    """If a symmetry of the network keeps the cells of the start, each play has a symmetric one with
    the same players and results, and a learned estimate has the same value in both."""
    network, start = network_of(game), traces[0].states[0]
    assert isinstance(network, NTuples)  # other networks declare no symmetries
    turns = [t for t in network.symmetries if _image(game, start, t)(start)]
    turns = turns or [t for t in network.group[1:] if _image(game, start, t)(start)]
    return sum(_symmetric(game, traces[:SYMMETRIES_TESTED], turn) for turn in turns)


def _symmetric(game: AnyGame, traces: Sequence[Trace], turn: Cells) -> int:
    """Find the symmetric positions of the end of each play, among the successors of those of its
    last position but one; cells may not determine a position, so there may be several."""
    twins: dict[Any, list[Any]] = {traces[0].states[0]: [traces[0].states[0]]}
    tested = 0
    for trace in traces:
        before = trace.states[-2] if trace.plies else None
        if before not in twins or trace.state in twins:
            continue
        try:
            alike = _image(game, trace.state, turn)
            near = [c for twin in twins[before] for _, c in rules.children(game, twin)]
            found = [child for child in near if alike(child)]
            if not found:
                cells = tuple(cells_of(game, trace.state, len(turn)))
                raise Broken(
                    f"a symmetric play, to a position of the cells {[cells[k] for k in turn]}, "
                    f"by the symmetry {turn}", "none",
                )  # fmt: skip
            _worth_the_same(game, trace.state, found)
        except Raised:
            continue
        except Broken as broken:
            broken.trace = trace
            raise
        twins[trace.state] = found
        tested += 1
    return tested


def _image(game: AnyGame, state: Any, turn: Cells) -> Any:
    """Return a test for positions with the symmetric cells, the same mover and the same status."""
    cells = tuple(cells_of(game, state, len(turn)))
    wanted = [cells[k] for k in turn]
    status, player = rules.ask(game, "status", state), rules.ask(game, "player", state)

    def alike(other: Any) -> bool:
        found = cells_of(game, other, len(turn))
        return (
            all(a == b for a, b in zip(wanted, found, strict=True))
            and rules.ask(game, "status", other) == status
            and rules.ask(game, "player", other) == player
        )

    return alike


def _worth_the_same(game: AnyGame, state: Any, found: Sequence[Any]) -> None:
    """Check that a position and its symmetric ones have the same value."""
    ends = not rules.in_play(game, state)
    if not ends and not is_learned(game):
        return
    rule = "utility" if ends else "estimate"
    value = rules.ask(game, rule, state)
    for other in found:
        theirs = rules.ask(game, rule, other)
        if theirs != value and abs(theirs - value) > NEAR * (1 + abs(value)):
            raise Broken(f"{rule} {value!r} in the symmetric position {other!r}", repr(theirs))
