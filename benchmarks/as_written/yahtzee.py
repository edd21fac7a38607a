"""A small Yahtzee for two: three dice, named boxes, a table of functions that score them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import attrs

from games import CHANCE, Game, Status

Dice = tuple[int, ...]


def of_a_kind(dice: Dice, n: int) -> bool:
    return max(Counter(dice).values()) >= n


BOXES = {
    "sixes": lambda dice: 6 * dice.count(6),
    "pair": lambda dice: 10 if of_a_kind(dice, 2) else 0,
    "triple": lambda dice: 25 if of_a_kind(dice, 3) else 0,
    "run": lambda dice: 20 if dice[0] + 2 == dice[1] + 1 == dice[2] else 0,
    "chance": sum,
}


class Card(NamedTuple):
    """What each box scored; None is still empty."""

    sixes: int | None = None
    pair: int | None = None
    triple: int | None = None
    run: int | None = None
    chance: int | None = None


@attrs.frozen
class Round:
    cards: tuple[Card, ...] = (Card(), Card())
    turn: int = 0
    kept: Dice | None = ()
    dice: Dice = ()
    throws: int = 0


@attrs.frozen
class Yahtzee(Game[Round, Any]):
    """A move is the dice kept, or the name of a box."""

    number: int = 3
    rethrows: int = 1

    def start(self) -> Round:
        return Round()

    def total(self, card: Card) -> int:
        return sum(score for score in card if score is not None)

    def status(self, state: Round) -> Status:
        if any(None in card for card in state.cards):
            return Status.IN_PLAY
        mine, theirs = map(self.total, state.cards)
        if mine == theirs:
            return Status.DRAW
        return Status.MAXIE_WINS if mine > theirs else Status.MINNIE_WINS

    def player(self, state: Round) -> int:
        return state.turn if state.kept is None else CHANCE

    def outcomes(self, state: Round) -> Iterator[tuple[float, Round]]:
        kept = state.kept or ()
        missing = self.number - len(kept)
        ways: Counter[Dice] = Counter()
        for thrown in itertools.product(range(1, 7), repeat=missing):
            ways[tuple(sorted(kept + thrown))] += 1
        for dice, count in ways.items():
            yield (
                count / 6**missing,
                attrs.evolve(state, dice=dice, kept=None, throws=state.throws + 1),
            )

    def moves(self, state: Round) -> Iterator[Dice | str]:
        if state.kept is not None or self.status(state) != Status.IN_PLAY:
            return
        if state.throws <= self.rethrows:
            some = {
                kept for n in range(self.number) for kept in itertools.combinations(state.dice, n)
            }
            yield from sorted(some)
        card = state.cards[state.turn]
        for name, score in card._asdict().items():
            if score is None:
                yield name

    def make_move(self, state: Round, move: Dice | str) -> Round:
        if not isinstance(move, str):
            return attrs.evolve(state, kept=move, dice=())
        cards = list(state.cards)
        cards[state.turn] = cards[state.turn]._replace(**{move: BOXES[move](state.dice)})
        return Round(tuple(cards), 1 - state.turn)

    def estimate(self, state: Round) -> float:
        mine, theirs = map(self.total, state.cards)
        return mine - theirs
