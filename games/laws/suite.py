"""The laws of a game as a test class, in one line of a test file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

from games.laws.catalogue import all_laws, installed_laws
from games.laws.examine import Verdict, examine
from games.laws.law import AnyGame, Law
from games.laws.limits import LIMIT
from games.laws.of_counts import NAME, SENTENCE, counts_of
from games.laws.plays import Plays
from games.laws.trace import MAX_PLIES

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
        raise ImportError("law_suite needs pytest: pip install 'jamboree-search[laws]'")
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
