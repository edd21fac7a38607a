"""The verdict on a law: whether it holds, and if not, the fewest moves that show it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from attrs import frozen

from games.laws import rules
from games.laws.law import AnyGame, Law
from games.laws.plays import Plays, put_to_the_test, simplest
from games.laws.rules import Broken
from games.laws.trace import Trace, replay


@frozen
class Verdict:
    """What became of one law: all fields are texts and numbers.

    `result` is "pass", "broken", "skipped", "not applicable", or "not met" where no position was
    reached that the law is about.
    """

    law: str
    sentence: str
    result: str
    reason: str = ""
    positions: int = 0
    moves: tuple[str, ...] = ()
    replay: str = ""
    position: str = ""
    expected: str = ""
    got: str = ""

    def __str__(self) -> str:
        head = f"{self.result:14}  {self.law}"
        if self.result != "broken":
            return f"{head}: {self.reason or f'{self.positions} positions'}"
        rows = {
            "law": self.sentence,
            "moves": ", ".join(self.moves) or "none: at the start",
            "position": self.position,
            "expected": self.expected,
            "got": self.got,
            "replay": self.replay,
        }
        return "\n".join([head, *(f"    {name:8}  {text}" for name, text in rows.items())])


def examine(law: Law, plays: Plays) -> Verdict:
    """The verdict on one law.

    Ensures: the same plays give the same verdict, if the rules are deterministic.  If the law is
    broken, the moves are the fewest that show it, as far as can be found in reasonable time.
    """
    game = plays.game
    why = law.unless(game)
    if why:
        return Verdict(law.name, law.sentence, "not applicable", why)
    try:
        replay(game)
    except Broken as broken:  # the game has no start
        return _broken(law, game, None, broken)
    positions = 0
    for play in plays.different:
        try:
            positions += put_to_the_test(law, play)
        except Broken as broken:
            return _broken(law, game, *simplest(law, plays, play.trace, broken))
    if positions == 0:
        why = f"no position that it is about was reached in {plays.max_plies} plies"
        return Verdict(law.name, law.sentence, "not met", why)
    return Verdict(law.name, law.sentence, "pass", positions=positions)


def _broken(law: Law, game: AnyGame, trace: Trace | None, broken: Broken) -> Verdict:
    choices = (*(trace.choices if trace else ()), *broken.then)
    return Verdict(
        law.name,
        law.sentence,
        "broken",
        moves=_texts(trace, broken.then) if trace else (),
        replay=f"replay({game!r}, {list(choices)!r})",
        position=_where(trace, broken.then) if trace else "none",
        expected=broken.expected,
        got=broken.got,
    )


def _where(trace: Trace, then: tuple[Any, ...]) -> str:
    """The position in which the law was asked, as it was before."""
    with suppress(Exception):  # rules that change their answers may not play it again
        trace = replay(trace.game, trace.choices)
    return repr(trace.state) + (f", after {trace.plies} of the moves" if then else "")


def _texts(trace: Trace, then: tuple[Any, ...]) -> tuple[str, ...]:
    """The choices of a play as people write them."""
    texts, played = [], replay(trace.game)
    for choice in (*trace.choices, *then):
        texts.append(_text(played, choice))
        with suppress(Broken):  # the last choice may be one that breaks a rule
            played = played.then(choice)
    return tuple(texts)


def _text(played: Trace, choice: Any) -> str:
    try:
        if rules.chance_moves(played.game, played.state):
            return f"chance:{choice}"
        return str(rules.ask(played.game, "move_text", played.state, choice))
    except Broken:
        return str(choice)
