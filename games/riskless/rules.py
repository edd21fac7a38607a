"""The rules of Riskless, on words: a bit for each territory, and a word for each bit of the armies.

One operation on words handles all territories at once: training is a binary addition with carries
from word to word, and a sum of armies is a few bit counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import field, frozen

from games.features import Weighted, plain
from games.game import MAXIE, WIN, Status
from games.riskless.map import Map, is_count, map_names
from games.text_places import end_of, place_of, placed_words, text_of
from games.u64 import U64
from graphs.arguments import check_kind, check_text, shown
from graphs.errors import MalformedError


@frozen
class Front:
    """A position of Riskless: bit v of each word is territory v, which has the number of armies
    given by bit v of `a0` + 2 `a1` + … + 16 `a4`."""

    maxies: U64
    minnies: U64
    a0: U64
    a1: U64
    a2: U64
    a3: U64
    a4: U64
    ply: int
    """The number of moves made; Maxie moves if it is even."""


def lower(less: U64, plane: U64, bit: int) -> U64:
    """Return one step, from the lowest bit up, of the mask of territories with fewer armies."""
    return less | ~plane if bit == 1 else less & ~plane


ESTIMATES: Final = {"armies": (1, 0, 0, 0, 0), "strategic": (4, 4, 4, 1, 3)}
"""Weights of the features by name: the plain estimate, and one that plays better."""


@frozen
class Riskless(Weighted[Front, tuple[int, int]]):
    """Riskless on a map; a move is (source, destination).

    A move sends all armies of an owned territory to a neighbouring territory.  The source stays
    owned, without armies.  An empty destination is taken; armies join those of the same side;
    against the other side, the larger number wins and keeps the difference, and a tie goes to the
    attacker, who then owns the territory without armies.  Then every owned territory of both sides
    trains one army, up to the map's cap.  A player who then has the target number of armies wins,
    and so does the last one to own a territory; both at the target is a draw, and so is a game of
    `max_plies` moves.

    A territory without armies is owned like any other and may move, because the rules say *any*
    occupied territory: that takes an empty neighbour, or an enemy one without armies.  It can only
    happen on the first move, if the map has such a territory; later every territory has trained.

    Ensures: the estimate is Maxie's armies minus Minnie's; other `weights` make it the weighted sum
    of the features, Maxie's minus Minnie's: armies; territories; growing territories, with room for
    one more army; borders, the armies next to territories of the other side; and safe territories,
    all of whose neighbours are of the same side.  `ESTIMATES` names two sets of weights.
    Source: the handout of homework 11 of CMU 15-150, section 4.

    >>> game = Riskless(Map.load("square"))
    >>> [game.move_text(game.start(), move) for move in game.moves(game.start())]
    ['north>east', 'north>west']
    >>> print(game.show(game.parse_state("north>east")))
    north  Maxie   1   east west
    east   Maxie   4   north south
    south  Minnie  5   east west
    west   -           north south
    Minnie moves, ply 1 of 40
    """

    value_range = (-WIN, WIN)
    feature_names = ("armies", "territories", "growing", "borders", "safe")

    map: Map
    weights: tuple[float, ...] = field(default=ESTIMATES["armies"], converter=plain)
    roads: tuple[U64, ...] = field(init=False, eq=False, repr=False)
    cap: int = field(init=False, eq=False, repr=False)
    target: int = field(init=False, eq=False, repr=False)
    max_plies: int = field(init=False, eq=False, repr=False)
    plain: bool = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if len(self.weights) != len(self.feature_names):
            raise MalformedError(f"one weight each for {', '.join(self.feature_names)}")

    @plain.default
    def _plain(self) -> bool:
        return not any(self.weights[1:])

    @roads.default
    def _roads(self) -> tuple[U64, ...]:
        check_kind(Map, "a Map; or write Riskless.on('square')", map=self.map)
        return tuple(U64(sum(1 << v for v in row)) for row in self.map.roads.adjacency)

    @cap.default
    def _cap(self) -> int:
        return self.map.cap

    @target.default
    def _target(self) -> int:
        return self.map.target

    @max_plies.default
    def _max_plies(self) -> int:
        return self.map.max_plies

    @classmethod
    def on(cls, map: str = "islands", estimate: str = "armies") -> Riskless:
        """Return the game on a map of the package, or of a file.

        Raises: ValueError, naming the file, if it cannot be read or is not a map; or if `estimate`
        is not one of `ESTIMATES`.
        """
        if estimate not in ESTIMATES:
            raise MalformedError(
                f"there is no estimate {shown(estimate)}; estimates: {' '.join(ESTIMATES)}"
            )
        weights = ESTIMATES[estimate]
        if map in map_names() or not (map.endswith(".txt") or Path(map).exists()):
            return cls(Map.load(map), weights)
        try:
            return cls(Map.from_text(text_of(map)), weights)
        except ValueError as error:
            raise MalformedError(f"{map}: {error}") from None

    def start(self) -> Front:
        return self.front(self.map.owners, self.map.armies, 0)

    def front(self, owners: tuple[int, ...], armies: tuple[int, ...], ply: int) -> Front:
        """Return the position in which territory v has ``armies[v]`` of player ``owners[v]``."""
        maxies, minnies = (U64(sum(1 << v for v, o in enumerate(owners) if o == p)) for p in (0, 1))
        a0, a1, a2, a3, a4 = (
            U64(sum(((n >> p) & 1) << v for v, n in enumerate(armies))) for p in range(5)
        )
        return Front(maxies, minnies, a0, a1, a2, a3, a4, ply)

    def armies(self, state: Front, v: int) -> int:
        """Return the number of armies on territory `v`."""
        low = ((state.a0 >> v) & 1) + 2 * ((state.a1 >> v) & 1) + 4 * ((state.a2 >> v) & 1)
        return int(low + 8 * ((state.a3 >> v) & 1) + 16 * ((state.a4 >> v) & 1))

    def total(self, state: Front, who: U64) -> int:
        """Return the number of armies on the territories of `who`."""
        low = (who & state.a0).bit_count() + 2 * (who & state.a1).bit_count()
        high = 8 * (who & state.a3).bit_count() + 16 * (who & state.a4).bit_count()
        return low + 4 * (who & state.a2).bit_count() + high

    def status(self, state: Front) -> Status:
        if state.minnies == 0:
            return Status.MAXIE_WINS
        if state.maxies == 0:
            return Status.MINNIE_WINS
        maxie = self.total(state, state.maxies) >= self.target
        minnie = self.total(state, state.minnies) >= self.target
        if maxie and not minnie:
            return Status.MAXIE_WINS
        if minnie and not maxie:
            return Status.MINNIE_WINS
        if maxie or state.ply >= self.max_plies:
            return Status.DRAW
        return Status.IN_PLAY

    def player(self, state: Front) -> int:
        return state.ply & 1

    def moves(self, state: Front) -> Iterator[tuple[int, int]]:
        if self.status(state) == Status.IN_PLAY:
            sources = state.maxies if state.ply & 1 == 0 else state.minnies
            while sources != 0:
                source = sources.lowest()
                sources = sources & (sources - 1)
                ends = U64(self.roads[source])
                while ends != 0:
                    yield source, ends.lowest()
                    ends = ends & (ends - 1)

    def children(self, state: Front) -> Iterator[tuple[tuple[int, int], Front]]:
        """Yield each move of a position in play with its child.

        The armies of a source are counted only once.
        """
        sources = state.maxies if state.ply & 1 == 0 else state.minnies
        while sources != 0:
            source = sources.lowest()
            sources = sources & (sources - 1)
            moved = self.armies(state, source)
            ends = U64(self.roads[source])
            while ends != 0:
                end = ends.lowest()
                yield (source, end), self.marched(state, source, end, moved)
                ends = ends & (ends - 1)

    def make_move(self, state: Front, move: tuple[int, int]) -> Front:
        source, end = move
        return self.marched(state, source, end, self.armies(state, source))

    def marched(self, state: Front, source: int, end: int, moved: int) -> Front:
        """Return the position after `moved` armies, all of them, move from `source` to `end`."""
        mine, theirs = state.maxies, state.minnies
        if state.ply & 1 == 1:
            mine, theirs = theirs, mine
        there = U64(1) << end
        met = self.armies(state, end)
        left = moved + met
        if theirs & there != 0:
            left = abs(moved - met)
        if theirs & there == 0 or moved >= met:
            mine, theirs = mine | there, theirs & ~there
        return self.trained(state, mine, theirs, source, end, min(left, self.cap))

    def trained(
        self, state: Front, mine: U64, theirs: U64, source: int, end: int, left: int
    ) -> Front:
        """Return the position after a battle and training: none at `source`, `left` at `end`, then
        one more army on each owned territory with room."""
        keep = ~((U64(1) << source) | (U64(1) << end))
        n = U64(left)
        a0 = (state.a0 & keep) | ((n & 1) << end)
        a1 = (state.a1 & keep) | (((n >> 1) & 1) << end)
        a2 = (state.a2 & keep) | (((n >> 2) & 1) << end)
        a3 = (state.a3 & keep) | (((n >> 3) & 1) << end)
        a4 = (state.a4 & keep) | (((n >> 4) & 1) << end)
        room = lower(U64(0), a0, self.cap & 1)
        room = lower(room, a1, (self.cap >> 1) & 1)
        room = lower(room, a2, (self.cap >> 2) & 1)
        room = lower(room, a3, (self.cap >> 3) & 1)
        room = lower(room, a4, (self.cap >> 4) & 1)
        c0 = (mine | theirs) & room
        c1 = a0 & c0
        c2 = a1 & c1
        c3 = a2 & c2
        c4 = a3 & c3
        if state.ply & 1 == 1:
            mine, theirs = theirs, mine
        return Front(mine, theirs, a0 ^ c0, a1 ^ c1, a2 ^ c2, a3 ^ c3, a4 ^ c4, state.ply + 1)

    def estimate(self, state: Front) -> float:
        if self.plain:
            lead = self.total(state, state.maxies) - self.total(state, state.minnies)
            return self.weights[0] * lead
        return self.weighted(state)

    def features(self, state: Front) -> tuple[int, ...]:
        maxies, minnies = state.maxies, state.minnies
        growing, borders, safe = 0, 0, 0
        left = maxies | minnies
        while left != 0:
            v = left.lowest()
            left = left & (left - 1)
            mine = (maxies >> v) & 1 != 0
            sign, armies = 1 if mine else -1, self.armies(state, v)
            near = U64(self.roads[v])
            if armies < self.cap:
                growing += sign
            if near & (minnies if mine else maxies) != 0:
                borders += sign * armies
            if near & ~(maxies if mine else minnies) == 0:
                safe += sign
        armies = self.total(state, maxies) - self.total(state, minnies)
        return armies, maxies.bit_count() - minnies.bit_count(), growing, borders, safe

    # For people ---------------------------------------------------------------------------------

    def _cell(self, state: Front, v: int, maxie: str, minnie: str, nobody: str) -> str:
        owner = maxie if (state.maxies >> v) & 1 else minnie if (state.minnies >> v) & 1 else ""
        return f"{owner}{self.armies(state, v)}" if owner else nobody

    def label(self, state: Front) -> str:
        size = len(self.map.names)
        return ",".join(self._cell(state, v, "X", "O", ".") for v in range(size)) + f"@{state.ply}"

    def show(self, state: Front) -> str:
        wide = max(len(name) for name in self.map.names)
        lines = []
        for v, (name, row) in enumerate(zip(self.map.names, self.map.roads.adjacency, strict=True)):
            cell = self._cell(state, v, "Maxie   ", "Minnie  ", "-")
            lines.append(f"{name:{wide}}  {cell:10}  {' '.join(self.map.names[u] for u in row)}")
        mover = "Maxie" if self.player(state) == MAXIE else "Minnie"
        return "\n".join([*lines, f"{mover} moves, ply {state.ply} of {self.max_plies}"])

    def move_text(self, state: Front, move: tuple[int, int]) -> str:
        return ">".join(self.map.names[v] for v in move)

    def parse_move(self, state: Front, text: str) -> tuple[int, int]:
        """Return the move of two territories, separated by a blank or ``>``."""
        return super().parse_move(state, ">".join(text.replace(">", " ").split()))

    def parse_state(self, text: str) -> Front:
        """Read a position: a label (``X3,O4,.@5``: one cell per territory, the ply), or moves.

        Raises: ValueError, with line and column, for a label that does not fit the map; IllegalMove
        for an illegal move.
        """
        check_text(text)
        if ">" in text or not text.strip():
            return super().parse_state(text)
        body, _, ply = text.partition("@")
        cells, size = placed_words(body, blanks=","), len(self.map.names)
        if len(cells) != size:
            place = cells[size][1] if len(cells) > size else end_of(body)
            raise MalformedError(
                f"{place}: {len(cells)} cells where a position has {size}, as X3,O4,.@5"
            )
        if not is_count(ply.strip() or "0") or int(ply.strip() or 0) > self.max_plies:
            place = place_of(text, min(len(body) + 1, len(text)))
            raise MalformedError(
                f"{place}: the ply is 0 to {self.max_plies}, not {shown(ply.strip())}"
            )
        owners, armies = [], []
        for cell, place in cells:
            number = cell[1:] or "0"
            if cell[0] not in "XO." or not is_count(number):
                raise MalformedError(
                    f"{place}: {shown(cell)} is not X and a number, O and a number, or a dot"
                )
            if cell[0] == "." and int(number) > 0:
                raise MalformedError(
                    f"{place}: {shown(cell)}: armies on a territory that nobody owns"
                )
            if int(number) > self.cap:
                raise MalformedError(
                    f"{place}: {shown(cell)}: at most {self.cap} armies on a territory"
                )
            owners.append("XO.".index(cell[0]))
            armies.append(int(number))
        if not {0, 1} & set(owners):
            raise MalformedError(f"{cells[0][1]}: somebody owns a territory")
        return self.front(tuple(owners), tuple(armies), int(ply.strip() or 0))
