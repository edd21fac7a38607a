"""Random plays on which laws are tested, drawn once for all laws."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from itertools import islice, takewhile
from random import Random
from typing import Any, Final

from attrs import define
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky

from games.game import check_game
from games.laws import rules
from games.laws.law import AnyGame, Law, NotMet
from games.laws.rules import LIMIT, Broken, Hung
from games.laws.trace import Cut, Trace, drawn, in_order, random_play, replay
from graphs.arguments import check_integers, check_positive, shown
from graphs.errors import ArgumentError

PROFILES: Final = {"dev": 60, "ci": 200, "deep": 5000}
"""The number of plays of each profile."""

SECONDS: Final = {"dev": 20.0, "ci": 60.0, "deep": math.inf}
"""The seconds of processor time after which a law leaves out the plays that remain, because the
rules are slow; other programs on the machine leave out none."""

SHORTER_TRIES: Final = 2000
"""The number of plays tried, in order of length, to find a shorter one than that of Hypothesis."""

NEAR: Final = 500
"""The number of positions near the start that are compared with those of the plays."""


@define(eq=False)
class Play:
    """A play, and the plies after which it reaches a position that no earlier play reached."""

    trace: Trace
    new: tuple[int, ...]
    _again: Trace | None = None
    _written: tuple[bytes, ...] = ()

    def again(self, plies: Iterable[int]) -> Trace:
        """Return the play with its positions after the given plies as they were then.

        It is replayed if a rule has changed one of these positions since.

        Raises: `Broken` if a rule raises.
        """
        if self._again is None or any(map(self._spoilt, plies)):
            self._again = replay(self.trace.game, self.trace.choices)
            self._written = tuple(map(written, self._again.states))
        return self._again

    def _spoilt(self, ply: int) -> bool:
        before = self._written[ply]
        return not before or self._again is None or written(self._again.states[ply]) != before


def whole(trace: Trace) -> Play:
    """Return a play of which all positions count as new."""
    return Play(trace, tuple(range(len(trace.states))))


class Plays:
    """Random plays of a game.

    Requires: `profile` is one of `PROFILES`, `seed` a whole number, `max_plies` one from 0,
    `limit` is finite and above 0, in seconds; or ValueError.
    Ensures: the same arguments give the same plays, if the rules are deterministic.
    """

    def __init__(
        self, game: AnyGame, profile: str, seed: int, max_plies: int, limit: float = LIMIT
    ) -> None:
        check_game(game)
        check_integers(seed=seed)
        check_integers(0, max_plies=max_plies)
        if profile not in PROFILES:
            raise ArgumentError(f"no profile {shown(profile)}; profiles: {', '.join(PROFILES)}")
        check_positive(limit=limit)
        self.game, self.profile, self.seed, self.max_plies = game, profile, seed, max_plies
        self.limit = limit
        self.cut: Cut | None = None
        """The play in which a rule did not return, if there was one."""
        self.hung = ""
        """The law that reports it, as soon as one does."""

    def each(self, visit: Callable[[Trace], None]) -> None:
        """Visit each play; if a visit raises, visit ever shorter plays that make it raise.

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
        @given(drawn(self.game, self.max_plies))
        def play(trace: Trace) -> None:
            visit(trace)

        play()

    @cached_property
    def different(self) -> tuple[Play, ...]:
        """Return all plays that can be drawn; of equal ones, the first.

        Hypothesis draws many plays twice, so random plays take the place of the repeated ones.
        """
        drawn: list[Play] = []
        passed = Passed()
        known = set()

        def visit(trace: Trace) -> None:
            new = passed.new_plies(trace)
            try:
                again = trace.choices in known
                known.add(trace.choices)
            except TypeError:  # moves without a hash
                again = False
            if new or not again:
                drawn.append(Play(trace, new))

        try:
            self.each(visit)
            random = Random(self.seed)
            for _ in range(PROFILES[self.profile] - len(drawn)):
                visit(random_play(self.game, self.max_plies, random))
        except Flaky:
            pass
        except Cut as cut:
            self.cut = cut
        return tuple(drawn)

    @property
    def positions(self) -> list[Trace]:
        """Return the different positions of all plays and those near the start, each as the end of
        a play, the shortest first."""
        found = {
            written(trace.state) or trace: trace for trace in islice(in_order(self.game), NEAR)
        }
        for play in self.different:
            with suppress(Broken):
                again = play.again(play.new)
                for ply in play.new:
                    trace = again.up_to(ply)
                    found.setdefault(written(trace.state) or trace, trace)
        return sorted(found.values(), key=lambda trace: trace.plies)


def put_to_the_test(law: Law, play: Play) -> int:
    """Test a law on a play, and return the number of positions tested: only new ones, if the law is
    about single positions.

    Raises: `Broken`, whatever went wrong.
    """
    game = play.trace.game
    try:
        if law.check_at is None:
            return counted(law, law.check(game, play.again(range(len(play.trace.states)))))
        return law.check_at(game, play.again(play.new), play.new) if play.new else 0
    except (Broken, NotMet):
        raise
    except Exception as error:
        raise Broken("the law to be put to the test", f"{type(error).__name__}: {error}") from error


def counted(law: Law, answer: Any) -> int:
    """Return the answer of a law: the number of positions tested, or None or True for all.

    Raises: `Broken` for another answer.
    """
    if answer is None or answer is True:
        return 1
    if isinstance(answer, bool) or not isinstance(answer, int) or answer < 0:
        raise Broken(f"{law.name} to return the number of positions that it tested", repr(answer))
    return answer


def put_together(law: Law, game: AnyGame, traces: list[Trace]) -> int:
    """Test a law that compares positions, and return the number of positions tested.

    Raises: `Broken`, whatever went wrong; `NotMet`.
    """
    assert law.check_together is not None
    try:
        return counted(law, law.check_together(game, traces))
    except (Broken, NotMet):
        raise
    except Exception as error:
        raise Broken("the law to be put to the test", f"{type(error).__name__}: {error}") from error


def simplest_together(law: Law, game: AnyGame, broken: Broken) -> tuple[Trace, Broken]:
    """Return the first position near the start that breaks a law which compares positions; else
    the given one."""
    if broken.trace is None:
        return replay(game), broken
    trace: Trace = broken.trace
    tried = islice(in_order(game), SHORTER_TRIES)
    try:
        near = list(takewhile(lambda tried: tried.plies <= trace.plies, tried))
        put_together(law, game, near)
    except (NotMet, Cut):
        pass
    except Broken as found:
        if found.trace is not None:
            return found.trace, found
    return trace, broken


def simplest(law: Law, plays: Plays, trace: Trace, broken: Broken) -> tuple[Trace, Broken]:
    """Return the shortest play found that breaks a law, given the first drawn one."""
    if isinstance(broken, Hung):  # each try would take as long again
        return shortest(law, trace.up_to(trace.plies if broken.ply is None else broken.ply), broken)
    first, drawn, found = trace.choices, False, (trace, broken)

    def visit(trace: Trace) -> None:
        nonlocal drawn, found
        drawn = drawn or trace.choices == first
        if not drawn:  # plays before it keep the law
            return
        try:
            put_to_the_test(law, whole(trace))
        except Broken as broken:
            found = trace, broken
            raise

    with suppress(Broken, Flaky):
        plays.each(visit)
    trace, broken = found
    trace = trace.up_to(trace.plies if broken.ply is None else broken.ply)
    return shortest(law, trace, broken)


def shortest(law: Law, trace: Trace, broken: Broken) -> tuple[Trace, Broken]:
    """Return the first play in order of length that breaks the law, if not longer than the given.

    Shrinking drops and lowers choices one at a time, so it misses short plays unlike the given one;
    most faults are near the start, where all plays can be tried.
    """
    try:
        for tries, shorter in enumerate(in_order(trace.game)):
            if tries >= SHORTER_TRIES or shorter.plies > trace.plies:
                break
            try:
                put_to_the_test(law, whole(shorter))
            except Broken as found:
                return shorter, found
    except Cut as cut:
        if isinstance(broken, Hung):
            return cut.trace, cut.hung
    return trace, broken


class Passed:
    """The positions of all plays so far, as they were when play reached them.

    Two positions are the same if they are equal and have the same pickle, so that fields excluded
    from ``==`` count too.  A position that cannot be pickled is never the same as another.

    >>> from games import HANDOUT_SMALL
    >>> from games.laws import replay
    >>> passed = Passed()
    >>> passed.new_plies(replay(HANDOUT_SMALL, [2, 1]))
    (0, 1, 2)
    >>> passed.new_plies(replay(HANDOUT_SMALL, [2, 0]))
    (2,)
    """

    def __init__(self) -> None:
        self._seen: dict[bytes, Any] = {}

    def new_plies(self, trace: Trace) -> tuple[int, ...]:
        """Return the plies after which a play reaches a position that no play reached before.

        The play is replayed, and each position is stored as it was before any rule was called for
        it.  A position that later moves change is not stored, because it is already changed when a
        law is tested.  If a play cannot be replayed, all its plies are new.
        """
        new = []
        try:
            state = rules.ask(trace.game, "start")
            for ply, choice in enumerate((*trace.choices, None)):
                arrived = written(state)
                if not self._holds(arrived, state):
                    new.append(ply)
                child = None
                if ply < trace.plies:
                    child = rules.choose(trace.game, state, choice)
                if arrived and arrived == written(state):
                    self._seen.setdefault(arrived, state)
                state = child
        except Exception:
            return tuple(range(len(trace.states)))
        return tuple(new)

    def _holds(self, key: bytes, state: Any) -> bool:
        try:
            return key in self._seen and bool(self._seen[key] == state)
        except Exception:  # states that cannot be compared are always new
            return False


def written(state: Any) -> bytes:
    """Return the pickle of a state; empty if it cannot be pickled."""
    try:
        return pickle.dumps(state)
    except Exception:
        return b""
