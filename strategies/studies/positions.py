"""Sets of positions: one position a line, with its solution and its name if they are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from games import WIN, Game
from games.position_text import read_position
from games.text_places import placed_turns
from graphs.arguments import path_of, row_of, shown
from graphs.errors import ArgumentError, JamboreeError
from strategies.algorithms.positions import is_terminal

BAR: Final = " | "
"""What is between the columns of a line."""
WINS: Final = {"maxie": float(WIN), "minnie": float(-WIN)}
"""The values of a column `value` that are words: who has a forced win, of any length."""
COLUMNS: Final = "name …, best … or value …"


class NotPositions(JamboreeError, ValueError):
    """The file is not a set of positions of the game."""


@frozen
class SetPosition:
    """A position of a set, and what is known of it.

    >>> from games import TicTacToe
    >>> one = SetPosition(TicTacToe().parse_state("1 4 2"), best=(2, 5))
    >>> one.solved_by(5, 0.0), one.solved_by(6, 0.0)
    (True, False)
    """

    state: Any
    best: tuple[Any, ...] = ()
    """The best moves, if they are known: any of them is a solution."""
    value: float | None = None
    """The exact value, if it is known; ±WIN for a forced win of any length."""
    name: str = ""

    @property
    def stated(self) -> bool:
        """Return whether a solution is known."""
        return bool(self.best) or self.value is not None

    def solved_by(self, move: Any, value: float) -> bool:
        """Return whether an answer has a best move, and the value, as far as they are known."""
        if not self.stated or (self.best and move not in self.best):
            return False
        if self.value is None or value == self.value:
            return True
        return abs(self.value) == WIN and value * self.value >= WIN * WIN


def read_positions(game: Game[Any, Any], path: str | Path) -> tuple[SetPosition, ...]:
    """Read a set of positions of a game from a text file.

    Each line has a position: a text that the game reads, or turns from the start.  Columns may
    follow, each after a bar between blanks: `best` and best moves with commas between, `value` and
    the exact value from Maxie's side (a number, or `Maxie` or `Minnie` for who has a forced win),
    `name` and a name.  Lines that are empty or begin with # are left out.

    Ensures: every position is in play, and best moves are legal.
    Raises: NotPositions, one line, with the file and the number of the line.

    >>> from tempfile import TemporaryDirectory
    >>> from games import TicTacToe
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "two.txt")
    ...     _ = file.write_text("# a fork\\n5 1 9\\n1 4 2 | best 3 | value Maxie | name row\\n")
    ...     [(p.name, len(p.best), p.value) for p in read_positions(TicTacToe(), file)]
    [('2', 0, None), ('row', 1, 1000000000000000.0)]
    """
    file = Path(path_of("positions", path))
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise NotPositions(f"{path}: it is not UTF-8 text") from None
    except OSError as error:
        raise NotPositions(f"{path}: {error.strerror}") from None
    found: list[SetPosition] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append(_read_line(game, line, str(number)))
        except (ValueError, NotImplementedError) as error:  # the latter if the game reads no text
            raise NotPositions(f"{path}, line {number}: {error}") from None
    if not found:
        raise NotPositions(f"{path}: no line has a position")
    return tuple(found)


def given_positions(game: Game[Any, Any], positions: Any) -> tuple[tuple[SetPosition, ...], str]:
    """Return the positions of a file, or of a row of states or `SetPosition`s; and their title.

    Raises: NotPositions for a file; ArgumentError for another argument.
    """
    if isinstance(positions, str | Path):
        found = read_positions(game, positions)
        return found, f"{_count(found)} of {Path(positions).name}"
    asked = row_of("positions", positions, "positions, or the name of a file of them")
    found = tuple(p if isinstance(p, SetPosition) else SetPosition(p) for p in asked)
    if not found:
        raise ArgumentError("positions is empty: give positions, or the name of a file of them")
    for position in found:
        _check_in_play(game, position.state)
    return found, _count(found)


def _count(found: Sequence[SetPosition]) -> str:
    return f"{len(found):,} positions" if len(found) > 1 else "1 position"


def _read_line(game: Game[Any, Any], line: str, number: str) -> SetPosition:
    text, *columns = line.strip().split(BAR)
    state = read_position(game, text.strip())
    _check_in_play(game, state)
    read: dict[str, Any] = {"name": number}
    for word, rest in _columns(columns):
        if word == "best":
            read["best"] = tuple(
                game.parse_move(state, move) for move, _ in placed_turns(rest, ",")
            )
        elif word == "value":
            read["value"] = _value(rest)
        else:
            read["name"] = rest
    return SetPosition(state, **read)


def _columns(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the first word of each column and the rest; raise ValueError for unknown ones."""
    seen = set[str]()
    for text in texts:
        word, _, rest = text.strip().partition(" ")
        if word not in ("best", "value", "name") or not rest.strip():
            raise ArgumentError(f"a column is {COLUMNS}, not {shown(text.strip())}")
        if word in seen:
            raise ArgumentError(f"the column {word} is there twice")
        seen.add(word)
        yield word, rest.strip()


def _value(text: str) -> float:
    if text.lower() in WINS:
        return WINS[text.lower()]
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise ArgumentError(f"a value is a number, Maxie or Minnie, not {shown(text)}")
    return value


def _check_in_play(game: Game[Any, Any], state: Any) -> None:
    if is_terminal(game, state):
        raise ArgumentError("the game is over in this position, so there is nothing to search")
