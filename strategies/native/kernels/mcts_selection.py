"""The options of selection in Monte Carlo search: PUCT, first-play urgency and RAVE.

A node has up to four more cells: its guide, which is written once, when the node is made, and its
counts as a move.  The guide holds the prior of the move that leads to the node, and its key.  A key
stands for a move and the player who makes it, the same wherever that player has that move.  The
counts as a move (all moves as first, AMAF) are the visits and rewards of all simulations that went
through the node's parent in which the same player made the same move at any later ply.

The moves of a simulation are noted in a hash table with open addressing, which no simulation fills.
Each entry has the number of its simulation, so that the table is never cleared.

Source: Rosin, Multi-armed bandits with episode context (2011), and Silver et al., Mastering the
game of Go without human knowledge (2017), for PUCT; Gelly and Wang, Exploration exploitation in Go:
UCT for Monte-Carlo Go (2006), for first-play urgency; Gelly and Silver, Monte-Carlo tree search and
rapid action value estimation in computer Go (2011), for RAVE.
"""

from __future__ import annotations

import math
from typing import Any, Final

from games.game import CHANCE, MAXIE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import identity_of, moves_of, prior_of
from strategies.native.kernels.mcts_tree import (
    AMAF,
    BRANCHES,
    FRESH,
    GREATEST,
    GUIDES,
    KNOWN,
    LEAST,
    LINKS,
    NODE,
    NOTES,
    PATH,
    PROVES,
    REWARD,
    SUM,
    THREADS,
    TOTAL,
    VIEW,
    VISITS,
    Cells,
    proven_value,
    refresh_view,
    reward,
)
from strategies.native.memory.cells import add_to
from strategies.native.memory.floats import INFINITY, bits_of, float_of

UCB, PUCT = 1, 2
"""The rules of selection in the cell `SELECTS`; with 0 the plain UCB1 of `select_child` is used."""
PRIOR, KEY = range(NODE)
"""The cells of a guide."""
ENTRIES: Final = 1 << 14
"""The number of entries of the notes: more than a simulation has plies.  An entry is two cells."""
PLIES_BITS: Final = 20
"""An entry has the ply in its low bits, and above it the number of the simulation."""
SIMULATIONS: Final = 1 << 40
"""The number of simulations that entries tell apart."""


def key_of(game: Game[Any, Any], move: Any, player: int) -> int:
    """Return the key of a move and the player who makes it: a number above 0."""
    return int(mix(identity_of(game, move) + GOLDEN * U64(player + 2)) >> 2) + 1


def guide(
    game: Game[Any, Any], state: Any, mover: int, links: int, control: Cells, table: Cells
) -> None:
    """Write the guides of new children.

    With several threads, others may see a child before its guide, as a move of no weight.
    """
    first = control[GUIDES] + links // BRANCHES
    count = links % BRANCHES
    at = first
    total = 0.0
    for move in moves_of(game, state):
        if at < first + NODE * count:
            weight = prior_of(game, state, move)
            total += weight
            table[at + PRIOR] = int(bits_of(weight))
            if control[AMAF] != 0:
                table[at + KEY] = key_of(game, move, mover)
        at += NODE
    for at in range(first, first + NODE * count, NODE):
        share = float_of(U64(table[at + PRIOR])) / total if total > 0.0 else 1.0 / count
        table[at + PRIOR] = int(bits_of(share))


def select_guided(
    control: Cells, table: Cells, links: int, visits: int, mover: int, puct: bool, c: float,
    low: float, scale: float, least: float, most: float, fpu: float, rave: float,
) -> int:  # fmt: skip
    """Select the branch with the greatest sum of mean reward and uncertainty, the leftmost of
    several; branches that are proven lost are left out.

    The uncertainty is that of UCB1, or with `puct` in proportion to the prior.  The value of an
    unvisited branch is `fpu`.  With `rave`, means are mixed with those of AMAF, which have the
    weight sqrt(rave / (3 * visits + rave)).
    """
    if control[THREADS] > 1 and visits % FRESH == 0:
        refresh_view(control, table, links)
    width = 1.0 / (table[GREATEST] - table[LEAST])
    mirrored = mover != MAXIE and control[PROVES] != 0
    base = (control[SUM] - table[GREATEST] if mirrored else table[LEAST]) * width
    explore = c * math.sqrt(visits) if puct else c * c * math.log(visits)
    weight = math.sqrt(rave / (3.0 * visits + rave)) if rave > 0.0 else 0.0
    best = -INFINITY
    chosen = 0
    child = links // BRANCHES
    for branch in range(links % BRANCHES):
        count = table[control[VIEW] + child + VISITS]
        known = table[child + KNOWN]
        mean = fpu + base
        met = 0
        if count > 0:
            mean = table[control[VIEW] + child + TOTAL] * (1.0 / count) * width
        if rave > 0.0:
            met = table[control[AMAF] + child + VISITS]
            if met > 0:
                as_move = table[control[AMAF] + child + TOTAL] * (1.0 / met) * width
                mean = as_move if count == 0 else weight * as_move + (1.0 - weight) * mean
        if known != 0:
            value = proven_value(known)
            worth = reward(control, value, low, scale)
            mean = (worth if mover == MAXIE else control[SUM] - worth) * width
            if value <= least if mover == MAXIE else value >= most:
                mean = -INFINITY
        promise = mean
        if puct:
            prior = 1.0 / (links % BRANCHES)
            if control[GUIDES] != 0:
                prior = float_of(U64(table[control[GUIDES] + child + PRIOR]))
            promise += explore * prior / (1.0 + count)
        elif count > 0:
            promise += math.sqrt(explore * (1.0 / count))
        elif met > 0:
            promise += math.sqrt(explore)
        if promise > best:
            best = promise
            chosen = branch
        child += NODE
    return chosen


def note_key(control: Cells, key: int, simulation: int, ply: int) -> None:
    """Note that a move was made at a ply of a simulation; its last ply counts."""
    stamp = simulation % SIMULATIONS
    entry = key % ENTRIES
    while True:
        at = control[NOTES] + 2 * entry
        if control[at + 1] >> PLIES_BITS != stamp or control[at] == key:
            control[at] = key
            control[at + 1] = (stamp << PLIES_BITS) + ply
            return
        entry = (entry + 1) % ENTRIES


def ply_of(control: Cells, key: int, simulation: int) -> int:
    """Return the last ply of a simulation at which a move was made; -1 if it was not."""
    stamp = simulation % SIMULATIONS
    entry = key % ENTRIES
    while True:
        at = control[NOTES] + 2 * entry
        if control[at + 1] >> PLIES_BITS != stamp:
            return -1
        if control[at] == key:
            return int(control[at + 1] % (1 << PLIES_BITS))
        entry = (entry + 1) % ENTRIES


def back_up_moves(control: Cells, table: Cells, depth: int, simulation: int) -> None:
    """Back up the rewards of a simulation to all moves that it could have made earlier."""
    for level in range(depth):
        node = control[PATH + 2 * level]
        mover = control[PATH + 2 * level + 1]
        if mover != CHANCE:
            worth = control[REWARD + mover]
            links = table[node + LINKS]
            child = links // BRANCHES
            for _ in range(links % BRANCHES):
                key = table[control[GUIDES] + child + KEY]
                if ply_of(control, key, simulation) >= level:
                    at = control[AMAF] + child
                    if control[THREADS] > 1:
                        add_to(table, at + VISITS, 1)
                        add_to(table, at + TOTAL, worth)
                    else:
                        table[at + VISITS] = table[at + VISITS] + 1
                        table[at + TOTAL] = table[at + TOTAL] + worth
                child += NODE
