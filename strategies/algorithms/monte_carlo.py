"""Monte Carlo tree search as a value: the number of simulations, and how each is made."""

from __future__ import annotations

from typing import Any, Final

from attrs import field, fields, frozen

from games import Game
from graphs.arguments import is_finite, shown
from strategies.algorithms.errors import AlgorithmError, flag, whole
from strategies.native.memory.transposition_table import parse_size, show_size

ROLLOUTS: Final = ("random", "policy", "estimate")
ALLOCATIONS: Final = ("ucb", "puct", "uniform")
LEAST_MEMORY: Final = 1 << 17


def _constant(_instance: object, attribute: Any, value: Any) -> None:
    if not is_finite(value) or not value >= 0:
        raise AlgorithmError(
            f"{attribute.name} must be a number of 0 or more, such as "
            f"{300 if attribute.name == 'rave' else 1.4}, not {shown(value)}"
        )


def _urgency(_instance: object, _attribute: object, value: Any) -> None:
    if value is not None and not is_finite(value):
        raise AlgorithmError(
            "fpu must be the value of a move without visits, a number such as 0.5, where a win "
            f"counts 1 and a loss -1; not {shown(value)}"
        )


def _rollout(_instance: object, _attribute: object, value: Any) -> None:
    plies = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not plies and value not in ROLLOUTS:
        raise AlgorithmError(
            "rollout must be 'random' (a random play to the end), 'policy' (a play by the game's "
            "rollout_moves), 'estimate' (the game's estimate) or the number of random plies before "
            f"the estimate, not {shown(value)}"
        )


def _allocation(_instance: object, _attribute: object, value: Any) -> None:
    if value not in ALLOCATIONS:
        raise AlgorithmError(f"allocate must be 'ucb', 'puct' or 'uniform', not {shown(value)}")


def _memory(value: Any) -> int:
    try:
        size = parse_size(value)
    except ValueError as error:
        raise AlgorithmError(f"memory: {error}") from None
    if size < LEAST_MEMORY:
        raise AlgorithmError(
            f"memory must be {show_size(LEAST_MEMORY)} or more, not {shown(value)}"
        )
    return size


@frozen(repr=False)
class MonteCarlo:
    """A Monte Carlo tree search; made by `mcts`."""

    simulations: int = field(default=10_000, validator=whole(1, 10**15))
    c: float = field(default=1.4, validator=_constant)
    seed: int = field(default=0, validator=whole(0, 2**63 - 1))
    rollout: str | int = field(default="random", validator=_rollout)
    allocate: str = field(default="ucb", validator=_allocation)
    rollouts: int = field(default=1, validator=whole(1, 10**6))
    trees: int = field(default=1, validator=whole(1, 10**4))
    threads: int = field(default=1, validator=whole(1, 256))
    memory: int = field(default=parse_size("256MB"), converter=_memory)
    fpu: float | None = field(default=None, validator=_urgency)
    rave: float = field(default=0, validator=_constant)
    reuse: bool = field(default=False, validator=flag)

    name = "mcts"

    def __attrs_post_init__(self) -> None:
        if self.allocate == "uniform" and self.guided:
            raise AlgorithmError(
                "uniform allocation plays all moves equally often: leave out fpu and rave"
            )
        if self.rave and self.rollouts > 1:
            raise AlgorithmError("rave learns from the moves of single plays: leave out rollouts")

    def __repr__(self) -> str:
        parts = [f"simulations={self.simulations}"]
        for f in fields(MonteCarlo)[1:]:
            value = getattr(self, f.name)
            if value != f.default:
                parts.append(
                    f"{f.name}={repr(show_size(value)) if f.name == 'memory' else repr(value)}"
                )
        return f"mcts({', '.join(parts)})"

    @property
    def depth(self) -> int:
        """Return the least depth searched: one ply."""
        return 1

    @property
    def guided(self) -> bool:
        """Return whether moves are selected by more than their results and visits."""
        return self.allocate == "puct" or self.fpu is not None or self.rave > 0

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if this algorithm would be wrong for `game`."""
        from strategies.native.hooks import defines
        from strategies.native.kernels.mcts_tree import PLAYERS

        if game.players > PLAYERS:
            raise AlgorithmError(f"mcts is for up to {PLAYERS} players, not {game.players}")
        if self.rollout == "policy" and not defines(game, "rollout_moves"):
            raise AlgorithmError(
                "rollout='policy' needs a rule rollout_moves(state), the moves that random plays "
                f"draw from, but {type(game).__qualname__} has none"
            )


def mcts(
    simulations: int = 10_000, c: float = 1.4, seed: int = 0, rollout: str | int = "random",
    allocate: str = "ucb", *, rollouts: int = 1, trees: int = 1, threads: int = 1,
    memory: int | str = "256MB", fpu: float | None = None, rave: float = 0, reuse: bool = False,
) -> MonteCarlo:  # fmt: skip
    """Search by simulations (UCT): each selects a path down the tree by UCB1, expands a position,
    plays a rollout from it, and backs up the reward.

    `c` is the exploration constant, for rewards of 1 for a win and -1 for a loss.
    `rollout` evaluates a new position: ``"random"``, by the end of a random play; ``"policy"``, by
    the end of a play drawn from the game's `rollout_moves`; ``"estimate"``, by the game's estimate;
    a number, by the estimate after so many random plies.
    `allocate` is ``"ucb"``; ``"puct"``, with priors of the game's rule `prior(state, move)`, or
    equal ones without that rule; or ``"uniform"``: the same number of plays for each move, and no
    tree.
    `rollouts` plays are made from each new position, one after the other.  `trees` trees grow from
    different seeds, each with its share of the simulations, and are added up (root parallelism; the
    strategy says which run at once).  `threads` threads grow each tree together (tree parallelism).
    `memory`, in bytes, bounds each tree; when it is full, simulations continue without new
    positions.
    `fpu` is the value of a move without visits (first-play urgency); None tries each move once
    under UCB1, and is 0 under PUCT.  `rave` is the number of visits at which the results of a move
    and those of the same move later in plays (rapid action value estimation) have equal weights, 0
    for none.  With `reuse`, a result keeps its trees, and the next search of an agent continues
    them.

    Ensures: with one thread, the same result for the same seed, on both engines, whatever the
    strategy and the scheduler.
    Raises: AlgorithmError, one line.
    Source: Kocsis and Szepesvári, Bandit based Monte-Carlo planning (2006); for the options,
    `native.kernels.mcts_selection`.

    >>> mcts()
    mcts(simulations=10000)
    >>> mcts(800, c=2, allocate="puct", fpu=-0.2)
    mcts(simulations=800, c=2, allocate='puct', fpu=-0.2)
    >>> mcts(500, allocate="uniform", memory="64MB")
    mcts(simulations=500, allocate='uniform', memory='64MB')
    """
    return MonteCarlo(
        simulations, c, seed, rollout, allocate, rollouts, trees, threads, memory, fpu, rave, reuse
    )


def unplanned() -> Exception:
    """Return the error for a plan, trace or simulation of a Monte Carlo search."""
    return AlgorithmError(
        "mcts plans no positions, so it has no trace, graph or simulation; see result.moves for "
        "the moves, result.draw() for when each task ran, and result.report() for both"
    )
