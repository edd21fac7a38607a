"""The laws of a game as a class of tests, for one line in a test file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.laws.catalogue import all_laws, installed_laws
from games.laws.examine import examine
from games.laws.law import AnyGame, Law
from games.laws.limits import LIMIT
from games.laws.plays import Plays
from games.laws.trace import MAX_PLIES

PROFILE: Final = "JAMBOREE_LAWS"
"""The environment variable that says how hard suites try, where they do not say it themselves."""


def law_suite(
    game: AnyGame,
    extra: Iterable[Law] = (),
    skip: Mapping[str, str] | None = None,
    *,
    profile: str | None = None,
    seed: int = 0,
    max_plies: int = MAX_PLIES,
    limit: float = LIMIT,
) -> type:
    """A class with one test a law, for pytest to collect: ``TestMyGame = law_suite(MyGame())``.

    Requires: `skip` gives the reason for each law skipped, by name, or ValueError; `profile` is
    "dev", "ci" or "deep" (60, 200, 5000 plays a law), by default what the environment variable
    ``JAMBOREE_LAWS`` says, or "dev"; the name that the class is given starts with ``Test``.
    Ensures: a run repeats itself, as the seed is fixed.  Laws that do not apply to the game have no
    test; a law that is skipped, or about no position that was reached, shows as skipped with the
    reason.  So does one of an installed package that does not apply, such as that the engines
    agree: whether rules compile is not asked before the tests run.  A rule that does not answer
    within `limit` seconds breaks the law that asked it.

    >>> from games import HANDOUT_SMALL
    >>> TestHandout = law_suite(HANDOUT_SMALL)
    >>> TestHandout().test_moves_are_distinct()
    """
    try:
        import pytest
    except ImportError as error:
        raise ImportError("law_suite needs pytest: pip install 'jamboree-search[laws]'") from error

    skip = dict(skip or {})
    plays = Plays(game, profile or os.environ.get(PROFILE, "dev"), seed, max_plies, limit)

    def test_of(law: Law) -> Callable[[Any], None]:
        def test(self: Any) -> None:
            if law.name in skip:
                pytest.skip(f"{law.name}: {skip[law.name]}")
            verdict = examine(law, plays)
            if verdict.result in ("not met", "not applicable"):
                pytest.skip(f"{law.name}: {verdict.result}: {verdict.reason}")
            if verdict.result == "broken":
                pytest.fail(f"{game!r}\n{verdict}", pytrace=False)

        test.__name__ = f"test_{law.name}"
        test.__doc__ = law.sentence
        return test

    late = installed_laws()
    chosen = [law for law in all_laws(extra, skip) if law in late or not law.unless(game)]
    tests = [test_of(law) for law in chosen]
    return type("LawSuite", (), {test.__name__: test for test in tests} | {"__doc__": repr(game)})
