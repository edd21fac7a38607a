"""A game that knows an endgame table: searches read its values in place of searching."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, Final

import attrs
from attrs import field, frozen

from games.game import LONGEST, WIN, Game, Status, win_in
from games.marks import WEIGHT
from games.u64 import U64
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import DEEPEST
from strategies.native.hooks import GOLDEN, absorb, hash_of, mix
from strategies.native.kernels.position_graph import TOP

if TYPE_CHECKING:
    from strategies.searches.endgame import EndgameTable

SHIFT, BASE = range(2)
"""Places in `numbers`: by how many bits a hash is shifted to get its bucket; what a finished win
gains."""
EXACT: Final = 1e-12
"""The difference of bounds, in parts of a value, at which it counts as known."""


@frozen(eq=False, repr=False)
class Rows:
    """The hashes and values of an endgame table, as rows of numbers that rules read.

    The hashes are in order.  Those that begin with the same bits are in one bucket, of one or two
    hashes in the mean.
    """

    first: Any
    """The first row of each bucket, and the end of the last one."""
    words: Any
    values: Any
    numbers: Any
    digest: str = field()

    @digest.default
    def _digest(self) -> str:
        found = hashlib.sha256()
        for row in (self.words, self.values, self.numbers):
            found.update(row.tobytes())
        return found.hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<an endgame table of {len(self.words):,} positions, {self.digest[:8]}>"

    def __dask_tokenize__(self) -> str:
        return self.digest


def row_of(rows: Rows, word: U64) -> int:
    """Return the row of a hash, or -1."""
    bucket = int(word >> int(rows.numbers[SHIFT]))
    at = int(rows.first[bucket])
    end = int(rows.first[bucket + 1])
    while at < end:
        if U64(int(rows.words[at])) == word:
            return at
        at += 1
    return -1


def _by_fields(self: Any, state: Any) -> int:
    at = row_of(self.end_rows, absorb(GOLDEN, state))
    return -1 if at == self.end_root else at


def _by_key(self: Any, state: Any) -> int:
    at = row_of(self.end_rows, mix(U64(self.key(state))))
    return -1 if at == self.end_root else at


def _status(self: Any, state: Any) -> Status:
    found: Status = self.end_status(state)
    if found == Status.IN_PLAY and self.end_row(state) >= 0:
        return Status.OVER
    return found


def _moves(self: Any, state: Any) -> Iterator[Any]:
    if self.status(state) == Status.IN_PLAY:
        yield from self.end_moves(state)


def gaining(found: Any, base: Any) -> Any:
    """Return the result of a finished game, where a win gains `base`."""
    if found >= WIN:
        return found + base
    if found <= -WIN:
        return found - base
    return found


def _whole_utility(self: Any, state: Any) -> Any:
    if self.end_status(state) == Status.IN_PLAY:
        return int(self.end_rows.values[self.end_row(state)])
    return gaining(self.end_utility(state), int(self.end_rows.numbers[BASE]))


def _real_utility(self: Any, state: Any) -> float:
    if self.end_status(state) == Status.IN_PLAY:
        return float(self.end_rows.values[self.end_row(state)])
    found: float = gaining(float(self.end_utility(state)), float(self.end_rows.numbers[BASE]))
    return found


@lru_cache(64)
def _class_of(kind: type[Game[Any, Any]], whole: bool) -> Any:
    """Return the derived class of games whose status and utility read an endgame table."""
    made: Any = type(
        f"{kind.__name__}WithEndgame",
        (kind,),
        {
            "__module__": __name__,
            "__doc__": kind.__doc__,
            "__annotations__": {"end_rows": Rows, "end_root": int},
            "end_rows": field(kw_only=True),
            "end_root": field(kw_only=True, metadata={WEIGHT: True}),
            "end_row": _by_fields if getattr(kind, "key", None) is None else _by_key,
            "end_status": getattr_static(kind, "status"),
            "end_utility": getattr_static(kind, "utility"),
            "end_moves": getattr_static(kind, "moves"),
            "status": _status,
            "moves": _moves,
            "utility": _whole_utility if whole else _real_utility,
            "__repr__": lambda self: f"{plain(self)!r} with {self.end_rows!r}",
            "__reduce__": lambda self: (
                _with_rows,
                (plain(self), self.end_rows, self.end_root),
            ),
        },
    )
    return frozen(repr=False)(made)


def plain(game: Any) -> Any:
    """Return the game without its endgame table; any other game unchanged."""
    if not isinstance(getattr(game, "end_rows", None), Rows):
        return game
    kind: Any = type(game).__mro__[1]
    return kind(**{f.alias: getattr(game, f.name) for f in attrs.fields(kind) if f.init})


def base_of(game: Any) -> int:
    """Return what a finished win gains in a search of this game; 0 without an endgame table."""
    rows = getattr(game, "end_rows", None)
    return int(rows.numbers[BASE]) if isinstance(rows, Rows) else 0


def _with_rows(game: Any, rows: Rows, root: int) -> Any:
    kind: Any = type(game)
    given = {f.alias: getattr(game, f.name) for f in attrs.fields(kind) if f.init}
    whole = rows.values.dtype.kind == "i"
    return _class_of(kind, whole)(**given, end_rows=rows, end_root=root)


@lru_cache(8)
def _rows(table: EndgameTable, depth: int) -> Rows:
    """Return the positions of a table whose values are known, for searches to `depth` plies."""
    import numpy as np

    known = table.high - table.low <= EXACT * np.maximum(1.0, np.abs(table.low))
    words, values = table.words[known], ((table.low + table.high) / 2)[known]
    won = np.abs(values) >= WIN
    plies = np.minimum(TOP - np.abs(values[won]), LONGEST - depth)
    values[won] = np.sign(values[won]) * (win_in(depth) - plies)
    if np.all(values == np.rint(values)) and not table.has_chance:
        values = values.astype(np.int64)
    bits = max(1, len(words).bit_length() - 1)
    edges = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
    first = np.append(np.searchsorted(words, edges), len(words)).astype(np.int64)
    numbers = np.array([64 - bits, LONGEST - depth])
    return Rows(first, words.view(np.int64), values, numbers)


def with_endgame(
    game: Game[Any, Any], table: EndgameTable, state: Any = None, *, depth: int = DEEPEST
) -> Any:
    """Return the game in which the positions of an endgame table are leaves with their values.

    Every search of it reads the table, on both engines.  A search to `depth` plies counts a win in
    n plies from its root as `solve` does, `games.game.win_in(n)`.
    The position `state` is searched, although the table knows it, so that a move is found.

    Requires: a table of this game.  In a game with chance, utilities lie in its `value_range`.
    No search is deeper than `depth`.  No move leads from `state` to itself: that would count as its
    estimate.
    Ensures: only values that are known exactly are read.
    Raises: ValueError for a table of another game.
    Cost: a hash and one or two look-ups for each position.

    >>> from games import TicTacToe
    >>> from strategies import alphabeta, endgame_table, search
    >>> game = TicTacToe()
    >>> table = endgame_table(game, engine="interpreted")
    >>> state = game.parse_state("1 2 3")
    >>> found = search(with_endgame(game, table, state, depth=1), alphabeta(depth=1), state=state)
    >>> result = found.compute()
    >>> result.value == table.value(state), result.nodes
    (True, 7)
    """
    from strategies.searches.endgame import check_table

    game = plain(game)
    check_table(table)
    if table.game != game:
        raise ArgumentError(f"the endgame table is of {table.game!r}, not of {game!r}")
    if table.has_chance and (abs(table.low) >= WIN).any():
        raise ArgumentError(
            f"{type(game).__name__} has chance and wins of games.WIN, of which a search takes "
            "means: give it a value_range and utilities inside it, such as 1 and -1"
        )
    rows, root = _rows(table, depth), -1
    if state is not None:
        root = row_of(rows, hash_of(game, state)) if state in table else -1
    return _with_rows(game, rows, root)
