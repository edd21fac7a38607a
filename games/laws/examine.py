"""Putting a law to the test: random plays, then the shortest play that breaks it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from attrs import frozen
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky

from games.laws import rules
from games.laws.law import AnyGame, Law
from games.laws.rules import Broken
from games.laws.trace import Trace, replay, traces

PROFILES: Final = {"dev": 60, "ci": 200, "deep": 5000}
"""How many plays each law is tried on."""

SHORTER_TRIES: Final = 2000
"""How many plays are tried, in order of length, to find a shorter one than Hypothesis found."""


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


def examine(law: Law, game: AnyGame, *, profile: str, seed: int, max_plies: int) -> Verdict:
    """The verdict on one law.

    Requires: `profile` is one of `PROFILES`, or ValueError.
    Ensures: the same arguments give the same verdict, if the rules are deterministic.  If the law
    is broken, the moves are the fewest that show it, as far as `SHORTER_TRIES` plays can tell.
    """
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}; profiles: {', '.join(PROFILES)}")
    why = law.unless(game)
    if why:
        return Verdict(law.name, law.sentence, "not applicable", why)
    try:
        found, positions = play_against(law, game, PROFILES[profile], seed, max_plies)
    except Broken as broken:  # the game has no start
        return _broken(law, game, None, broken)
    if found:
        return _broken(law, game, *shortest(law, game, *found))
    if positions == 0:
        why = f"no position that it is about was reached in {max_plies} plies"
        return Verdict(law.name, law.sentence, "not met", why)
    return Verdict(law.name, law.sentence, "pass", positions=positions)


def play_against(
    law: Law, game: AnyGame, examples: int, seed: int, max_plies: int
) -> tuple[tuple[Trace, Broken] | None, int]:
    """A shrunk play that breaks the law with what it broke, if there is one; positions tested."""
    replay(game)
    found: tuple[Trace, Broken] | None = None
    positions = 0

    @seeded(seed)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(traces(game, max_plies))
    def holds(trace: Trace) -> None:
        nonlocal found, positions
        try:
            positions += put_to_the_test(law, game, trace)
        except Broken as broken:
            found = (trace.up_to(trace.plies if broken.ply is None else broken.ply), broken)
            raise

    try:
        holds()
    except (Broken, Flaky) as error:
        if found is None:
            got = f"{type(error).__name__}: another position when played again"
            found = (replay(game), Broken("the same moves to lead to the same position", got))
    return found, positions


def put_to_the_test(law: Law, game: AnyGame, trace: Trace) -> int:
    """How many positions of the play the law holds in.

    Raises: `Broken`, whatever it was that went wrong.
    """
    try:
        return law.check(game, trace)
    except Broken:
        raise
    except Exception as error:
        raise Broken("the law to be put to the test", f"{type(error).__name__}: {error}") from error


def shortest(law: Law, game: AnyGame, trace: Trace, broken: Broken) -> tuple[Trace, Broken]:
    """The first play that breaks the law in order of length, if shorter than the one given.

    Shrinking drops and lowers choices one at a time, and so misses a short play that resembles the
    long one nowhere; most faults lie near the start, where all plays can be tried.
    """
    row, tries = [replay(game)], 0
    seen: set[Any] = set()
    while row and row[0].plies < trace.plies:
        longer = []
        for shorter in row:
            tries += 1
            if tries > SHORTER_TRIES:
                return trace, broken
            try:
                put_to_the_test(law, game, shorter)
            except Broken as found:
                return shorter, found
            try:
                for choice, state in rules.children(game, shorter.state):
                    if state not in seen:
                        seen.add(state)
                        longer.append(shorter.with_state(choice, state))
            except (Broken, TypeError):  # a rule raised, or a state has no hash
                continue
        row = longer
    return trace, broken


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
    """The position in which the law was asked."""
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
