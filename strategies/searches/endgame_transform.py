"""A game in which the positions of an endgame table are over, with their values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar, Final

from attrs import field, frozen

from games.fields import WEIGHT
from games.game import WIN, WIN_PLIES, Game, IllegalMove, Status, has_chance, win_in
from games.transforms.transform import Transform
from games.u64 import U64
from graphs.arguments import shown
from graphs.errors import ArgumentError
from strategies.native.hashing import GOLDEN, absorb, key_word, mix
from strategies.native.kernels.position_graph import TOP

SHIFT, BASE = range(2)
"""Places in `numbers`: by how many bits a hash is shifted to get its bucket; what a finished win
gains."""


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

    @staticmethod
    def of(words: Any, values: Any, depth: int, whole: bool) -> Rows:
        """Return the rows of hashes in order and their values, for searches to `depth` plies.

        Without chance, where values are `whole`, a win in n plies, `TOP` less n, becomes
        `win_in(n)` less `depth`, because a search adds the plies that are left.
        """
        import numpy as np

        if whole:
            won = np.abs(values) >= WIN
            plies = np.minimum(TOP - np.abs(values[won]), WIN_PLIES - depth)
            values[won] = np.sign(values[won]) * (win_in(depth) - plies)
            if np.all(values == np.rint(values)):
                values = values.astype(np.int64)
        bits = max(1, len(words).bit_length() - 1)
        edges = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits)
        first = np.append(np.searchsorted(words, edges), len(words)).astype(np.int64)
        base = WIN_PLIES - depth if whole else 0
        return Rows(first, words.view(np.int64), values, np.array([64 - bits, base]))

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


@frozen(repr=False)
class WithEndgame(Transform[Any, Any]):
    """A game in which the positions of an endgame table are over; made by
    `strategies.searches.endgame.with_endgame`.

    The rules of the game itself call each other, so that moves lead where they always lead.
    """

    rows: Rows
    root: int = field(metadata={WEIGHT: True})
    """The row that is not read, or -1."""
    returns: ClassVar[bool] = False
    """Whether a branch leads from that position to itself."""

    value_range: tuple[float, float] | None = field(init=False, eq=False, repr=False)

    @value_range.default
    def _value_range(self) -> tuple[float, float] | None:
        known, base = self.game.value_range, int(self.rows.numbers[BASE])
        return None if known is None else (gaining(known[0], base), gaining(known[1], base))

    def __repr__(self) -> str:
        return f"{self.game!r} with {self.rows!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return with_rows, (self.game, self.rows, self.root, self.returns)

    def place(self, state: Any) -> int:
        """Return the row of a position, or -1."""
        return row_of(self.rows, absorb(GOLDEN, state))

    def row(self, state: Any) -> int:
        """Return the row of a position that is read, or -1."""
        at = self.place(state)
        return -1 if at == self.root else at

    def status(self, state: Any) -> Status:
        found = self.game.status(state)
        if found == Status.IN_PLAY and self.row(state) >= 0:
            return Status.OVER
        return found

    def moves(self, state: Any) -> Iterator[Any]:
        if self.status(state) == Status.IN_PLAY:
            yield from self.game.moves(state)

    def parse_move(self, state: Any, text: str) -> Any:
        if self.status(state) != Status.IN_PLAY:
            raise IllegalMove(f"{shown(text.strip())} is not a legal move; the game is over here")
        return self.game.parse_move(state, text)


def _place_by_key(self: Any, state: Any) -> int:
    return row_of(self.rows, mix(key_word(self.game.key(state))))


def gaining(found: Any, base: Any) -> Any:
    """Return the result of a finished game, where a win gains `base`."""
    if found >= WIN:
        return found + base
    if found <= -WIN:
        return found - base
    return found


def _whole_utility(self: Any, state: Any) -> Any:
    if self.game.status(state) == Status.IN_PLAY:
        return int(self.rows.values[self.row(state)])
    return gaining(self.game.utility(state), int(self.rows.numbers[BASE]))


def _real_utility(self: Any, state: Any) -> float:
    if self.game.status(state) == Status.IN_PLAY:
        return float(self.rows.values[self.row(state)])
    found: float = gaining(float(self.game.utility(state)), float(self.rows.numbers[BASE]))
    return found


def _whole_estimate(self: Any, state: Any) -> Any:
    at = self.place(state)
    return int(self.rows.values[at]) if at == self.root else self.game.estimate(state)


def _real_estimate(self: Any, state: Any) -> float:
    at = self.place(state)
    return float(self.rows.values[at] if at == self.root else self.game.estimate(state))


def _key(self: Any, state: Any) -> Any:
    return self.game.key(state)


def _promise(self: Any, child: Any) -> Any:
    return self.game.promise(child)


def _prior(self: Any, state: Any, move: Any) -> Any:
    return self.game.prior(state, move)


def _outcomes(self: Any, state: Any) -> Iterator[Any]:
    yield from self.game.outcomes(state)


def _moves_in_play(self: Any, state: Any) -> Iterator[Any]:
    yield from self.game.moves_in_play(state)


def _children(self: Any, state: Any) -> Iterator[Any]:
    yield from self.game.children(state)


def _rollout_moves(self: Any, state: Any) -> Iterator[Any]:
    yield from self.game.rollout_moves(state)


def _count_moves(self: Any, state: Any) -> int:
    found: int = self.game.count_moves(state)
    return found


def _nth_move(self: Any, state: Any, n: int) -> Any:
    return self.game.nth_move(state, n)


DELEGATED: Final = {
    "key": _key, "prior": _prior, "promise": _promise, "moves_in_play": _moves_in_play,
    "children": _children,
    "rollout_moves": _rollout_moves, "count_moves": _count_moves, "nth_move": _nth_move,
}  # fmt: skip
"""The hooks of the game that its searches call, too."""


@lru_cache(64)
def _class_of(kind: type[Game[Any, Any]], players: int, whole: bool, returns: bool) -> Any:
    """Return the class of the games of a kind that have a table, with the hooks of the kind."""
    rules: dict[str, Any] = {
        name: rule for name, rule in DELEGATED.items() if getattr(kind, name, None) is not None
    }
    if has_chance(kind):
        rules["outcomes"] = _outcomes
    if "key" in rules:
        rules["place"] = _place_by_key
    rules["utility"] = _whole_utility if whole else _real_utility
    if returns:
        rules["estimate"] = _whole_estimate if whole else _real_estimate
    about = {"__module__": __name__, "__doc__": WithEndgame.__doc__, "players": players}
    rules["returns"] = returns
    made: Any = type(f"{kind.__name__}WithEndgame", (WithEndgame,), {**about, **rules})
    return frozen(repr=False)(made)


def plain(game: Any) -> Any:
    """Return the game without its endgame table; any other game unchanged."""
    return game.game if isinstance(game, WithEndgame) else game


def base_of(game: Any) -> int:
    """Return what a finished win gains in a search of this game; 0 without an endgame table."""
    return int(game.rows.numbers[BASE]) if isinstance(game, WithEndgame) else 0


def with_rows(game: Any, rows: Rows, root: int, returns: bool) -> WithEndgame:
    """Return the game in which the positions of the rows are over, but that of the row `root`.

    If a branch leads from that position to itself, `returns`, its estimate is its exact value.
    """
    whole = rows.values.dtype.kind == "i"
    kind: Any = type(game)
    made: WithEndgame = _class_of(kind, game.players, whole, returns)(game, rows, root)
    return made


def check_plain(game: Any) -> None:
    """Check that a game to be solved has no endgame table: its values would count from there.

    Raises: ArgumentError.
    """
    if isinstance(game, WithEndgame):
        raise ArgumentError(
            f"solve {game.game!r} itself, not the game with its table: table.value(state) and "
            "table.moves(state) are what is known"
        )
