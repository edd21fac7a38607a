"""The named strategies, and the combinators that make strategies."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, get_args

from graphs.arguments import shown
from graphs.limits import NUMBER_LETTERS
from strategies.algebra.by_node import Budget, ByKind, ByType, Deal
from strategies.algebra.orders import ParBuffer, ParListChunk, Scout, Share, SplitAt
from strategies.algebra.strategy import EvalList, Strategy, StrategyError, checked, count, seq

eval_list = EvalList()
"""The branches in order, each searched by the inner strategy, in a step task of its own where the
inner strategy sparks.  The order of branches is that of ``seq``.  Sparks: only those of the inner
strategy."""

par_list = ParListChunk(1)
"""Every branch is a spark with the node's entry window; applied everywhere, it visits all nodes of
minimax.  Sparks: one per branch."""

scout = Scout()
"""Kuszmaul's Jamboree (1994): the first branch in full; then all others tested in parallel with a
null window; then those that failed high are searched for their value, in order.  At chance nodes,
it is `par_list`.  It differs from ``jamboree(p)``.  Sparks: one per branch after the first."""


LARGEST_EXPONENT: Final = 308
"""The largest exponent of a float."""
_EXPONENT: Final = re.compile(r"e[+-]?0*([0-9_]*)\s*$", re.IGNORECASE)


def exact(text: str) -> Fraction:
    """Return the exact number that a text writes: a decimal or a fraction.

    Raises: ValueError, one line, also if the exponent is too large.

    >>> exact("0.58"), exact("1/3")
    (Fraction(29, 50), Fraction(1, 3))
    >>> exact("1e-400")
    Traceback (most recent call last):
        ...
    ValueError: '1e-400' has an exponent beyond 308
    """
    if len(text) > NUMBER_LETTERS:
        raise ValueError(f"{text[:20]}… has more than {NUMBER_LETTERS} characters")
    power = _EXPONENT.search(text)
    digits = power[1].replace("_", "") if power else ""
    if len(digits) > 3 or int(digits or 0) > LARGEST_EXPONENT:
        raise ValueError(f"{shown(text)} has an exponent beyond {LARGEST_EXPONENT}")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{shown(text)} is not a number") from None


def share(p: float | str | Fraction) -> Share:
    """Return the share p of a node's branches: the first ``floor(p * n)`` of n.

    Requires: 0 <= p <= 1; p is taken exactly, as the decimal written.
    Raises: StrategyError.

    >>> split_at(share(0.58), eval_list, par_list)
    jamboree(0.58)
    """
    why = f"a share must be a number from 0 to 1, not {shown(p)}"
    if isinstance(p, bool):
        raise StrategyError(why)
    try:
        of = p if isinstance(p, Fraction) else exact(str(p))
    except ValueError as error:
        more = f": {error}" if "exponent" in str(error) else ""
        raise StrategyError(why + more) from None
    if not 0 <= of <= 1:
        raise StrategyError(why)
    return Share(of)


def par_list_chunk(size: int) -> Strategy:
    """Search chunks of `size` branches, a spark each; inside a chunk, windows narrow in order.

    Requires: size > 0.
    Ensures: ``par_list_chunk(1)(s)`` orders branches as ``par_list(s)``.
    Raises: StrategyError.
    Source: parListChunk of Control.Parallel.Strategies.

    >>> [g[:3] for g in par_list_chunk(2).unfold("max", 5).groups]
    [(0, 2, 0), (2, 4, 0), (4, 5, 0)]
    """
    return ParListChunk(count("par_list_chunk", size, 1))


def par_buffer(size: int) -> Strategy:
    """Search at most `size` branches at once: branch i starts when branches 0…i-size are known.

    Requires: size > 0.
    Ensures: ``par_buffer(1)(s)`` orders branches as ``eval_list(s)``; with `size` at least the
    number of branches, the order is that of ``par_list(s)``.
    Raises: StrategyError.
    Source: parBuffer of Control.Parallel.Strategies.

    >>> [g[:3] for g in par_buffer(2).unfold("max", 4).groups]
    [(0, 1, 0), (1, 2, 0), (2, 3, 1), (3, 4, 2)]
    """
    return ParBuffer(count("par_buffer", size, 1))


def split_at(at: int | Share | float, first: Strategy, rest: Strategy) -> Strategy:
    """Search the first `at` branches by `first` and, when all are known, the others by `rest`.

    Requires: `at` is a count (an int), or a share: ``share(p)``, or p as a float.
    Ensures: ``split_at(0, _, s)`` and, on n branches, ``split_at(n, s, _)`` order them as s does.
    Raises: StrategyError.
    Source: evalListSplitAt of Control.Parallel.Strategies.

    >>> split_at(1, eval_list, par_list), split_at(1.0, eval_list, par_list)
    (split_at(1, eval_list, par_list), jamboree(1))
    """
    if not isinstance(at, Share):
        at = share(at) if isinstance(at, (float, bool)) else count("split_at", at, 0)
    return SplitAt(at, checked(first), checked(rest))


def jamboree(p: float) -> Strategy:
    """Search the first ``floor(p * n)`` of n branches in order, then the others in parallel.

    Requires: 0 <= p <= 1, taken exactly, as the decimal written.
    Ensures: applied everywhere, p = 1 visits exactly the nodes of alpha-beta and p = 0 those of
    minimax; a smaller p visits all leaves that a larger p visits.
    Raises: StrategyError.

    >>> [g[:3] for g in jamboree(0.5).unfold("max", 5).groups]
    [(0, 2, 0), (2, 3, 2), (3, 4, 2), (4, 5, 2)]
    """
    return SplitAt(share(p), eval_list, par_list)


young_brothers_wait = split_at(1, eval_list, par_list.live())
"""The eldest branch first; then its younger brothers in parallel, each with the window known when
it starts.  Source: Feldmann, Mysliwietz and Monien (1990).  Sparks: one per branch after the
first."""


def by_kind(*, max: Strategy = seq, min: Strategy = seq, chance: Strategy = seq) -> Strategy:
    """Choose a strategy for each kind of node: max, min, chance (default: ``seq``).

    Raises: StrategyError; also when it is used on a plain list.

    >>> by_kind(chance=par_list).everywhere
    by_kind(chance=par_list).everywhere
    """
    return ByKind(checked(max), checked(min), checked(chance))


def by_type(*, pv: Strategy = seq, cut: Strategy = seq, all: Strategy = seq) -> Strategy:
    """Choose a strategy for each node type of the minimal tree (Knuth and Moore).

    The first branch of a PV node is PV, its others are cut-nodes; below a cut-node are all-nodes,
    below an all-node cut-nodes.  Like any strategy it covers one ply: write ``.to_ply(n)`` or
    ``.everywhere`` for more.

    Raises: StrategyError.

    >>> by_type(pv=split_at(1, eval_list, par_list), all=par_list).to_ply(3)
    critical.to_ply(3)
    """
    return ByType(checked(pv), checked(cut), checked(all))


root_split = par_list.to_ply(1)
"""A spark for each branch of the root; ``seq`` below."""

pv_split = by_type(pv=young_brothers_wait)
"""Principal variation splitting: along the leftmost path, the first branch, then the others in
parallel.  Write ``pv_split.everywhere`` for the whole path."""

critical = by_type(pv=split_at(1, eval_list, par_list), all=par_list)
"""The minimal tree in parallel: at a PV node, the first branch and then the others at once, which
its value cuts off; at an all-node, all branches at once; at a cut-node, one after the other.

Ensures: with perfect move ordering, applied everywhere, it visits exactly the nodes of alpha-beta.
Source: Knuth and Moore (1975); Akl, Barnard and Doran (1982)."""


def budget(threads: int, deal: str = "even", *, at_max: str | None = None) -> Strategy:
    """Search with at most `threads` tasks of a node at once, and distribute the threads to its
    branches, whose nodes do the same with theirs.

    `deal` says how many threads a branch gets: "even", an equal part, where the first branches get
    the remainder, so that no more than `threads` tasks of the whole search run at once; "rest",
    those that are left when each branch has one; "whole", all of them.
    With `at_max`, Maxie's nodes deal like that instead.
    Where the threads are used up, the inner strategy begins; with `to_ply` or `everywhere` that is
    another budget of `threads`, so that ``budget(2).to_ply(2)`` runs four tasks at once.

    Requires: threads > 0; with one thread, the result is the strategy that it is applied to.
    Raises: StrategyError.

    >>> budget(threads=5).unfold("max", 3).inner
    (budget(threads=2), budget(threads=2), seq)
    """
    for name, given in ("deal", deal), ("at_max", at_max):
        if given not in get_args(Deal) and (name, given) != ("at_max", None):
            known = ", ".join(get_args(Deal))
            raise StrategyError(f"{name} must be one of {known}, not {shown(given)}")
    dealt: Any = deal, None if at_max == deal else at_max
    return Budget(count("budget", threads, 1), *dealt)


NAMES: dict[str, Strategy | Callable[..., object]] = {
    "seq": seq,
    "eval_list": eval_list,
    "par_list": par_list,
    "par_list_chunk": par_list_chunk,
    "par_buffer": par_buffer,
    "split_at": split_at,
    "share": share,
    "jamboree": jamboree,
    "young_brothers_wait": young_brothers_wait,
    "scout": scout,
    "by_kind": by_kind,
    "by_type": by_type,
    "root_split": root_split,
    "pv_split": pv_split,
    "critical": critical,
    "budget": budget,
}
"""The names that the text of a strategy may use."""
FOR_VALUES: Final = (
    "r0", "rseq", "rdeepseq", "rpar", "rpar_with", "eval_list_n", "par_list_n", "eval_list_nth",
    "par_list_nth", "eval_buffer", "eval_tuple", "par_tuple", "eval_traversable",
    "par_traversable", "seq_list", "seq_list_n", "seq_list_nth", "seq_tuple", "seq_traversable",
)  # fmt: skip
"""The names of the strategies that only values have, which `values` defines."""
