"""Grows a tree by UCT: simulations that descend by UCB1 selection, and continue by random play.

Source: Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006).
"""

from __future__ import annotations

from typing import Any

from games.fields import prefetch
from games.game import CHANCE, Game
from games.u64 import U64
from strategies.native.hashing import GOLDEN, mix
from strategies.native.hooks import (
    count_of,
    memory_mark,
    memory_release,
    nth_of,
    outcome_of,
    payoffs,
    unit_of,
)
from strategies.native.kernels.control import (
    HAS_CHANCE,
    IN_PLAY,
    TUNED,
    is_one,
    kernel,
    part_of_sum,
    variant,
)
from strategies.native.kernels.mcts_selection import (
    KEY,
    PUCT,
    back_up_moves,
    guide,
    note_key,
    select_guided,
)
from strategies.native.kernels.mcts_tree import (
    AMAF,
    BRANCHES,
    DEEPEST,
    DEPTH,
    GAPS,
    GUIDES,
    KNOWN,
    LINKS,
    NODE,
    PATH,
    PLAYERS,
    PLIES,
    PROVES,
    REWARD,
    ROOT,
    SELECTS,
    SUM,
    WON,
    Cells,
    add_rewards,
    back_up,
    count_visit,
    expand,
    prove,
    proven_cell,
    proven_value,
    select_child,
    take_simulations,
)
from strategies.native.kernels.rollout import rollout
from strategies.native.memory.cells import claim, stopped


@kernel
def grow(
    game: Game[Any, Any], state: Any, simulations: int, seed: int, plies: int, guided: bool,
    rollouts: int, flat: bool, c: float, low: float, scale: float, least: float, most: float,
    fpu: float, rave: float, control: Cells, table: Cells,
) -> int:  # fmt: skip
    """Grow the tree; return the number of simulations that this thread made, of those that all
    make.

    A leaf is worth the mean of `rollouts` plays of at most `plies` plies, drawn from the game's
    `rollout_moves` if they are `guided`.  A value v counts (v - low) * scale; a value of `most` for
    Maxie, or `least` for Minnie, cannot be surpassed.  With `flat`, each branch of the root gets
    the same number of simulations, and the tree grows no deeper.  `fpu` and `rave` are those of
    `select_guided`.
    """
    word = mix(U64(seed))
    made = due = 0
    memory = memory_mark(game)
    # Step 1. Simulation by simulation, until the search is stopped or the root is proven.  Threads
    # take them in shares, so that none waits for a slow one.
    while not stopped(control) and table[KNOWN] == 0:
        if due == 0:
            due = take_simulations(table, simulations)
            if due == 0:
                break
        due -= 1
        made += 1
        memory_release(game, memory)
        # Step 2. Selection: down the tree from the root; `back_up` goes up the same path.
        here = state
        node = ROOT
        depth = 0
        while True:
            control[PATH + 2 * depth] = node
            # A visit is counted on the way down: until it is rewarded it counts as a loss (virtual
            # loss), so that other threads take other paths.
            visits = count_visit(control, table, node)
            if table[node + KNOWN] != 0:
                break
            # Step 3. Is it a leaf of the tree?  A node gets children at its second visit, from the
            # one thread that claims it; the others simulate from here.
            links = table[node + LINKS]
            if links < BRANCHES:
                if links != 0 or (depth != 0 and (flat or visits == 0)) or depth == DEPTH:
                    break
                if game.status(here) != IN_PLAY or not claim(table, node + LINKS):
                    break
            mover = int(game.player(here))
            control[PATH + 2 * depth + 1] = mover
            # Step 4. Expansion: all children at once, side by side, if there is room.
            if links == 0:
                count = 0
                if HAS_CHANCE:  # noqa: SIM102 - two tests, so that the compiler can drop the branch
                    if mover == CHANCE:
                        total = 0.0
                        for probability, _ in game.outcomes(here):
                            count += 1
                            total += part_of_sum(probability)
                        if not is_one(total):
                            raise ValueError("the probabilities of outcomes are wrong")
                if mover != CHANCE:
                    count = count_of(game, here)
                links = expand(control, table, node, count)
                if links == 0:
                    break
                if TUNED:  # noqa: SIM102 - two tests, as above
                    if control[GUIDES] != 0 and mover != CHANCE:
                        guide(game, here, mover, links, control, table)
            # Step 5. The branch to descend: an outcome by its probability, a move by UCB1 or PUCT,
            # or with `flat` in turn.
            before = here
            branch = -1
            if HAS_CHANCE:  # noqa: SIM102
                if mover == CHANCE:
                    word = word + GOLDEN
                    here, branch = outcome_of(game, before, unit_of(mix(word)))
            if mover != CHANCE:
                if flat:
                    branch = visits % (links % BRANCHES)
                if TUNED:  # noqa: SIM102
                    if control[SELECTS] != 0:
                        branch = select_guided(
                            control, table, links, visits + 1, mover, control[SELECTS] == PUCT, c,
                            low, scale, least, most, fpu, rave,
                        )  # fmt: skip
                if branch < 0:
                    branch = select_child(
                        control, table, links, visits + 1, mover, c, low, scale, least, most
                    )
                here = game.make_move(before, nth_of(game, before, branch))
            node = links // BRANCHES + NODE * branch
            if TUNED:  # noqa: SIM102
                if control[AMAF] != 0 and mover != CHANCE:
                    note_key(control, table[control[GUIDES] + node + KEY], made, depth)
            depth += 1
        # Step 6. Simulation: the rewards of the leaf, from its proven value, the end of the game,
        # or random plays.
        for player in range(PLAYERS):
            control[REWARD + player] = 0
        control[DEEPEST] = max(control[DEEPEST], depth)
        share = 1
        if table[node + KNOWN] != 0:
            add_rewards(control, table, (proven_value(table[node + KNOWN]),), low, scale)
        elif game.status(here) != IN_PLAY:
            paid = payoffs(game, game.utility(here))
            add_rewards(control, table, paid, low, scale)
            if control[PROVES] != 0:
                table[node + KNOWN] = proven_cell(paid[0])
        else:
            share = 0
            if control[WON] != control[SUM]:  # most results have gaps
                prefetch(table, control[GAPS] + node // NODE)
            for _ in range(rollouts):
                if share > 0 and stopped(control):
                    break
                share += 1
                noted = made if control[AMAF] != 0 else 0
                end, word, played = rollout(
                    game, here, word, plies, guided, False, noted, depth, control
                )
                control[PLIES] = control[PLIES] + played
                if game.status(end) != IN_PLAY:
                    add_rewards(control, table, payoffs(game, game.utility(end)), low, scale)
                else:
                    add_rewards(control, table, payoffs(game, game.estimate(end)), low, scale)
        # Step 7. Backpropagation of the rewards, and of the value if the leaf's is proven.
        back_up(control, table, depth, share)
        if TUNED:  # noqa: SIM102
            if control[AMAF] != 0:
                back_up_moves(control, table, depth, made)
        prove(control, table, depth, least, most)
    return made


grow_guided = variant(grow, "grow_guided", TUNED=True)
"""The same kernel for searches with options of selection."""
