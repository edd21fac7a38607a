"""Find the verdict on a law: whether it holds and, if not, the fewest moves that show it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, process_time
from typing import Any

from attrs import evolve, field, frozen

from games.laws import rules
from games.laws.law import AnyGame, Law, NotMet
from games.laws.plays import (
    SECONDS,
    Plays,
    put_to_the_test,
    put_together,
    shortest,
    simplest,
    simplest_together,
)
from games.laws.rules import Broken, Hung, Limit, limited
from games.laws.trace import Cut, Trace, replay


@frozen
class Verdict:
    """The verdict on one law; all fields are texts and numbers.

    `result` is "pass", "broken", "skipped", "not applicable", or "not met" if no position was
    reached to which the law applies; `seconds` is the time of the test.
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
    seconds: float = field(default=0.0, eq=False)

    def __str__(self) -> str:
        head = f"{self.result:14}  {self.law}"
        if self.result != "broken":
            tested = f"{_counted(self.positions)} in {self.seconds:.2f} s"
            return f"{head}: {self.reason or tested}"
        rows = {
            "law": self.sentence,
            "moves": ", ".join(self.moves) or "none: at the start",
            "position": self.position,
            "expected": self.expected,
            "got": self.got,
            "replay": self.replay,
        }
        return "\n".join([head, *(f"    {name:8}  {text}" for name, text in rows.items())])


def _counted(positions: int) -> str:
    return "1 position" if positions == 1 else f"{positions} positions"


def examine(law: Law, plays: Plays, stuck: Callable[[Verdict], None] | None = None) -> Verdict:
    """Return the verdict on one law.

    Ensures: the same plays give the same verdict, if the rules are deterministic, and fast enough
    that no play is left out.  If the law is
    broken, the moves are the fewest that show it, as far as can be found in reasonable time.  A
    rule that does not return within the limit of the plays breaks the law, and later laws are not
    tested.  If its call cannot be stopped, `stuck` is called from another thread; if no other
    thread can run, the process ends with a traceback.
    An interrupt notes the law, rule and position that were being tested.
    """

    def tell(asked: tuple[str, tuple[Any, ...]]) -> None:
        assert stuck is not None
        stuck(_stuck(law, plays, *asked))

    began = perf_counter()
    try:
        with limited(Limit(plays.limit, tell if stuck else None)):
            verdict = _examined(law, plays)
    except KeyboardInterrupt as stop:
        rules.noted(stop, f"law {law.name}")
        raise
    return evolve(verdict, seconds=round(perf_counter() - began, 3))


def _examined(law: Law, plays: Plays) -> Verdict:
    game = plays.game
    if plays.hung:  # the law may compile the rules to say whether it applies
        why = f"a rule does not return, see {plays.hung}"
        return Verdict(law.name, law.sentence, "not met", why)
    why = law.unless(game)
    if why:
        return Verdict(law.name, law.sentence, "not applicable", why)
    try:
        replay(game)
    except Broken as broken:  # the game has no start
        return _found(law, plays, None, broken)
    drawn = plays.different
    if plays.cut:
        hung = shortest(law, plays.cut.trace, plays.cut.hung)
        return _found(law, plays, *hung)
    positions = left = 0
    end = process_time() + SECONDS[plays.profile]
    try:
        if law.check_together is not None:
            positions = put_together(law, game, plays.positions)
        for number, play in enumerate(() if law.check_together is not None else drawn):
            if positions > 0 and process_time() > end:
                left = len(drawn) - number
                break
            try:
                positions += put_to_the_test(law, play)
            except Broken as broken:
                return _found(law, plays, *simplest(law, plays, play.trace, broken))
    except Broken as broken:  # seen in many plays together
        return _found(law, plays, *simplest_together(law, game, broken))
    except Cut as cut:
        return _found(law, plays, cut.trace, cut.hung)
    except NotMet as reason:
        return Verdict(law.name, law.sentence, "not met", str(reason))
    if positions == 0:
        why = f"no position to which it applies was reached in {plays.max_plies} plies"
        return Verdict(law.name, law.sentence, "not met", why)
    why = f"the rules are slow: {left} of {len(drawn)} plays were left out"
    why = f"{_counted(positions)}; {why}" if left else ""
    return Verdict(law.name, law.sentence, "pass", why, positions)


def _found(law: Law, plays: Plays, trace: Trace | None, broken: Broken) -> Verdict:
    if isinstance(broken, Hung):
        plays.hung = law.name
    return _broken(law, plays.game, trace, broken)


def _stuck(law: Law, plays: Plays, rule: str, args: tuple[Any, ...]) -> Verdict:
    """Return the verdict on a law while a rule cannot be stopped, without calling a rule."""
    return Verdict(
        law.name,
        law.sentence,
        "broken",
        moves=("unknown",),
        replay="unknown",
        position=repr(args[0]) if args else "none",
        expected=f"{rules.called(rule, args)} to answer within {plays.limit:g} s",
        got="no answer, in a call that cannot be stopped",
        seconds=2 * plays.limit,
    )


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
        got=broken.got + (broken.more() if broken.more else ""),
    )


def _where(trace: Trace, then: tuple[Any, ...]) -> str:
    """Return the text of the position in which the law was tested, as it was before."""
    with suppress(Exception):  # rules that change their answers may not play it again
        trace = replay(trace.game, trace.choices)
    return repr(trace.state) + (f", after {trace.plies} of the moves" if then else "")


def _texts(trace: Trace, then: tuple[Any, ...]) -> tuple[str, ...]:
    """Return the texts of the choices of a play."""
    texts, played = [], replay(trace.game)
    choices = (*trace.choices, *then)
    for number, choice in enumerate(choices, 1):
        texts.append(_text(played, choice))
        if number < len(choices):  # the last choice may be one that breaks a rule
            with suppress(Broken):
                played = played.then(choice)
    return tuple(texts)


def _text(played: Trace, choice: Any) -> str:
    try:
        if rules.chance_moves(played.game, played.state):
            return f"chance:{choice}"
        return str(rules.ask(played.game, "move_text", played.state, choice))
    except Broken:
        return str(choice)
