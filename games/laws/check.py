"""The laws of games, and the check of a game against them, in a report or as a test class."""

from __future__ import annotations

import json
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from html import escape
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any, Final

from attrs import asdict, frozen

from games.laws import (
    of_hooks,
    of_networks,
    of_play,
    of_purity,
    of_states,
    of_texts,
    of_values,
)
from games.laws.examine import Verdict, examine
from games.laws.law import AnyGame, Law
from games.laws.of_counts import NAME, SENTENCE, CountsOfGame, counts_of
from games.laws.plays import Plays
from games.laws.rules import LIMIT
from games.laws.trace import MAX_PLIES
from graphs.arguments import shown
from graphs.errors import ArgumentError


@frozen
class Report:
    """The report on a game: the verdict on each law."""

    game: str
    profile: str
    seed: int
    max_plies: int
    verdicts: tuple[Verdict, ...]

    @property
    def ok(self) -> bool:
        """Return whether no law is broken."""
        return not self.broken

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """Return the verdicts on the broken laws."""
        return tuple(v for v in self.verdicts if v.result == "broken")

    def to_json(self) -> str:
        """Return the report as JSON: an object with `ok` and the fields, verdicts as objects."""
        return json.dumps({"ok": self.ok} | asdict(self), indent=2)

    def __str__(self) -> str:
        made = f"profile {self.profile}, seed {self.seed}, at most {self.max_plies} plies"
        return "\n".join([f"{self.game}: {self.summary} ({made})", *map(str, self.verdicts)])

    def _repr_html_(self) -> str:
        """Show the verdicts in a notebook."""
        return f'<pre style="white-space:pre-wrap;font-family:monospace">{escape(str(self))}</pre>'

    @property
    def summary(self) -> str:
        """Return the number of laws with each result, in words."""
        counts = Counter(v.result for v in self.verdicts)
        return ", ".join(f"{n} {result}" for result, n in counts.items())


def check_laws(
    game: AnyGame,
    *,
    extra: Iterable[Law] = (),
    skip: Mapping[str, str] | None = None,
    profile: str = "dev",
    seed: int | None = None,
    max_plies: int = MAX_PLIES,
    limit: float = LIMIT,
    counts: Any = None,
    tell: Callable[[Verdict], None] | None = None,
    stuck: Callable[[Verdict], None] | None = None,
) -> Report:
    """Test every law on random plays of a game, and report each broken law with the shortest moves
    that show it.

    Laws of installed packages are included; one of `strategies` is that the engines agree.  Where
    `counts` of positions are published, it is the last law that there are so many: a CSV file with
    the columns position (empty for the start), depth and count, such rows, or `PublishedCounts`.

    Requires: `skip` has the reason for each skipped law, by name; `profile` is "dev", "ci" or
    "deep" (60, 200, 5000 plays per law); `limit` is above 0; or ValueError.
    Ensures: the report has the seed that repeats it; the default is 0 in profile "ci" and a random
    seed in the others.  A rule that does not return within `limit` seconds breaks the law.  `tell`
    is called with each verdict as it is found.  `stuck` is called from another thread, after twice
    the limit, with the verdict on a law during which a call cannot be stopped.

    >>> from games import HANDOUT_SMALL
    >>> check_laws(HANDOUT_SMALL, counts=[("", 1, 3), ("", 2, 9)]).ok
    True
    """
    skip = skip or {}
    law_of_counts = None if counts is None else counts_of(game, counts)
    if seed is None:
        seed = 0 if profile == "ci" else secrets.randbelow(2**32)
    plays = Plays(game, profile, seed, max_plies, limit)
    verdicts = []
    for verdict in _verdicts(plays, all_laws(extra, skip), skip, law_of_counts, stuck):
        if tell is not None:
            tell(verdict)
        verdicts.append(verdict)
    return Report(repr(game), profile, seed, max_plies, tuple(verdicts))


def _verdicts(
    plays: Plays, laws: Iterable[Law], skip: Mapping[str, str], counts: CountsOfGame | None,
    stuck: Callable[[Verdict], None] | None,
) -> Iterator[Verdict]:  # fmt: skip
    """Yield the verdict on each law, that of published counts last."""
    for law in laws:
        if law.name in skip:
            yield Verdict(law.name, law.sentence, "skipped", skip[law.name])
        else:
            yield examine(law, plays, stuck)
    if counts is not None:
        yield counts.verdict(plays.hung)


PROFILE: Final = "JAMBOREE_LAWS"
"""The environment variable with the default profile of suites."""


def law_suite(
    game: AnyGame,
    extra: Iterable[Law] = (),
    skip: Mapping[str, str] | None = None,
    *,
    profile: str | None = None,
    seed: int = 0,
    max_plies: int = MAX_PLIES,
    limit: float = LIMIT,
    counts: Any = None,
) -> type:
    """Return a class with one test per law, for pytest: ``TestMyGame = law_suite(MyGame())``.

    Requires: `skip` has the reason for each skipped law, by name, or ValueError; `profile` is
    "dev", "ci" or "deep" (60, 200, 5000 plays per law), by default the environment variable
    ``JAMBOREE_LAWS``, or "dev"; the name of the class starts with ``Test``.
    Ensures: a run is repeatable, because the seed is fixed.  Laws that do not apply to the game
    have no test.  A law that is skipped, or applies to no position reached, is reported as skipped
    with the reason; so is one of an installed package that does not apply, such as that the engines
    agree, because the rules are compiled only when the tests run.  A rule that does not return
    within `limit` seconds breaks the law.  Published `counts` of positions add a test, see
    `check_laws`.

    >>> from games import HANDOUT_SMALL
    >>> TestHandout = law_suite(HANDOUT_SMALL)
    >>> TestHandout().test_moves_are_distinct()
    """
    if find_spec("pytest") is None:
        raise ImportError("law_suite needs pytest: pip install hypothesis pytest")
    skip = dict(skip or {})
    plays = Plays(game, profile or os.environ.get(PROFILE, "dev"), seed, max_plies, limit)
    test_of = partial(_test_of, game, skip)
    late = installed_laws()
    chosen = [law for law in all_laws(extra, skip) if law in late or not law.unless(game)]
    tests = [test_of(law.name, law.sentence, partial(examine, law, plays)) for law in chosen]
    if counts is not None:
        law_of_counts = counts_of(game, counts)
        tests.append(test_of(NAME, SENTENCE, lambda: law_of_counts.verdict(plays.hung)))
    return type("LawSuite", (), {test.__name__: test for test in tests} | {"__doc__": repr(game)})


def _test_of(
    game: AnyGame, skip: Mapping[str, str], name: str, sentence: str, find: Callable[[], Verdict]
) -> Callable[[Any], None]:
    """Return the test of a law, whose verdict is found when it runs."""

    def test(self: Any) -> None:
        import pytest

        if name in skip:
            pytest.skip(f"{name}: {skip[name]}")
        verdict = find()
        if verdict.result in ("not met", "not applicable"):
            pytest.skip(f"{name}: {verdict.result}: {verdict.reason}")
        if verdict.result == "broken":
            pytest.fail(f"{game!r}\n{verdict}", pytrace=False)

    test.__name__ = f"test_{name}"
    test.__doc__ = sentence
    return test


LAWS: tuple[Law, ...] = tuple(
    value
    for module in (of_play, of_states, of_values, of_texts, of_hooks, of_networks, of_purity)
    for value in vars(module).values()
    if isinstance(value, Law)
)
"""Every law of the kit, in the order of reports."""

GROUP: Final = "jamboree.laws"
"""The group of entry points by which installed packages add laws; each names a tuple of laws."""


@cache
def installed_laws() -> tuple[Law, ...]:
    """Return the laws that installed packages add, such as those of the engines in `strategies`.

    A package names them in its ``pyproject.toml``: ours has, in
    ``[project.entry-points."jamboree.laws"]``, the line
    ``engines = "strategies.native.verification.engine_laws:LAWS"``.  They are loaded when a game is
    checked.
    """
    named = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(law for entry in named for law in entry.load())


def laws(game: AnyGame) -> tuple[Law, ...]:
    """Return the laws that apply to a game.

    >>> from games import HANDOUT_SMALL
    >>> len(laws(HANDOUT_SMALL)) < len(LAWS)    # the game has no chance and defines no hooks
    True
    >>> laws(HANDOUT_SMALL)[0].sentence
    'Every rule returns in every position where it may be called, and none raises an error.'
    """
    return tuple(law for law in LAWS if not law.unless(game))


def all_laws(extra: Iterable[Law], skip: Mapping[str, str]) -> tuple[Law, ...]:
    """Return the laws of the kit, those of installed packages, and the caller's.

    Raises: ValueError if two laws share a name, or if `skip` names a law that does not exist or
    gives no reason.
    """
    extra = tuple(extra)
    every = (*LAWS, *(law for law in installed_laws() if law not in extra), *extra)
    names = [law.name for law in every]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ArgumentError(f"two laws are called {twice[0]}")
    unknown = sorted(set(skip) - set(names))
    if unknown:
        raise ArgumentError(f"skip: no law is called {shown(unknown[0])}; laws: {', '.join(names)}")
    for name, reason in skip.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ArgumentError(f"skip: give a reason for skipping {name}")
    return every
