"""Choose the algorithm for a game when the user names none, by its players, chance and size."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from attrs import frozen

from games import Game, SearchTree, Status
from graphs.limits import CHOICE_PLIES, CHOICE_POSITIONS
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo, mcts
from strategies.algorithms.positions import children, kind_of
from strategies.algorithms.several_players import maxn
from strategies.algorithms.trees import Optimisation, enumeration, optimisation
from strategies.algorithms.two_players import alphabeta, pvs
from strategies.algorithms.with_chance import expectimax
from strategies.native.hooks import has_hash
from strategies.native.kept_engines import engine_for

LIMITED_DEPTH: Final = 60
"""The depth of a search that a limit ends before."""
SEEN: Final = 1_000
"""The positions that are counted; larger trees are estimated."""
GAMES: Final = 3
"""The random games in which the estimates of positions are compared."""
PLIES: Final = 60
"""The most plies of such a game."""
SECONDS: Final = 2.0
"""The time of a Monte Carlo search that was chosen, unless the user gives another."""


@frozen
class Usual:
    """An algorithm that was chosen, the reason, and a limit of time if it needs one."""

    algorithm: Algorithm | MonteCarlo
    why: str
    time: float | None = None


@frozen
class _Tree:
    """The tree below a position, as far as it was counted."""

    sizes: tuple[float, ...]
    """The number of positions at each ply; from some on, an estimate."""
    whole: bool
    """Whether these are all plies of the game."""
    judged: bool
    """Whether the positions in play have an estimate."""
    chance: bool
    """Whether chance may move."""


def usual_kind(game: Game[Any, Any], state: Any) -> tuple[Algorithm, str]:
    """Return the algorithm for the players and the chance of a game, at depth 1, and why.

    >>> from games import ConnectFour, Pig
    >>> for game in ConnectFour(), Pig(), Pig.of(3):
    ...     print(*usual_kind(game, game.start()), sep=", ")
    alphabeta(depth=1), two players without chance
    expectimax(depth=1), chance moves
    maxn(depth=1), three players or more
    """
    return _kind(game, _tree(game, state))


def _kind(game: Game[Any, Any], tree: _Tree, limited: bool = False) -> tuple[Algorithm, str]:
    if isinstance(game, SearchTree) and not limited:
        valued = type(game).utility is not Game.utility
        kind = optimisation(1) if valued else enumeration(1)
        return kind, "a tree whose leaves have values" if valued else "a tree"
    if game.players > 2:
        return maxn(1), "three players or more"
    if tree.chance:
        return expectimax(1), "chance moves"
    return alphabeta(1), "one player" if game.players == 1 else "two players without chance"


def usual(game: Game[Any, Any], state: Any, *, limited: bool = False, plans: bool = False) -> Usual:
    """Choose the algorithm and its depth for a position; with `limited`, a limit ends the search.

    The depth is that of the whole tree, if it is small; else the greatest, up to `CHOICE_PLIES`, at
    which the search visits about `CHOICE_POSITIONS` positions.  If two plies are too many, or the
    game has no estimate, the choice is Monte Carlo search; also for two players without chance, if
    the estimate is the same wherever random games lead, unless the search must have `plans`.

    Ensures: the same choice each time.
    Cost: the rules run interpreted on up to `SEEN` positions, and in `GAMES` games.
    """
    tree = _tree(game, state)
    (kind, why), sizes = _kind(game, tree, limited), tree.sizes
    if isinstance(kind, Optimisation):
        return Usual(optimisation(), why)
    alone = game.players == 1 and kind.name == "alphabeta" and has_hash(game, state)
    if alone and not tree.whole:
        kind = pvs(1)
        why += ", whose positions are met again on other ways (solve looks for the end)"
    share = 0.5 if alone else 0.75 if kind.narrows else 1.0  # alpha-beta leaves out branches
    deepest = CHOICE_PLIES * (2 if alone else 1)
    fits = [d for d, n in enumerate(sizes) if 0 < d <= deepest and n**share <= CHOICE_POSITIONS]
    depth = max(fits, default=1)
    if tree.whole:
        return Usual(kind.at_depth(max(1, len(sizes) - 1)), f"{why}; all plies of the game")
    asked = tree.judged and game.players == 2 and not tree.chance and not plans
    blind = asked and not _tells(game, state)
    judged = tree.judged and not blind
    if judged and limited:
        return Usual(kind.at_depth(LIMITED_DEPTH), f"{why}; as many plies as the limit allows")
    if judged and depth > 1:
        count = f"about {int(sizes[depth]):,} positions are {depth} plies away"
        return Usual(kind.at_depth(depth), f"{why}; {count}")
    sampled = mcts(1_000_000)
    try:
        sampled.check(game)
    except ValueError:
        return Usual(kind, why)
    why = "many moves" if judged else "no estimate of positions"
    why = "the same estimate of all positions" if blind else why
    return Usual(sampled, f"{why}; as many simulations as the time allows", SECONDS)


def _tree(game: Game[Any, Any], state: Any) -> _Tree:
    """Count the positions below one, ply by ply, up to `SEEN`."""
    chance = engine_for(game, "interpreted").has_chance
    level, sizes, seen, judged, drawn = [state], [1.0], 1, True, False
    try:
        while seen < SEEN:
            inner = [s for s in level if game.status(s) == Status.IN_PLAY]
            if not inner:
                return _Tree(tuple(sizes), True, judged, drawn)
            if len(sizes) > 1:
                judged = judged and all(_has_estimate(game, s) for s in inner[:20])
            below, done = list[Any](), 0
            for s in inner:
                if seen + len(below) >= SEEN:
                    break
                kind = kind_of(game, s)
                drawn = drawn or kind == "chance"
                below += [child for _, _, child in children(game, s, kind)]
                done += 1
            sizes.append(len(below) * len(inner) / done)
            level, seen = below, seen + len(below)
    except Exception:  # the search of these rules reports the error
        return _Tree((1.0,) * (CHOICE_PLIES + 1), False, True, chance)
    while len(sizes) <= 2 * CHOICE_PLIES:  # odd and even plies differ
        growth = sizes[-2] / sizes[-3] if len(sizes) > 2 else sizes[-1] / sizes[-2]
        sizes.append(sizes[-1] * max(1.0, growth))
    return _Tree(tuple(sizes), False, judged, chance)


def _tells(game: Game[Any, Any], state: Any) -> bool:
    """Return whether the estimates of the positions in random games differ."""
    try:
        first = game.estimate(state)
        for seed in range(GAMES):
            random, here = Random(seed), state
            for _ in range(PLIES):
                if game.status(here) != Status.IN_PLAY:
                    break
                if game.estimate(here) != first:
                    return True
                here = random.choice(list(children(game, here, kind_of(game, here))))[2]
    except Exception:  # the search of these rules reports the error
        return True
    return False


def _has_estimate(game: Game[Any, Any], state: Any) -> bool:
    try:
        game.estimate(state)
    except Exception:
        return False
    return True
