"""The law of published counts: the rules give as many positions as others have counted."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, cached_property, partial
from importlib.metadata import entry_points
from math import inf
from time import perf_counter
from typing import Any, Final, Protocol

from attrs import evolve, field, frozen

from games.failed import RuleFailed
from games.game import Game, Status, check_game
from games.laws.examine import Verdict
from games.published_counts import (
    ByMove,
    Published,
    branches,
    first_difference,
    of_game,
    of_table,
    placed,
    published,
    same_moves,
)
from graphs.arguments import check_flags, check_integers, check_positive
from graphs.errors import ArgumentError
from graphs.limits import CHECKED_COUNT

GROUP: Final = "jamboree.counts"
"""The group of entry points by which an installed package counts positions, in machine code."""
NAME: Final = "counts_are_the_published"
SENTENCE: Final = "There are as many positions after so many plies as others have counted."
SECONDS: Final = 10.0
"""The default time for all counts."""
AnyGame = Game[Any, Any]


class Counter(Protocol):
    """A function that counts positions by the first move."""

    def __call__(
        self, game: AnyGame, state: Any, depth: int, *, ended: bool, seconds: float
    ) -> ByMove:
        """Count the positions after `depth` plies; `ended` games count as well.

        Raises: TimeoutError after so many seconds; `RuleFailed` where a rule fails.
        """


@frozen(slots=False)
class PublishedCounts:
    """Published counts, and how they are compared.

    `rows` are a CSV file or rows, as in `games.published_counts.published`.  Counts above `most`
    are not checked, nor those for which the `seconds` do not suffice; the smallest come first.
    Games that have `ended` before count, too, as in published counts of Othello.  The counts by
    first move are those of a `reference`, a second game with the same texts of moves, or of the
    table.

    Raises: as `published`.

    >>> PublishedCounts([("", 1, 9), ("", 2, 72)]).rows[0].count
    9
    """

    rows: tuple[Published, ...] = field(converter=published)
    reference: AnyGame | None = None
    ended: bool = False
    seconds: float = SECONDS
    most: int = CHECKED_COUNT

    def __attrs_post_init__(self) -> None:
        if self.reference is not None:
            check_game(self.reference)
        check_flags(ended=self.ended)
        check_positive(seconds=self.seconds)
        check_integers(0, most=self.most)


def counts_of(game: AnyGame, counts: Any) -> CountsOfGame:
    """Return the law of published counts for a game; a file or rows have the usual limits."""
    asked = counts if isinstance(counts, PublishedCounts) else PublishedCounts(counts)
    return CountsOfGame(check_game(game), asked)


@frozen(slots=False)
class CountsOfGame:
    """The law of published counts for one game."""

    game: AnyGame
    counts: PublishedCounts

    @cached_property
    def _placed(self) -> tuple[list[tuple[Published, Any]], list[tuple[Published, str]]]:
        """Return the rows with their positions, the smallest counts first, and those without one,
        each with the reason."""
        read, unread = [], []
        for row in sorted(self.counts.rows, key=lambda row: row.count):
            try:
                read.append((row, placed(self.game, row)))
            except ArgumentError as error:
                unread.append((row, str(error)))
        return read, unread

    def verdict(self, hung: str = "") -> Verdict:
        """Return the verdict on the law; not met if a rule `hung`, as the law of this name says."""
        if hung:
            why = f"a rule does not return, see {hung}"
            return Verdict(NAME, SENTENCE, "not met", why)
        began = perf_counter()
        with suppress(RuleFailed):  # a row that meets it reports it
            counter()(self.game, self.game.start(), 1, ended=False, seconds=inf)  # compiles
        return evolve(self._verdict(), seconds=round(perf_counter() - began, 3))

    def _verdict(self) -> Verdict:
        end, late = perf_counter() + self.counts.seconds, False
        checked, left = 0, []
        read, unread = self._placed
        for row, state in read:
            if late or row.count > self.counts.most:
                left.append(row)
                continue
            try:
                broken = self._tested(row, state, end)
            except TimeoutError:
                late = True
                left.append(row)
                continue
            if broken:
                return broken
            checked += 1
        for row, why in unread:  # last, since a move that is missing may be one that leads there
            return self._broken(row, (), f"no such position: {why}")
        return self._kept(checked, left, late)

    def _tested(self, row: Published, state: Any, end: float) -> Verdict | None:
        """Return the verdict on a count that differs; None if it is right."""
        try:
            moves = self._divide(end, self.game, state, row.depth)
            found = self._total(state, row.depth, moves)
            if found == row.count and (not row.moves or same_moves(moves, row)):
                return None
            return self._differs(row, state, found, end)
        except RuleFailed as error:
            return self._broken(row, error.moves, f"an error: {error}")
        except TimeoutError:
            raise
        except Exception as error:  # of a rule that the count calls in Python
            return self._broken(row, (), f"an error: {type(error).__name__}: {error}")

    def _divide(self, end: float, game: AnyGame, state: Any, depth: int) -> ByMove:
        seconds = end - perf_counter()
        if seconds <= 0:
            raise TimeoutError
        return counter()(game, state, depth, ended=self.counts.ended, seconds=seconds)

    def _total(self, state: Any, depth: int, moves: ByMove) -> int:
        if depth == 0:
            return 1
        over = self.game.status(state) != Status.IN_PLAY
        return int(self.counts.ended) if over else sum(count for _, count in moves)

    def _kept(self, checked: int, left: list[Published], late: bool) -> Verdict:
        """Return the verdict where nothing differs, which says which rows were not checked."""
        why = f"{checked} count{'s' * (checked != 1)} checked"
        if left:
            told = "; ".join(f"{row} ({row.count:,})" for row in left)
            limit = (
                f"{self.counts.seconds:g} seconds" if late else f"{self.counts.most:,} positions"
            )
            why += f"; not checked within {limit}: {told}"
        result = "pass" if checked else "not met"
        return Verdict(NAME, SENTENCE, result, why, positions=checked)

    def _differs(self, row: Published, state: Any, found: int, end: float) -> Verdict:
        """Return the verdict on a count that differs, with the first move that does."""
        other = self.counts.reference
        divide = partial(self._divide, end)
        reference = of_game(other, row.position, divide) if other else of_table(self._placed[0])
        try:
            first = first_difference(self.game, state, row.depth, divide, reference)
        except TimeoutError:
            return self._broken(row, (), f"{found:,}; no time was left to find the first move")
        if first is None:
            return self._broken(row, (), f"{found:,}")
        return self._broken(row, first.turns, f"{found:,}; {first}")

    def _broken(self, row: Published, turns: tuple[str, ...], got: str) -> Verdict:
        return Verdict(
            NAME,
            SENTENCE,
            "broken",
            moves=turns or ("unknown",),
            replay=self._replay(row, turns),
            position=f"{row} ({row.place})",
            expected=f"{row.count:,}",
            got=got,
        )

    def _replay(self, row: Published, turns: tuple[str, ...]) -> str:
        """Return code that leads to the position in which a move differs."""
        played = " ".join(turn.removeprefix("#") for turn in turns[:-1])
        text = "; ".join(part for part in (row.position, played) if part)
        return f"read_position({self.game!r}, {text!r})"


@cache
def counter() -> Counter:
    """Return the function of an installed package that counts positions, or one that calls the
    rules."""
    named = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return named[0].load() if named else count_by_rules


def count_by_rules(
    game: AnyGame, state: Any, depth: int, *, ended: bool = False, seconds: float = SECONDS
) -> ByMove:
    """Count positions by the first move, by the rules in Python; see `Counter`."""
    end = perf_counter() + seconds

    def count(state: Any, left: int) -> int:
        if left == 0:
            return 1
        if perf_counter() >= end:
            raise TimeoutError
        below = branches(game, state)
        if not below:
            return int(ended)
        return sum(count(child, left - 1) for _, child in below)

    return (
        [(text, count(child, depth - 1)) for text, child in branches(game, state)] if depth else []
    )
