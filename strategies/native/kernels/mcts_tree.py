"""The tree of Monte Carlo search: nodes in one row of cells that threads may share.

A node is a number.  Two cells of the first region, from `SHAPE` on, say where its children are, and
its value if that is proven.  The children of a node lie side by side in the order of its moves, so
that no move is stored: a child's place is its branch.

Two more cells hold its visits and the sum of its rewards.  Each thread has a region of its own for
them, which only it writes, and a view, which only it reads: its own counts up to date, and those of
the others as they were some visits ago.  So no count is lost, and no thread waits for the cache
lines of another at each visit.  A visit is counted on the way down and rewarded on the way up; in
between it counts as a loss, so that threads take different paths.  A single thread has only a view.

One cell more gives the variance of its rewards: the sum of their gaps.  The gap of a reward r is
r * (SUM - r), what its square lacks of SUM times the reward.  So a win and a loss have none, and
most simulations leave the cell alone.  It is a float, which the products do not overflow.
Selection does not read it, so it lies in a region of its own, one for each thread.

Rewards are whole numbers, 0 for a loss and `ONE` for a win, so that their sums do not depend on the
order of addition.  A node's rewards are those of the player who moved into it.  If the range of
values is not known, a sample gives the unit, and the range widens with each reward outside it, so
that the balance of exploration and exploitation does not depend on the unit.

Source: Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search (2008), for the virtual
loss; Enzenberger and Müller, A lock-free multithreaded Monte-Carlo tree search algorithm (2009);
Winands, Björnsson and Saito, Monte-Carlo tree search solver (2008), and Cazenave and Saffidine,
Score bounded Monte-Carlo tree search (2010), for proven values; Schrittwieser et al., Mastering
Atari, Go, chess and shogi by planning with a learned model (2020), for the range of rewards seen.

A subtree is copied breadth-first (Cheney's algorithm): a copied node holds the links of its
original until its children are copied, so that the copy is its own queue, and no memory is needed
besides.
"""

from __future__ import annotations

import math
from typing import Any, Final

from games.game import CHANCE, MAXIE, WIN, Game
from games.u64 import U64
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import add_to
from strategies.native.memory.floats import INFINITY, bits_of, finite, float_of

Cells = Any

USED, TAKEN, LEAST, GREATEST = range(4)
"""The cells of the tree with the number of cells of each region in use, and of simulations taken;
and with the least and the greatest reward of Maxie, between which the mean rewards are scaled."""
SHAPE: Final = 8
"""The start of the first region: on a cache line of its own."""
NODE: Final = 2
"""The number of cells of a node in each region."""
LINKS, KNOWN = range(SHAPE, SHAPE + NODE)
VISITS, TOTAL = range(NODE)
"""The cells of a node: those of its shape, and those of its counts."""
ROOT: Final = 0
CHUNK: Final = 512
"""The number of cells that a thread takes at a time for new nodes."""
SHARE: Final = 16
"""The number of simulations that a thread takes at a time, so that none waits for a slow one."""
FRESH: Final = 32
"""The number of visits between two updates of a view."""
BRANCHES: Final = 1 << 16
"""The exclusive limit on the branches of a node."""
MARK: Final = U64(0x7FF800004A616D62)
"""A NaN that no rule returns: a proven value is stored as its bits, combined with this so that no
stored value is 0."""

ONE: Final = 1 << 24
"""The reward of a win, where there are wins and losses."""
SAMPLED: Final = ONE >> 6
"""The greatest reward of the sample, if the range of values is not known."""
FAR: Final = ONE << 12
"""The greatest reward."""

STOP, FULL, CAPACITY, NEXT, LIMIT, NODES, PROVES, WON, LOST, PLIES, DEEPEST = range(11)
"""The cells of `control`: the flag that ends the search; whether there was no room for a node; the
cells of a region, and the range that this thread may still use; the nodes it created; whether
values are proven; the rewards of a win and of a loss; the plies played; the depth of the tree."""
THREADS, COUNTS, MINE, VIEW, GAPS, SUM, ADAPTS, LOW, HIGH, OUTSIDE = range(11, 21)
SELECTS, GUIDES, AMAF, NOTES, REWARD = range(21, 26)
"""The number of threads; the starts of the regions of their counts, of this thread's, of its view,
and of its gaps, where a node has one cell; the sum of two opponents' rewards; whether the range
of rewards widens, the range that this thread has seen, and a value outside of all that the scale
can hold, which ended the search, as `proven_cell`; for `mcts_selection` the rule of
selection, if it is not plain UCB1, and the starts of the guides and of the counts as moves in the
tree, and of the notes in the control, 0 if there are none; the rewards of a simulation, a cell for
each of `PLAYERS`."""
PLAYERS: Final = 16
PATH: Final = REWARD + PLAYERS
"""From here on the nodes of a simulation, each with the player who moves there."""
DEPTH: Final = 500
"""The depth limit of the tree: simulations that reach it continue by random play."""
CONTROL: Final = PATH + 2 * (DEPTH + 1)


def take_simulations(table: Cells, simulations: int) -> int:
    """Take a share of the remaining simulations; return how many."""
    if table[TAKEN] >= simulations:
        return 0
    taken = int(add_to(table, TAKEN, SHARE))
    return max(0, min(SHARE, simulations - taken))


def count_visit(control: Cells, table: Cells, node: int) -> int:
    """Count a visit of a node; return the number of visits before."""
    at = control[VIEW] + node + VISITS
    visits = int(table[at])
    table[at] = visits + 1
    if control[THREADS] > 1:
        at = control[MINE] + node + VISITS
        table[at] = table[at] + 1
    return visits


def expand(control: Cells, table: Cells, node: int, count: int) -> int:
    """Expand a node; return the links to its new children, 0 if there is no room for them."""
    if count == 0:
        raise ValueError("a position in play has no branches")
    if control[NEXT] + NODE * count > control[LIMIT]:
        taken = max(CHUNK, NODE * count)
        if table[USED] + taken > control[CAPACITY] or count >= BRANCHES:
            control[FULL] = 1
            return 0
        control[NEXT] = add_to(table, USED, taken)
        control[LIMIT] = min(control[NEXT] + taken, control[CAPACITY])
        if control[NEXT] + NODE * count > control[LIMIT]:  # other threads were faster
            control[FULL] = 1
            return 0
    first = control[NEXT]
    control[NEXT] = first + NODE * count
    control[NODES] = control[NODES] + count
    links: int = first * BRANCHES + count
    table[node + LINKS] = links
    return links


def select_child(
    control: Cells, table: Cells, links: int, visits: int, mover: int,
    c: float, low: float, scale: float, least: float, most: float,
) -> int:  # fmt: skip
    """Select the branch with the greatest sum of mean reward and uncertainty (UCB1), the leftmost
    of several; unvisited branches come first, and branches that are proven lost are left out."""
    if control[THREADS] > 1 and visits % FRESH == 0:
        refresh_view(control, table, links)
    explore = c * c * math.log(visits)
    width = 1.0 / (table[GREATEST] - table[LEAST])
    best = -INFINITY
    chosen = 0
    child = links // BRANCHES
    for branch in range(links % BRANCHES):
        count = table[control[VIEW] + child + VISITS]
        if count == 0:
            return branch
        known = table[child + KNOWN]
        share = 1.0 / count
        mean = table[control[VIEW] + child + TOTAL] * share * width
        if known != 0:
            value = proven_value(known)
            worth = reward(control, value, low, scale)
            mean = (worth if mover == MAXIE else control[SUM] - worth) * width
            if value <= least if mover == MAXIE else value >= most:
                mean = -INFINITY
        promise = mean + math.sqrt(explore * share)
        if promise > best:
            best = promise
            chosen = branch
        child += NODE
    return chosen


def refresh_view(control: Cells, table: Cells, links: int) -> None:
    """Update this thread's view of some children."""
    first = links // BRANCHES
    for child in range(first, first + NODE * (links % BRANCHES), NODE):
        visits = 0
        total = 0
        for thread in range(control[THREADS]):
            at = control[COUNTS] + thread * control[CAPACITY] + child
            visits += table[at + VISITS]
            total += table[at + TOTAL]
        table[control[VIEW] + child + VISITS] = visits
        table[control[VIEW] + child + TOTAL] = total


def reward(control: Cells, value: float, low: float, scale: float) -> int:
    """Scale a value of the game to Maxie's reward, a whole number.

    Raises: as `finite`.
    """
    finite(value)
    if value >= WIN:
        return int(control[WON])
    if value <= -WIN:
        return int(control[LOST])
    scaled = (value - low) * scale
    if scaled >= control[WON]:
        return int(control[WON]) - 1
    if scaled <= control[LOST]:
        return int(control[LOST]) + 1
    return math.floor(scaled + 0.5)


def widen(control: Cells, table: Cells, value: float, worth: int) -> None:
    """Widen the range of rewards to one that has been seen; end the search at a value that the
    scale cannot hold, such as a win where there seemed to be none.

    Each thread also writes the range that it has seen itself, so that what another one overwrites
    at the same moment is not lost for good.
    """
    if control[ADAPTS] != 0:
        if abs(value) >= WIN or worth <= control[LOST] + 1 or worth >= control[WON] - 1:
            control[OUTSIDE] = proven_cell(value)
            control[STOP] = 1
            return
        control[LOW] = min(control[LOW], worth)
        control[HIGH] = max(control[HIGH], worth)
        if control[LOW] < table[LEAST]:
            table[LEAST] = control[LOW]
        if control[HIGH] > table[GREATEST]:
            table[GREATEST] = control[HIGH]


def add_rewards(
    control: Cells, table: Cells, values: tuple[float, ...], low: float, scale: float
) -> None:
    """Add the rewards of a play to each player; with two players, one has what the other lacks."""
    if len(values) == 1:
        worth = reward(control, values[0], low, scale)
        widen(control, table, values[0], worth)
        control[REWARD] = control[REWARD] + worth
        control[REWARD + 1] = control[REWARD + 1] + control[SUM] - worth
    else:
        for player, value in enumerate(values):
            worth = reward(control, value, low, scale)
            widen(control, table, value, worth)
            control[REWARD + player] = control[REWARD + player] + worth


def back_up(control: Cells, table: Cells, depth: int, share: int) -> None:
    """Back up the rewards of a simulation, to each node for the player who moved into it.

    The rewards are sums of `share` plays.  Ensures: they are means.
    """
    if share > 1:
        for player in range(PLAYERS):
            control[REWARD + player] = control[REWARD + player] // share
    for level in range(depth, -1, -1):
        mover = control[PATH + 2 * level - 1] if level > 0 else 0
        worth = control[REWARD + max(mover, 0)]
        at = control[PATH + 2 * level] + TOTAL
        table[control[VIEW] + at] = table[control[VIEW] + at] + worth
        if control[THREADS] > 1:
            table[control[MINE] + at] = table[control[MINE] + at] + worth
    first = control[REWARD]
    if control[PROVES] == 0 or (first != 0 and first != control[SUM]):
        back_up_gaps(control, table, depth)


def back_up_gaps(control: Cells, table: Cells, depth: int) -> None:
    """Back up the gaps of the rewards of a simulation, to each node but the root."""
    for level in range(depth, 0, -1):
        worth = control[REWARD + max(control[PATH + 2 * level - 1], 0)]
        gap = float(worth) * float(control[SUM] - worth)
        at = control[GAPS] + control[PATH + 2 * level] // NODE
        table[at] = int(bits_of(float_of(U64(table[at])) + gap))


def prove(control: Cells, table: Cells, depth: int, least: float, most: float) -> None:
    """Prove the values that follow from that of the last node of a simulation, if it is proven."""
    # A chance node is proven if all its outcomes are, with the same value; a player's node if all
    # its branches are, or one has the best value that the player can have.
    for level in range(depth, 0, -1):
        if table[control[PATH + 2 * level] + KNOWN] == 0:
            return
        parent = control[PATH + 2 * level - 2]
        mover = control[PATH + 2 * level - 1]
        child = table[parent + LINKS] // BRANCHES
        count = table[parent + LINKS] % BRANCHES
        known = 0
        best = 0.0
        for _ in range(count):
            bits = table[child + KNOWN]
            if bits != 0:
                value = proven_value(bits)
                if mover == CHANCE:
                    known += 1 if known == 0 or value == best else 0
                    best = value if known == 1 else best
                else:
                    known += 1
                    if known == 1 or (value > best if mover == MAXIE else value < best):
                        best = value
            child += NODE
        surpassed = best < most if mover == MAXIE else best > least
        if known < count and (known == 0 or mover == CHANCE or surpassed):
            return
        table[parent + KNOWN] = proven_cell(best)


def proven_cell(value: float) -> int:
    """Encode a proven value as a cell, which is not 0."""
    return int(bits_of(value) ^ MARK)


def proven_value(cell: int) -> float:
    """Decode the proven value in a cell."""
    return float_of(U64(cell) ^ MARK)


@kernel
def copy_subtree(
    game: Game[Any, Any], state: Any, root: int, held: int, threads: int, extra: int, stride: int,
    capacity: int, source: Cells, table: Cells,
) -> int:  # fmt: skip
    """Copy the tree below node `root` of the source; return the number of nodes.

    Both have regions for their shape, for the counts of `held` and of `threads` threads, `extra`
    ones, and at the end those for the gaps of each thread, half as large.  Those of the source
    have `stride` cells, those of the table `capacity`.

    Requires: the table is empty.
    Ensures: each node has the visits, rewards and gaps of its original, as counts of the first
    thread, and the former in each view.  A node whose children do not fit has none.
    """
    table[LEAST] = source[LEAST]
    table[GREATEST] = source[GREATEST]
    for cell in range(NODE):
        copy_cell(root + cell, cell, held, threads, extra, stride, capacity, source, table)
    free = int(table[USED])
    node = 0
    nodes = 1
    while node < free:
        links = int(table[LINKS + node])
        count = links % BRANCHES if links >= BRANCHES else 0
        table[LINKS + node] = 0
        if count > 0 and free + NODE * count <= capacity:
            table[LINKS + node] = free * BRANCHES + count
            first = links // BRANCHES
            for cell in range(NODE * count):
                copy_cell(
                    first + cell, free + cell, held, threads, extra, stride, capacity, source, table
                )
            free += NODE * count
            nodes += count
        node = node + NODE if node > 0 else int(table[USED])
    table[USED] = (free + 7) // 8 * 8
    return nodes


def copy_cell(
    start: int, to: int, held: int, threads: int, extra: int, stride: int, capacity: int,
    source: Cells, table: Cells,
) -> None:  # fmt: skip
    """Copy one cell of a node in each region."""
    table[SHAPE + to] = source[SHAPE + start]
    total = 0
    for thread in range(held):
        total += source[SHAPE + (1 + thread) * stride + start]
    table[SHAPE + capacity + to] = total
    views = threads if threads > 1 else 0
    for view in range(views):
        table[SHAPE + (1 + threads + view) * capacity + to] = total
    for region in range(extra):
        at = SHAPE + (1 + threads + views + region) * capacity + to
        table[at] = source[SHAPE + (1 + held + region) * stride + start]
    if start % NODE == 0:
        gaps = 0.0
        first = SHAPE + (1 + held + extra) * stride
        for thread in range(held):
            gaps += float_of(U64(source[first + (thread * stride + start) // NODE]))
        at = SHAPE + (1 + threads + views + extra) * capacity + to // NODE
        table[at] = int(bits_of(gaps))
