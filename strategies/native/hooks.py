"""The optional hooks of a game, and what a search uses in the place of an absent one.

A game may define any of

- ``key(state)``: its identity as a 64-bit word, equal exactly where states are.  Without it, all
  fields that take part in ``==`` are hashed, which costs a little more.
- ``moves_in_play(state)``: the moves of a position that is known to be in play.  `moves` must test
  that first, although a search has tested it already: a sixth of the time in Connect Four.
- ``children(state)``: each move of a position in play, and the position that it leads to.  Work
  that moves share is done once: a quarter of the time in Connect Four, an eighth in 2048.
- ``count_moves(state)`` and ``nth_move(state, n)``: the number of moves of a position in play, and
  the n-th of them, from 0.  Random play draws one of many: a fifth of its time in Othello.
- ``rollout_moves(state)``: the moves that a random play draws from in a position in play, all
  equally likely; one that is yielded twice is twice as likely.  `mcts` with ``rollout="policy"``
  only.
- ``prior(state, move)``: how likely a move is to be the best one, as a weight: a number of 0 or
  more.  The weights of the moves of a position need not sum to 1.  `mcts` with
  ``allocate="puct"`` only.
- ``promise(child)``: how good a position looks for the player who just moved.  Branches are tried
  in order of promise; a good order halves the exponent of a search.
- ``learned_promise(child)``: takes the place of ``promise`` in proofs where the estimate of the
  game is learned; it may search some plies by the estimate.  `solve` only, and only with a
  ``promise``.
- ``bounds(state)``: (low, high), between which the value of a position in play lies, where a win
  in n plies counts `games.game.win_in(n)`.  Equal bounds say that the value is known.  `solve`
  only.
- ``candidates(state)``: enough of the moves for the value, best guess first; called where the
  bounds do not give the value.  `solve` only.
- ``candidate_bounds(state)``: as ``bounds``, where more is known of the position: one of the
  candidates led to it, so that it may also be finished, or its own bounds leave it open.  Needs the
  other two.  `solve` only.
- ``window_bounds(state, low, high)``: as ``bounds``, where these do not settle whether the value is
  at most ``low`` or at least ``high``.  The window says where an answer is worth its time; bounds
  that hold for one window hold for all.  `solve` only.
- ``near_end(state)``: whether so few plies are left that looking up a position in the table, and
  ordering its moves, take longer than they save: from there on the candidates are tried in their
  own order.  It is asked of finished positions, too.  `solve` only.

Each is resolved when a kernel is compiled: there `defines` is a constant, so that an absent hook
costs nothing.  What `compiler.hook_overloads` names has another form in machine code.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Final

from games.fields import record_fields
from games.game import WIN, Status, in_range, win_in
from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.native.hashing import GOLDEN, absorb, key_word, mix
from strategies.native.memory.floats import bits_of

IN_PLAY: Final = int(Status.IN_PLAY)
WON: Final = float(win_in(0))
NEXT: Final = float(win_in(1))
"""The values of a finished win, and of a win by the next move."""
BOUNDS: Final = "bounds", "candidate_bounds", "window_bounds"
"""The hooks that return two numbers, the low one first."""
MAGNITUDE: Final = (1 << 63) - 1
"""The bits of a float except its sign."""
NUMBERS: Final = 1024
"""The number of moves that the history heuristic of a search distinguishes."""


def unit_of(word: U64) -> float:
    """Map a random word to a number from 0 to below 1, by its highest 53 bits.

    >>> unit_of(U64(0)), unit_of(U64(1 << 63)), unit_of(U64((1 << 64) - 1)) < 1
    (0.0, 0.5, True)
    """
    return float(word >> 11) / 9007199254740992.0


def defines(game: Any, hook: str) -> bool:
    """Return whether a game has a hook; a hook set to None removes an inherited one.

    In compiled code it is a constant, for a hook that is written out.
    """
    return getattr(type(game), hook, None) is not None


def hash_of(game: Any, state: Any) -> U64:
    """Hash a position; equal states have equal hashes."""
    if defines(game, "key"):
        return mix(key_word(index(game.key(state))))
    return absorb(GOLDEN, state)


def has_hash(game: Any, state: Any) -> bool:
    """Return whether a position has a hash, by which a table would know it."""
    try:
        hash_of(game, state)
    except Exception:  # also one of the key: a search that uses it reports it
        return False
    return True


def promise_of(game: Any, child: Any) -> float:
    """Score a position for move ordering: how good it is for the player who just moved; 0 without a
    hook."""
    return float(game.promise(child)) if defines(game, "promise") else 0.0


def prior_of(game: Any, state: Any, move: Any) -> float:
    """Weigh a move: how likely it is to be the best one; 1 without the hook.

    Raises: ValueError if the weight is none.
    """
    weight = float(game.prior(state, move)) if defines(game, "prior") else 1.0
    if not 0.0 <= weight <= WIN:
        raise ValueError("a prior is negative, or not a number")
    return weight


def identity_of(game: Any, move: Any) -> U64:
    """Hash a move, so that equal moves of different positions are known as the same.

    Raises: ArgumentError if the move holds something that has no hash.
    """
    try:
        return absorb(GOLDEN, move)
    except ArgumentError:
        raise ArgumentError(
            f"rave knows a move by its hash, and {shown(move)} has none: let moves be numbers, "
            "texts, or tuples or records of these, or leave out rave"
        ) from None


def rank_of(game: Any, child: Any) -> int:
    """Rank a position by its promise: an int in the same order, never the least int."""
    return ordinal(game.promise(child)) if defines(game, "promise") else 0


def ordinal(number: float) -> int:
    """Return an int in the order of the numbers, never the least int."""
    bits = int(bits_of(float(number) + 0.0))
    return bits if bits <= MAGNITUDE else MAGNITUDE - bits


def proof_rank_of(game: Any, child: Any) -> int:
    """Rank a position in a proof: by its learned promise if there is one, else by its promise."""
    if defines(game, "learned_promise") and defines(game, "net_sum"):
        return ordinal(game.learned_promise(child))
    return rank_of(game, child)


def moves_of(game: Any, state: Any) -> Iterable[Any]:
    """Generate the moves of a position that is known to be in play."""
    found: Iterable[Any] = (
        game.moves_in_play(state) if defines(game, "moves_in_play") else game.moves(state)
    )
    return found


def branches_of(game: Any, state: Any) -> Iterable[Any]:
    """Generate the branches of a position known to be in play; `child_of` returns their
    positions."""
    found: Iterable[Any] = (
        game.children(state) if defines(game, "children") else moves_of(game, state)
    )
    return found


def kept(generated: Iterable[Any]) -> Iterable[Any]:
    """Generate the same; in compiled code, what the loop's body makes lasts longer than its step.

    The memory of what a body makes is given back at the next step of a loop over moves, branches
    or outcomes, if the state is of varying size.
    """
    return generated


def memory_mark(game: Any) -> int:
    """Return how much memory rules have taken; in compiled code only, for `memory_release`."""
    return 0


def memory_release(game: Any, mark: int) -> None:
    """Give back the memory that rules have taken since a mark."""


def memory_swap(game: Any) -> None:
    """Let rules take memory elsewhere, where caches are kept, or again where they did."""


def copies_states(game: Any) -> bool:
    """Return whether `copied_state` copies all that a position points to."""
    return False


def copied_state(game: Any, state: Any) -> Any:
    """Return a position whose memory is new."""
    return state


def cells_in(state: Any) -> int:
    """Return the number of cells in which `put_state` stores a position; interpreted, it is 1."""
    return 1


def in_arena(state: Any) -> bool:
    """Return whether a position points to memory of the rules, which must last as long as it."""
    return False


def put_state(table: Any, at: int, state: Any) -> None:
    """Store a position in a row of cells, from cell `at` on; interpreted, beside the row."""
    table.__dict__[at] = state


def taken_state(table: Any, at: int, like: Any) -> Any:
    """Return the position that `put_state` stored at a cell; `like` has its type."""
    return table.__dict__[at]


def child_of(game: Any, state: Any, branch: Any) -> Any:
    """Return the position that a branch leads to."""
    return branch[1] if defines(game, "children") else game.make_move(state, branch)


def window_of(game: Any, state: Any, alpha: float, beta: float) -> tuple[float, float]:
    """Return the same window; in compiled code as ints, if all values of the game are ints.

    An int is above `alpha` if it is above its floor, and below `beta` if it is below its ceiling.
    """
    return alpha, beta


def result_window_of(game: Any, state: Any, alpha: float, beta: float) -> tuple[float, float]:
    """Return a window of the results of games, as `window_of`: estimates may be fractions."""
    return alpha, beta


def as_kind_of(number: float, like: float) -> float:
    """Return a number as a float; in compiled code as an int if `like` is one, because it is whole
    then."""
    return float(0 + number)  # raises for a text


def count_of(game: Any, state: Any) -> int:
    """Count the moves of a position that is known to be in play."""
    if defines(game, "count_moves") and defines(game, "nth_move"):
        return int(game.count_moves(state))
    count = 0
    for _ in moves_of(game, state):
        count += 1
    return count


def nth_of(game: Any, state: Any, n: int) -> Any:
    """Return the n-th move of a position that is known to be in play, from 0."""
    if defines(game, "count_moves") and defines(game, "nth_move"):
        return game.nth_move(state, n)
    for move in moves_of(game, state):
        if n == 0:
            return move
        n -= 1
    raise ValueError("a position has fewer moves than were counted")


def outcome_of(game: Any, state: Any, left: float) -> tuple[Any, int]:
    """Draw an outcome of a position where chance moves, by a number from 0 to below 1; return the
    position after it, and its index."""
    found, index = state, -1
    for probability, child in kept(game.outcomes(state)):
        found = child
        index += 1
        left -= probability
        if left < 0.0:
            break
    return found, index


def begins_with(word: U64, opening: int) -> int:
    """Draw the number of random moves that a game begins with, from 0 to `opening`."""
    return int(((mix(word) >> 32) * (opening + 1)) >> 32)


def part_of(word: U64, count: int) -> int:
    """Draw a number from 0 to below `count`."""
    return int(((mix(word) >> 32) * count) >> 32)


def drawn_count_of(game: Any, state: Any, guided: bool) -> int:
    """Count the moves that a random play draws from: all, or those of the hook if `guided`."""
    if defines(game, "rollout_moves") and guided:
        count = 0
        for _ in game.rollout_moves(state):
            count += 1
        return count
    return count_of(game, state)


def drawn_of(game: Any, state: Any, n: int, guided: bool) -> Any:
    """Return the n-th move that a random play draws from, from 0."""
    if defines(game, "rollout_moves") and guided:
        for move in game.rollout_moves(state):
            if n == 0:
                return move
            n -= 1
        raise ValueError("a position has fewer moves than were counted")
    return nth_of(game, state, n)


def candidates_of(game: Any, state: Any) -> Iterable[Any]:
    """Generate moves that suffice for the value; all moves without the hook."""
    found: Iterable[Any] = (
        game.candidates(state) if defines(game, "candidates") else moves_of(game, state)
    )
    return found


def bounds_of(game: Any, state: Any, like: float) -> tuple[float, float]:
    """Bound the value of a position, in numbers like `like`; equal bounds are the value.

    The value of a finished position is known.  Without the hook, the best value in play is a win by
    the next move.
    """
    if game.status(state) != IN_PLAY:
        value = as_kind_of(game.utility(state), like)
        if value >= WIN or not value > -WIN:  # or it is not a number
            if not in_range(value):
                raise ValueError("a utility is out of range")
            value = as_kind_of(WON if value >= WIN else -WON, like)
        return value, value
    if defines(game, "bounds"):
        return inner(game.bounds(state), like)
    return inner((-NEXT, NEXT), like)


def inner(pair: tuple[float, float], like: float) -> tuple[float, float]:
    """Return two bounds as floats; in compiled code as the outermost numbers like `like` inside."""
    low, high = pair
    return float(low), float(high)


def near_end_of(game: Any, state: Any) -> bool:
    """Return whether a proof needs no table and no move ordering from a position on."""
    return bool(game.near_end(state)) if defines(game, "near_end") else False


def candidate_bounds_of(game: Any, state: Any, like: float) -> tuple[float, float]:
    """Bound the value of a position that `bounds_of` leaves open, or that a candidate of one led
    to."""
    if defines(game, "bounds") and defines(game, "candidates"):  # noqa: SIM102 - as in kernels
        if defines(game, "candidate_bounds"):
            return inner(game.candidate_bounds(state), like)
    return bounds_of(game, state, like)


def window_bounds_of(
    game: Any, state: Any, low: float, high: float, least: float, most: float
) -> tuple[float, float]:
    """Narrow the bounds `least` to `most` of a position in play by what the game knows for a
    window."""
    if not defines(game, "window_bounds"):
        return least, most
    pair = game.window_bounds(state, float(low), float(high))
    if not pair[0] <= pair[1]:
        raise ValueError("window_bounds must return two numbers, the low one first")
    lower, upper = inner(pair, low)
    return max(least, lower), min(most, upper)


def number_of(game: Any, move: Any, index: int) -> int:
    """Number a move for killers and the history: an int by itself, another move by its hash, and
    one that has none by its place."""
    if isinstance(move, int):
        return int(move) % NUMBERS
    try:
        return int(absorb(GOLDEN, move) % NUMBERS)
    except ArgumentError:
        return index % NUMBERS


def payoffs(game: Any, value: Any) -> tuple[float, ...]:
    """Return a utility or an estimate as one float for each player, or for Maxie alone.

    Raises: ValueError for a tuple of another length than the number of players; machine code is not
    compiled for one.
    """
    row = value if isinstance(value, tuple) else (value,)
    if len(row) != (game.players if game.players > 2 else 1):
        raise ValueError("not one number for each player")
    return tuple(float(0.0 + x) for x in row)


LONG_TUPLE: Final = 8
"""A tuple of more parts counts as two words of a state: compiled, it lies elsewhere."""


def words_in(value: Any) -> int:
    """Count the 64-bit words of a state, one for each number outside of long tuples."""
    if type(value) is tuple and len(value) > LONG_TUPLE:
        return 2
    if (fields := record_fields(value)) is not None:
        return sum(words_in(getattr(value, name)) for name, _ in fields)
    return sum(map(words_in, value)) if isinstance(value, tuple) else 1


def stack_array_length(words: int) -> int:
    """Return the number of branches that a node keeps at a time, so that its frame stays within
    some 5 KB."""
    return max(8, min(64, 512 // max(1, words)))


def stack_array_size(state: Any) -> int:
    """Return the number of branches that a node keeps at a time, for states like this one."""
    return stack_array_length(words_in(state))


def stack_array(state: Any, like: Any) -> Any:
    """Create an array of `stack_array_size(state)` values like `like` on the frame of the
    caller."""
    return [like] * stack_array_size(state)
