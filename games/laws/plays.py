"""The plays that laws are put to the test on: drawn once, used for every law."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky

from games.laws import rules
from games.laws.law import AnyGame, Law
from games.laws.rules import Broken
from games.laws.trace import Trace, replay, traces

PROFILES: Final = {"dev": 60, "ci": 200, "deep": 5000}
"""How many plays a game is tried on."""

SHORTER_TRIES: Final = 2000
"""How many plays are tried, in order of length, to find a shorter one than Hypothesis found."""


class Plays:
    """Random plays of a game.

    Requires: `profile` is one of `PROFILES`, or ValueError.
    Ensures: the same arguments give the same plays, if the rules are deterministic.
    """

    def __init__(self, game: AnyGame, profile: str, seed: int, max_plies: int) -> None:
        if profile not in PROFILES:
            raise ValueError(f"no profile {profile!r}; profiles: {', '.join(PROFILES)}")
        self.game, self.profile, self.seed, self.max_plies = game, profile, seed, max_plies

    def each(self, visit: Callable[[Trace], None]) -> None:
        """Visits each play; where the visit raises, visits ever shorter ones that make it raise.

        Raises: what the last visit raised; Flaky if the rules change their answers.
        """

        @seeded(self.seed)
        @settings(
            max_examples=PROFILES[self.profile],
            database=None,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )
        @given(traces(self.game, self.max_plies))
        def play(trace: Trace) -> None:
            visit(trace)

        play()

    @cached_property
    def traces(self) -> tuple[Trace, ...]:
        """All the plays, as far as they can be drawn."""
        drawn: list[Trace] = []
        with suppress(Flaky):
            self.each(drawn.append)
        return tuple(drawn)


def put_to_the_test(law: Law, trace: Trace) -> int:
    """How many positions of a play the law was tested in, and holds.

    The play is played again first: a rule that changes positions has spoilt those of the last time.

    Raises: `Broken`, whatever it was that went wrong.
    """
    try:
        return law.check(trace.game, replay(trace.game, trace.choices))
    except Broken:
        raise
    except Exception as error:
        raise Broken("the law to be put to the test", f"{type(error).__name__}: {error}") from error


def simplest(law: Law, plays: Plays, trace: Trace, broken: Broken) -> tuple[Trace, Broken]:
    """A play that breaks a law, as short as can be found, given one that does."""
    found = trace, broken

    def visit(trace: Trace) -> None:
        nonlocal found
        try:
            put_to_the_test(law, trace)
        except Broken as broken:
            found = trace, broken
            raise

    with suppress(Broken, Flaky):
        plays.each(visit)
    trace, broken = found
    trace = trace.up_to(trace.plies if broken.ply is None else broken.ply)
    return shortest(law, trace, broken)


def shortest(law: Law, trace: Trace, broken: Broken) -> tuple[Trace, Broken]:
    """The first play that breaks the law in order of length, if shorter than the one given.

    Shrinking drops and lowers choices one at a time, and so misses a short play that resembles the
    long one nowhere; most faults lie near the start, where all plays can be tried.
    """
    row, tries = [replay(trace.game)], 0
    seen = set()
    while row and row[0].plies < trace.plies:
        longer = []
        for shorter in row:
            tries += 1
            if tries > SHORTER_TRIES:
                return trace, broken
            try:
                put_to_the_test(law, shorter)
            except Broken as found:
                return shorter, found
            try:
                for choice, state in rules.children(shorter.game, shorter.state):
                    if state not in seen:
                        seen.add(state)
                        longer.append(shorter.with_state(choice, state))
            except Exception:  # a rule raised, or states cannot be compared
                continue
        row = longer
    return trace, broken
