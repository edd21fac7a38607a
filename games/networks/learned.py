"""A game whose estimate is a network: all its rules, and an estimate that looks up weights.

The estimate of a network is a generated function with one look-up after the other, so that compiled
code knows the cells of each tuple.  Only the weights are data, so other weights need no compiling.
"""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random
from statistics import fmean
from types import FunctionType
from typing import Any

import attrs
from attrs import field, frozen

from games.attributes import remade
from games.failed import moves_there
from games.game import CHANCE, Game, Status
from games.networks.dense import PAYS, Dense, summed
from games.networks.ntuples import NTuples, fits, looked_up_in_words
from games.networks.weights import Weights
from games.networks.writing import rule, values_of_cells
from graphs.errors import MalformedError
from graphs.limits import SCALE_PLIES

Network = NTuples | Dense
PARTS = 4
"""The number of sums that a processor adds up at a time."""
FAR = 1e12
"""The bound of estimates if the game has no `value_range`."""
PLAYS = 8
"""The number of random games that measure the scale of values."""


def defines(kind: type, hook: str) -> bool:
    """Return whether a class of games has an optional rule that `Game` does not define."""
    return getattr(kind, hook, None) is not None


def network_of(game: Game[Any, Any]) -> Network:
    """Return the network that a game proposes.

    Raises: ValueError if the game proposes none.
    """
    if not defines(type(game), "network"):
        name = type(game).__name__
        raise MalformedError(
            f"{name} proposes no network to learn; define cell(state, k) and network() in its "
            "class, or, in Python, pass a network to learn(game, network)"
        )
    found: Network = game.network()  # type: ignore[attr-defined]
    return found


def practice_of(game: Any) -> Any:
    """Return the game to play for learning an estimate: ``practice()``, or the game itself.

    >>> from games import TicTacToe, Twenty48
    >>> practice_of(Twenty48()), practice_of(TicTacToe())
    (Twenty48(target=None), TicTacToe())
    """
    return game.practice() if defines(type(game), "practice") else game


def bounds_of(game: Game[Any, Any]) -> tuple[float, float]:
    """Return bounds of learned values; a win counts 1 if the game is won, drawn or lost."""
    if type(game).utility is Game.utility:
        return -1.0, 1.0
    low, high = game.value_range or (-FAR, FAR)
    return float(low), float(high)


def dense_for(game: Game[Any, Any], hidden: int) -> Dense:
    """Return a dense network over the cells of the network that a game proposes.

    Its scale is about the mean future value in random games, because the bounds of a game may be
    far beyond it.  It is 1 if a game is won, drawn or lost.

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
    """Return the mean future value in positions of random games, always the same.

    It is the result minus what is `secured`, which is what a network learns.
    """
    found = []
    secured = getattr(game, "secured", lambda _: 0)
    for seed in range(PLAYS):
        draw, state, met = Random(seed), game.start(), list[float]()
        while len(met) < SCALE_PLIES and game.status(state) == Status.IN_PLAY:
            met.append(float(secured(state)))
            if game.player(state) == CHANCE:
                chances, states = zip(*game.outcomes(state), strict=True)
                state = draw.choices(states, chances)[0]
            else:
                state = game.make_move(state, draw.choice(moves_there(game, state)))
        over = game.status(state) != Status.IN_PLAY
        end = float(game.utility(state) if over else game.estimate(state))
        found += [abs(end - had) for had in met]
    return fmean(found) if found else 1.0


@cache
def index_rule(values: int, count: int) -> FunctionType:
    """Return the function that computes an index from the values of `count` cells.

    It is not inlined, because a call takes less time to compile than its body.
    """
    names = [f"v{k}" for k in range(count)]
    terms = [f"{name} * {values**k}" for k, name in enumerate(names)]
    return rule(
        f"index_{count}", ", ".join(["begin", *names]), [f" return begin + {' + '.join(terms)}"]
    )


def looked_up(kind: type, network: NTuples) -> list[str]:
    """Return the lines of a rule that read the values of cells, then compute each index."""
    stage = f"{network.stage_size} * min(self.stage(state), {network.stages - 1})"
    found = [f" base = {stage if network.stages > 1 else 0}"]
    if defines(kind, "packed") and fits(network):
        return found + looked_up_in_words(network)
    found += values_of_cells(network.seen)
    for n, (begin, cells) in enumerate(network.lookups):
        given = ", ".join([f"base + {begin}", *(f"c{cell}" for cell in cells)])
        found.append(f" i{n} = index_{len(cells)}({given})")
    return found


def functions(network: Network) -> dict[str, FunctionType]:
    """Return the functions that those lines call, by name."""
    counts = {len(cells) for cells in network.tuples} if isinstance(network, NTuples) else set()
    return {f"index_{count}": index_rule(network.values, count) for count in counts}


def total_of(kind: type, network: Network, learning: bool = False) -> list[str]:
    """Return the lines that compute the sum of the weights of a position, `total`."""
    if isinstance(network, Dense):
        return summed(network, learning)
    body = [*looked_up(kind, network), " row = self.net_weights.values"]
    count = len(network.lookups)
    parts = [range(k, count, PARTS) for k in range(min(PARTS, count))]
    for k, part in enumerate(parts):
        body.append(f" s{k} = {' + '.join(f'float(row[i{n}])' for n in part)}")
    return [*body, f" total = {' + '.join(f's{k}' for k in range(len(parts)))}"]


def read_from(kind: type) -> list[str]:
    """Return the lines that put the position to read in the place of one that was rarely learned.

    Source: tile downgrading (Guei, Chen and Wu, 2021).
    """
    return [" state = self.familiar(state)"] if defines(kind, "familiar") else []


def inputs_rule(kind: type, network: Network) -> FunctionType:
    """Return the rule that lists what a network reads of a position: the indices of its weights,
    or, if it is dense, the values of all cells."""
    if isinstance(network, Dense):
        body, names = values_of_cells(network.seen), [f"c{k}" for k in network.seen]
    else:
        body = looked_up(kind, network)
        names = [f"i{n}" for n in range(len(network.lookups))]
    body = [*body, f" return [{', '.join(names)}]"]
    return rule("net_inputs", "self, state", body, **functions(network))


def sum_rule(kind: type, network: Network, playing: bool = True) -> FunctionType:
    """Return the rule that sums the weights of a position, for playing or for learning."""
    body = [*(read_from(kind) if playing else []), *total_of(kind, network), " return total"]
    return rule("net_sum", "self, state", body, **functions(network))


def judged_rule(kind: type) -> FunctionType:
    """Return the rule that evaluates a position: its secured value plus that of the network.

    With two players, the network sees the board from the side of the player to move.
    """
    body = [" found = self.net_sum(state)"]
    if kind.players == 2:  # type: ignore[attr-defined]
        body += [" if self.player(state) == 1:", "  found = 0.0 - found"]
    if defines(kind, "secured"):
        body += [" found += float(self.secured(state))"]
    return rule("net_value", "self, state", [*body, " return found"])


def estimate_rule() -> FunctionType:
    """Return the rule that clips the value to the range of the game."""
    body = [" found = self.net_value(state)"]
    body += [" if not found >= self.net_low:", "  return self.net_low"]  # also for NaN
    body += [" if found > self.net_high:", "  return self.net_high"]
    return rule("estimate", "self, state", [*body, " return found"])


def check_game(game: Game[Any, Any], network: Network) -> None:
    """Check that a game can be evaluated by a network.

    Raises: ValueError, one line.
    """
    kind: Any = type(game)
    if game.players > 2:
        raise MalformedError(f"only games of one or two players are learned, not of {game.players}")
    if not attrs.has(kind):
        raise MalformedError(f"{kind.__name__} is not an attrs class; write @attrs.frozen above it")
    if not defines(kind, "cell"):
        raise MalformedError(
            f"{kind.__name__} has no cell(state, k); define it to return the value of cell k"
        )
    if isinstance(network, NTuples) and network.stages > 1 and not defines(kind, "stage"):
        raise MalformedError(
            f"{kind.__name__} has no stage(state); define it to return the stage of a position, "
            "from 0 on, or learn a network of one stage"
        )


@lru_cache(64)
def learned_class(kind: Any, network: Network) -> Any:
    """Return the derived class of games whose estimate is a network."""
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
            "net_sum": sum_rule(kind, network),
            "net_value": judged_rule(kind),
            "estimate": estimate_rule(),
            "network": lambda self: network,
            "net_batches": isinstance(network, Dense) and network.hidden >= PAYS,
            "__reduce__": lambda self: (with_network, (plain(self), network, self.net_weights)),
        },
    )
    return frozen(made, slots=False)  # slots need those of the base, which its copy may lack


def is_learned(game: Any) -> bool:
    """Return whether the estimate of a game is a network."""
    return hasattr(type(game), "net_sum")


def plain(game: Any) -> Any:
    """Return the game from which a learned one was made; any other game unchanged."""
    if not is_learned(game):
        return game
    return remade(game, type(game).__mro__[1])


def with_network(game: Any, network: Network, weights: Weights) -> Any:
    """Return the game with an estimate that looks up the weights of a network.

    The estimate is the game's `secured` value of a position, if it has that rule, plus the value of
    the network.  It is clipped to the game's `value_range`; if a game is won, drawn or lost, a win
    counts 1, so that estimates are between -1 and 1.

    Requires: the game has ``cell(state, k)``, the value of cell k, from 0 to below
    ``network.values``; with two players, from the side of the player to move.
    Raises: ValueError, one line.

    >>> from games import TicTacToe
    >>> from games.networks.ntuples import NTuples
    >>> network = NTuples(3, ((4,),))
    >>> game = with_network(TicTacToe(), network, Weights([0.0, 0.25, -0.5]))
    >>> [game.estimate(game.parse_state(moves)) for moves in ("", "1", "5", "1 5")]
    [0.0, 0.0, 0.5, -0.5]
    """
    game = plain(game)
    check_game(game, network)
    if weights.values.size != network.size:
        raise MalformedError(
            f"the network has {network.size:,} weights, not {weights.values.size:,}"
        )
    if isinstance(network, Dense):
        network.check(weights.values)
    low, high = bounds_of(game)
    kind: Any = type(game)
    made = learned_class(kind, network)
    return remade(game, made, net_weights=weights, net_low=low, net_high=high)
