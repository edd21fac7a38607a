"""Checking a game from a prompt: every law, one report."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from html import escape

from attrs import asdict, frozen

from games.laws.catalogue import all_laws
from games.laws.examine import Verdict, examine
from games.laws.law import AnyGame, Law
from games.laws.limits import LIMIT
from games.laws.plays import Plays
from games.laws.trace import MAX_PLIES


@frozen
class Report:
    """The verdict on each law of a game; prints itself."""

    game: str
    profile: str
    seed: int
    max_plies: int
    verdicts: tuple[Verdict, ...]

    @property
    def ok(self) -> bool:
        """Whether no law is broken."""
        return not self.broken

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """The verdicts on the laws that do not hold."""
        return tuple(v for v in self.verdicts if v.result == "broken")

    def to_json(self) -> str:
        """The report as JSON: an object with `ok` and the fields, one verdict an object."""
        return json.dumps({"ok": self.ok} | asdict(self), indent=2)

    def __str__(self) -> str:
        made = f"profile {self.profile}, seed {self.seed}, at most {self.max_plies} plies"
        return "\n".join([f"{self.game}: {self.summary} ({made})", *map(str, self.verdicts)])

    def _repr_html_(self) -> str:
        """Show the verdicts in a notebook."""
        return f'<pre style="white-space:pre-wrap">{escape(str(self))}</pre>'

    @property
    def summary(self) -> str:
        """How many laws came to what, in words."""
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
    tell: Callable[[Verdict], None] | None = None,
    stuck: Callable[[Verdict], None] | None = None,
) -> Report:
    """Puts every law to the test on random plays of a game, and reports each broken law with the
    shortest sequence of moves that shows it.

    Laws that installed packages add are among them: that the engines agree is one of `strategies`.

    Requires: `skip` gives the reason for each law skipped, by name; `profile` is "dev", "ci" or
    "deep" (60, 200, 5000 plays a law); `limit` is above 0; or ValueError.
    Ensures: the report names the seed that repeats it; without `seed` it is 0 in profile "ci" and
    a new one in the others.  A rule that does not answer within `limit` seconds breaks the law that
    asked it.  `tell` is told each verdict as it is found; `stuck`, from another thread, that of a
    law in which a call runs that cannot even be stopped, after twice the limit.

    >>> from games import HANDOUT_SMALL
    >>> check_laws(HANDOUT_SMALL).ok
    True
    """
    skip = skip or {}
    if seed is None:
        seed = 0 if profile == "ci" else secrets.randbelow(2**32)
    plays = Plays(game, profile, seed, max_plies, limit)
    verdicts = []
    for law in all_laws(extra, skip):
        if law.name in skip:
            verdict = Verdict(law.name, law.sentence, "skipped", skip[law.name])
        else:
            verdict = examine(law, plays, stuck)
        if tell is not None:
            tell(verdict)
        verdicts.append(verdict)
    return Report(repr(game), profile, seed, max_plies, tuple(verdicts))
