"""The game that is judged by a network: all its rules, and an estimate that looks weights up.

The estimate of a network is a function of its own, written out look-up by look-up, so that compiled
code knows the cells of each tuple.  Only the weights are data: others need no compiling.
"""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random
from statistics import fmean
from types import FunctionType
from typing import Any

import attrs
from attrs import field, frozen

from games.game import CHANCE, Game, Status
from games.networks.dense import PAYS, Dense
from games.networks.dense_rules import summed
from games.networks.ntuples import NTuples
from games.networks.weights import Weights
from games.networks.writing import rule, values_of_cells
from graphs.errors import MalformedError

Network = NTuples | Dense
FAR = 1e12
"""What estimates stay within where the game says nothing of its values."""
PLAYS = 8
"""Random games by which the size of what is learned is measured."""
LONGEST_PLAY = 2000
"""Plies after which a random game is broken off."""


def defines(kind: type, hook: str) -> bool:
    """Return whether a class of games has a rule that `Game` lacks."""
    return getattr(kind, hook, None) is not None


def network_of(game: Game[Any, Any]) -> Network:
    """Finds the network that a game proposes.

    Raises: ValueError if the game proposes none.
    """
    if not defines(type(game), "network"):
        name = type(game).__name__
        raise MalformedError(
            f"{name} proposes no network, so there is nothing to learn by: give its class "
            "cell(state, k) and network(); in Python, learn(game, network) takes one"
        )
    found: Network = game.network()  # type: ignore[attr-defined]
    return found


def practice_of(game: Any) -> Any:
    """Gives the game that is played to learn an estimate of this one: itself, unless it says.

    >>> from games import TicTacToe, Twenty48
    >>> practice_of(Twenty48()), practice_of(TicTacToe())
    (Twenty48(target=None), TicTacToe())
    """
    return game.practice() if defines(type(game), "practice") else game


def bounds_of(game: Game[Any, Any]) -> tuple[float, float]:
    """Bounds learned values: where a game is won, drawn or lost, a win counts 1."""
    if type(game).utility is Game.utility:
        return -1.0, 1.0
    low, high = game.value_range or (-FAR, FAR)
    return float(low), float(high)


def dense_for(game: Game[Any, Any], hidden: int) -> Dense:
    """Makes a dense network over the cells that a game's own network has.

    Its scale is about what is to come in random games: the bounds of a game may be far beyond it.
    Where a game is won, drawn or lost, it is 1.

    >>> from games import TicTacToe
    >>> dense_for(TicTacToe(), 16)
    Dense(values=3, cells=9, hidden=16, scale=1.0)
    """
    network, scale = network_of(game), 1.0
    wanted = 1.0 if type(game).utility is Game.utility else to_come(practice_of(game))
    while scale < wanted:
        scale *= 2
    return Dense(network.values, network.cells, hidden, scale)


def to_come(game: Game[Any, Any]) -> float:
    """Computes how much is to come in the positions of random games, on average: always the same.

    It is what a game comes to, less what is `secured`: what a network learns.
    """
    found = []
    secured = getattr(game, "secured", lambda _: 0)
    for seed in range(PLAYS):
        draw, state, met = Random(seed), game.start(), list[float]()
        while len(met) < LONGEST_PLAY and game.status(state) == Status.IN_PLAY:
            met.append(float(secured(state)))
            if game.player(state) == CHANCE:
                chances, states = zip(*game.outcomes(state), strict=True)
                state = draw.choices(states, chances)[0]
            else:
                state = game.make_move(state, draw.choice(list(game.moves(state))))
        over = game.status(state) != Status.IN_PLAY
        end = float(game.utility(state) if over else game.estimate(state))
        found += [abs(end - had) for had in met]
    return fmean(found) if found else 1.0


@cache
def index_rule(values: int, count: int) -> FunctionType:
    """Writes the function that computes an index from the values of so many cells.

    It is called where it could stand: compiling a call takes less than compiling what it does.
    """
    names = [f"v{k}" for k in range(count)]
    terms = [f"{name} * {values**k}" for k, name in enumerate(names)]
    return rule(
        f"index_{count}", ", ".join(["begin", *names]), [f" return begin + {' + '.join(terms)}"]
    )


def looked_up(network: NTuples) -> list[str]:
    """Writes the lines of a rule that tell the values of cells, then each index."""
    found = values_of_cells(network.seen)
    for n, (begin, cells) in enumerate(network.lookups):
        given = ", ".join([str(begin), *(f"c{cell}" for cell in cells)])
        found.append(f" i{n} = index_{len(cells)}({given})")
    return found


def functions(network: Network) -> dict[str, FunctionType]:
    """Lists the functions that those lines call."""
    counts = {len(cells) for cells in network.tuples} if isinstance(network, NTuples) else set()
    return {f"index_{count}": index_rule(network.values, count) for count in counts}


def total_of(network: Network, learning: bool = False) -> list[str]:
    """Writes the lines that compute what the weights of a position come to, `total`."""
    if isinstance(network, Dense):
        return summed(network, learning)
    body = [*looked_up(network), " row = self.net_weights.values", " total = 0.0"]
    return [*body, *(f" total += float(row[i{n}])" for n in range(len(network.lookups)))]


def sum_rule(network: Network) -> FunctionType:
    """Writes the rule that sums the weights of a position."""
    body = [*total_of(network), " return total"]
    made = rule("net_sum", "self, state", body, **functions(network))
    made.stays_whole = True  # type: ignore[attr-defined]
    return made


def judged_rule(kind: type) -> FunctionType:
    """Writes the rule that values a position by what is secured, and by the network for the rest.

    Where two play, the network sees the board as the player to move does.
    """
    body = [" found = self.net_sum(state)"]
    if kind.players == 2:  # type: ignore[attr-defined]
        body += [" if self.player(state) == 1:", "  found = 0.0 - found"]
    if defines(kind, "secured"):
        body += [" found += float(self.secured(state))"]
    return rule("net_value", "self, state", [*body, " return found"])


def estimate_rule() -> FunctionType:
    """Writes the rule that keeps the value within the range of the game."""
    body = [" found = self.net_value(state)"]
    body += [" if not found >= self.net_low:", "  return self.net_low"]  # so is what is no number
    body += [" if found > self.net_high:", "  return self.net_high"]
    return rule("estimate", "self, state", [*body, " return found"])


def check_game(game: Game[Any, Any]) -> None:
    """Checks that a game can be judged by a network.

    Raises: ValueError, one line.
    """
    kind: Any = type(game)
    if not attrs.has(kind):
        raise MalformedError(f"{kind.__name__} is no attrs class: write @attrs.frozen above it")
    if not defines(kind, "cell"):
        raise MalformedError(
            f"{kind.__name__} has no cell(state, k): define it, the value of cell k from 0 on"
        )
    if game.players > 2:
        raise MalformedError(f"games of one player or two are learned, not of {game.players}")


@lru_cache(64)
def learned_class(kind: Any, network: Network) -> Any:
    """Derives the class of games that a network judges."""
    made: Any = type(
        f"Learned{kind.__name__}",
        (kind,),
        {
            "__module__": __name__,
            "__doc__": kind.__doc__,
            "__annotations__": {"net_weights": Weights, "net_low": float, "net_high": float},
            "net_weights": field(kw_only=True),
            "net_low": field(kw_only=True, eq=False, repr=False),
            "net_high": field(kw_only=True, eq=False, repr=False),
            "net_sum": sum_rule(network),
            "net_value": judged_rule(kind),
            "estimate": estimate_rule(),
            "network": lambda self: network,
            "net_batches": isinstance(network, Dense) and network.hidden >= PAYS,
            "__reduce__": lambda self: (with_network, (plain(self), network, self.net_weights)),
        },
    )
    return frozen(made)


def fields_of(game: Any, kind: Any) -> dict[str, Any]:
    """Lists the arguments that make a game of a class from one of a class derived from it."""
    return {f.alias: getattr(game, f.name) for f in attrs.fields(kind) if f.init}


def is_learned(game: Any) -> bool:
    """Return whether a network judges the positions of a game."""
    return hasattr(type(game), "net_sum")


def plain(game: Any) -> Any:
    """Gives the game that a learned one was made from; any other game as it is."""
    if not is_learned(game):
        return game
    kind: Any = type(game).__mro__[1]
    return kind(**fields_of(game, kind))


def with_network(game: Any, network: Network, weights: Weights) -> Any:
    """Makes the same game with an estimate that looks up the weights of a network.

    What the game's `secured` tells of a position counts for it, and the network adds what is to
    come.  The values stay within the game's `value_range`; where a game is won, drawn or lost, a
    win counts 1, so that they are between -1 and 1.

    Requires: the game has ``cell(state, k)``, the value of cell k, from 0 to below
    ``network.values``; where two play, as the player to move sees it.
    Raises: ValueError, one line.

    >>> from games import TicTacToe
    >>> from games.networks.ntuples import NTuples
    >>> network = NTuples(3, ((4,),))
    >>> game = with_network(TicTacToe(), network, Weights([0.0, 0.25, -0.5]))
    >>> [game.estimate(game.parse_state(moves)) for moves in ("", "1", "5", "1 5")]
    [0.0, 0.0, 0.5, -0.5]
    """
    game = plain(game)
    check_game(game)
    if weights.values.size != network.size:
        raise MalformedError(
            f"the network has {network.size:,} weights, not {weights.values.size:,}"
        )
    if isinstance(network, Dense):
        network.check(weights.values)
    low, high = bounds_of(game)
    more = {"net_weights": weights, "net_low": low, "net_high": high}
    kind: Any = type(game)
    return learned_class(kind, network)(**{**fields_of(game, kind), **more})
