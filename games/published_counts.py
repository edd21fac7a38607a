"""Published counts of positions, as tables or by a second game; the first move that differs."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from attrs import evolve, field, frozen

from games.game import CHANCE, Game, Status
from games.position_text import read_position
from graphs.arguments import check_integers, excerpt, path_of, shown
from graphs.errors import ArgumentError, MalformedError
from graphs.limits import COUNT_PLIES

COLUMNS: Final = ("position", "depth", "count")
"""The columns that a table needs; `move` may be another."""
DIGITS: Final = 30
"""The most digits of a number in a table."""
Cells = tuple[str, int, int, str]
"""A line of a table: position, depth, count and first move."""


@frozen
class Published:
    """The published count of a position: how many positions there are after `depth` plies.

    An empty `position` is the start.  `moves` has the counts by the first move where they are
    published, too.
    """

    position: str
    depth: int
    count: int
    moves: tuple[tuple[str, int], ...] = ()
    place: str = field(default="", eq=False)
    """The file and the line, for messages."""

    def __str__(self) -> str:
        return f"{excerpt(self.position) or 'start'}, depth {self.depth}"


def published(counts: Any) -> tuple[Published, ...]:
    """Return published counts from a CSV file, by its path, or from rows.

    A row is (position, depth, count), or (position, depth, count, move), which counts the positions
    after one first move; an empty position is the start.  A file has these columns, in any order.

    Requires: no row occurs twice; the counts by first move, if there are any, are of all moves.
    Raises: `MalformedError`, one line with the file and the line, for a file that is no such table;
    `ArgumentError` for such rows; OSError for a file that cannot be read.

    >>> published([("", 1, 9), ("", 2, 72)])[1]
    Published(position='', depth=2, count=72, moves=(), place='row 2')
    """
    if isinstance(counts, str | Path):
        return _merged(_read(path_of("counts", counts)), MalformedError)
    if not isinstance(counts, Iterable) or isinstance(counts, bytes):
        raise ArgumentError(f"counts must be a CSV file or rows of counts, not {shown(counts)}")
    rows = list(counts)
    if rows and all(isinstance(row, Published) for row in rows):
        return tuple(rows)
    return _merged(_given(rows), ArgumentError)


def _given(rows: list[Any]) -> Iterator[tuple[str, Cells]]:
    """Yield the rows of a caller, each with its place."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, tuple | list) or len(row) not in (3, 4):
            raise ArgumentError(
                f"row {number} of counts must be (position, depth, count) or one with a move after "
                f"them, not {shown(row)}"
            )
        position, depth, count, move = (*row, "")[:4]
        if not isinstance(position, str) or not isinstance(move, str):
            raise ArgumentError(f"row {number} of counts: position and move must be texts")
        check_integers(0, COUNT_PLIES, depth=depth)
        check_integers(0, count=count)
        yield f"row {number}", (position.strip(), depth, count, move.strip())


def _read(path: Path) -> Iterator[tuple[str, Cells]]:
    """Yield the lines of a file, each with its place."""
    line = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            reader = csv.DictReader(text, strict=True)
            names = reader.fieldnames or ()
            if not {*COLUMNS} <= {*names} or len({*names}) < len(names):
                raise MalformedError(
                    f"{path} needs the columns position, depth and count, each once"
                )
            line = reader.line_num + 1
            for row in reader:
                place = f"{path}, line {reader.line_num}"
                if None in row or None in row.values():
                    raise MalformedError(f"{place}: there must be {len(names)} cells")
                depth, count = (_number(row[name], name, place) for name in ("depth", "count"))
                if depth > COUNT_PLIES:
                    raise MalformedError(f"{place}: depth must be {COUNT_PLIES} or less")
                yield place, (row["position"].strip(), depth, count, row.get("move", "").strip())
                line = reader.line_num + 1
    except UnicodeDecodeError:
        raise MalformedError(f"{path}, line {line} or later: it is not UTF-8 text") from None
    except csv.Error as error:
        raise MalformedError(f"{path}, line {line}: {error}") from None


def _number(text: str, name: str, place: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS):
        raise MalformedError(
            f"{place}: {name} must be a whole number, 0 or more, not {shown(text)}"
        )
    return int(digits)


def _merged(
    rows: Iterable[tuple[str, Cells]], error: type[MalformedError | ArgumentError]
) -> tuple[Published, ...]:
    """Gather the counts by first move with the count of all moves."""
    found: dict[tuple[str, int], Published] = {}
    totals: set[tuple[str, int]] = set()
    for place, (position, depth, count, move) in rows:
        at = position, depth
        row = found.setdefault(at, Published(position, depth, 0, (), place))
        if at in totals if not move else move in dict(row.moves):
            raise error(
                f"{place}: the count of {row}{move and f', move {shown(move)}'} is repeated"
            )
        if move:
            found[at] = evolve(row, moves=(*row.moves, (move, count)))
        else:
            totals.add(at)
            found[at] = evolve(row, count=count, place=place)
    for at, row in found.items():
        sum_of_moves = sum(count for _, count in row.moves)
        if at not in totals:
            found[at] = evolve(row, count=sum_of_moves)
        elif row.moves and sum_of_moves != row.count:
            raise error(
                f"{row.place}: the counts by first move of {row} add up to {sum_of_moves:,}, not "
                f"{row.count:,}"
            )
    return tuple(found.values())


def same_moves(moves: ByMove, row: Published) -> bool:
    """Return whether counts by the first move are those of a table."""
    return len(moves) == len(row.moves) and dict(moves) == dict(row.moves)


def placed(game: Game[Any, Any], row: Published) -> Any:
    """Return the position of a row.

    Raises: `ArgumentError`, with its place in the table, if the game cannot read it.
    """
    try:
        return read_position(game, row.position)
    except (ValueError, NotImplementedError) as error:  # the latter if it reads no text
        raise ArgumentError(f"{row.place}: {shown(row.position)}: {error}") from None


def of_table(rows: Iterable[tuple[Published, Any]]) -> Reference:
    """Return the counts by first move of the rows of a table, each with its position; a move may
    lead there, too."""
    found: dict[tuple[Any, int], ByMove] = {}
    for row, state in rows:
        if row.moves:
            with suppress(TypeError):  # a state without a hash, which another law reports
                found[state, row.depth] = row.moves

    def by_move(_: tuple[str, ...], state: Any, depth: int) -> ByMove | None:
        with suppress(TypeError):
            return found.get((state, depth))
        return None

    return by_move


def of_game(game: Game[Any, Any], position: str, divide: Divide) -> Reference:
    """Return the counts of a second game with the same texts of positions and moves."""

    def by_move(turns: tuple[str, ...], _: Any, depth: int) -> ByMove:
        here = read_position(game, position)
        for text in turns:
            here = dict(branches(game, here))[text]
        return divide(game, here, depth)

    return by_move


ByMove = Sequence[tuple[str, int]]
"""The positions after each first move, in the order of the moves."""
Divide = Callable[[Game[Any, Any], Any, int], ByMove]
"""A function of a game, a position and a depth that counts positions by the first move."""
Reference = Callable[[tuple[str, ...], Any, int], ByMove | None]
"""A function of some moves, the position to which they lead and a depth that returns the counts
which are held to be right; None if they are unknown."""


@frozen
class Difference:
    """The first move that differs: what leads to it, the plies left there, and what differs."""

    turns: tuple[str, ...]
    """The moves before it, and the move; without the latter if no move could be named."""
    depth: int
    """The plies of the counts in which it shows."""
    what: str

    def __str__(self) -> str:
        *before, move = self.turns or ("",)
        after = f"after {' '.join(before)}, " if before else ""
        return f"{after}{f'move {move} ' if move else ''}{self.what}"


def branches(game: Game[Any, Any], state: Any) -> list[tuple[str, Any]]:
    """Return the text of each move of a position, or # and the number of an outcome, and the next
    position."""
    if game.status(state) != Status.IN_PLAY:
        return []
    if game.player(state) == CHANCE:
        return [(f"#{n}", child) for n, (_, child) in enumerate(game.outcomes(state))]
    moves = [(game.move_text(state, move), move) for move in game.moves(state)]
    return [(text, game.make_move(state, move)) for text, move in moves]


def first_difference(
    game: Game[Any, Any], state: Any, depth: int, divide: Divide, reference: Reference
) -> Difference | None:
    """Find the first move that differs from a reference, as people do by hand with counts by move.

    A move that only one of the two has is told at once; else the first move with another count is
    made, and its replies are compared in the same way, one ply less deep.

    Ensures: None if the reference knows no counts by move of this position, or the same ones.
    Cost: counts of one position for each ply.
    Source: the command *divide* of chess programs.
    """
    turns: tuple[str, ...] = ()
    last: Difference | None = None
    while depth > 0:
        wanted = reference(turns, state, depth)
        if wanted is None:
            break
        found = divide(game, state, depth)
        known, own = dict(wanted), dict(found)
        if odd := _odd(found, known):
            return Difference((*turns, odd), depth, _superfluous(odd, known))
        if lacking := next((text for text, _ in wanted if text not in own), None):
            return Difference((*turns, lacking), depth, "is missing")
        text = next((text for text, count in found if known[text] != count), None)
        if text is None:
            break
        turns = (*turns, text)
        last = Difference(turns, depth, f"counts {own[text]:,} instead of {known[text]:,}")
        state = dict(branches(game, state))[text]
        depth -= 1
    return last


def _odd(found: ByMove, known: dict[str, int]) -> str | None:
    """Return the first move that the reference has not, or that is listed again."""
    seen: set[str] = set()
    for text, _ in found:
        if text not in known or text in seen:
            return text
        seen.add(text)
    return None


def _superfluous(text: str, known: dict[str, int]) -> str:
    return "is superfluous" if text not in known else "is listed twice"
