"""UCT: simulations that each go down the most promising branches, and on by random play.

Source: Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006).
"""

from __future__ import annotations

from typing import Any

from games.game import CHANCE, Game
from games.words import U64
from strategies.native.hooks import GOLDEN, count_of, mix, nth_of, payoffs
from strategies.native.kernels.control import IN_PLAY, kernel
from strategies.native.kernels.mcts_tree import (
    BRANCHES,
    DEEPEST,
    DEPTH,
    KNOWN,
    LINKS,
    NODE,
    PATH,
    PLAYERS,
    PLIES,
    PROVES,
    REWARD,
    ROOT,
    STOP,
    Cells,
    back_up,
    expanded,
    marked,
    pay,
    promising,
    prove,
    share_of,
    value_in,
    visited,
)
from strategies.native.kernels.rollout import rollout
from strategies.native.memory.cells import claim

HAS_CHANCE = True


@kernel
def grow(
    game: Game[Any, Any], state: Any, simulations: int, seed: int, plies: int, guided: bool,
    rollouts: int, flat: bool, c: float, low: float, scale: float, least: float, most: float,
    control: Cells, table: Cells,
) -> int:  # fmt: skip
    """How many simulations this thread made, of so many that all threads of the tree make.

    A leaf is worth the mean of `rollouts` plays of at most so many `plies`, drawn from the game's
    `rollout_moves` if they are `guided`.  A value v counts (v - low) * scale; where it is `most`
    for Maxie, or `least` for Minnie, it cannot be surpassed.
    With `flat`, each branch of the root gets as many simulations, and the tree grows no deeper.
    """
    word = mix(U64(seed))
    made = due = 0
    while control[STOP] == 0 and table[KNOWN] == 0:
        if due == 0:
            due = share_of(table, simulations)
            if due == 0:
                break
        due -= 1
        made += 1
        here = state
        node = ROOT
        depth = 0
        while True:
            control[PATH + 2 * depth] = node
            visits = visited(control, table, node)
            if table[node + KNOWN] != 0:
                break
            links = table[node + LINKS]
            if links < BRANCHES:
                if links != 0 or (depth != 0 and (flat or visits == 0)) or depth == DEPTH:
                    break
                if game.status(here) != IN_PLAY or not claim(table, node + LINKS):
                    break
            mover = int(game.player(here))
            control[PATH + 2 * depth + 1] = mover
            if links == 0:
                count = 0
                if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
                    if mover == CHANCE:
                        for _ in game.outcomes(here):
                            count += 1
                if mover != CHANCE:
                    count = count_of(game, here)
                links = expanded(control, table, node, count)
                if links == 0:
                    break
            before = here
            branch = 0
            if HAS_CHANCE:  # noqa: SIM102
                if mover == CHANCE:
                    word = word + GOLDEN
                    left = float(mix(word) >> 11) / 9007199254740992.0
                    branch = -1
                    for probability, child in game.outcomes(before):
                        here = child
                        branch += 1
                        left -= probability
                        if left < 0:
                            break
            if mover != CHANCE:
                if flat:
                    branch = visits % (links % BRANCHES)
                else:
                    branch = promising(
                        control, table, links, visits + 1, mover, c, low, scale, least, most
                    )
                here = game.make_move(before, nth_of(game, before, branch))
            node = links // BRANCHES + NODE * branch
            depth += 1
        for player in range(PLAYERS):
            control[REWARD + player] = 0
        control[DEEPEST] = max(control[DEEPEST], depth)
        share = 1
        if table[node + KNOWN] != 0:
            pay(control, payoffs(value_in(table[node + KNOWN])), low, scale)
        elif game.status(here) != IN_PLAY:
            paid = payoffs(game.utility(here))
            pay(control, paid, low, scale)
            if control[PROVES] != 0:
                table[node + KNOWN] = marked(paid[0])
        else:
            share = rollouts
            for _ in range(rollouts):
                end, word, played = rollout(game, here, word, plies, guided)
                control[PLIES] = control[PLIES] + played
                if game.status(end) != IN_PLAY:
                    pay(control, payoffs(game.utility(end)), low, scale)
                else:
                    pay(control, payoffs(game.estimate(end)), low, scale)
        back_up(control, table, depth, share)
        prove(control, table, depth, least, most)
    return made
