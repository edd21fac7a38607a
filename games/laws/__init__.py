"""The law kit: laws that every game must keep, checked by Hypothesis tests or in a report.

One line in a test file tests a game: ``TestMyGame = law_suite(MyGame())``.

This package needs Hypothesis. It may import everything in `games`, and nothing in `games` imports
it. Start with `games.laws.law` (what a law is) and `games.laws.of_states` (the first laws);
`games.laws.check` runs them.
"""

try:
    import hypothesis as _hypothesis  # noqa: F401
except ImportError as error:
    raise ImportError("games.laws needs Hypothesis: pip install hypothesis pytest") from error

from games.laws.check import LAWS, Report, check_laws, installed_laws, law_suite, laws
from games.laws.examine import Verdict
from games.laws.law import Law, law_of_positions, law_of_states, law_of_traces
from games.laws.of_counts import PublishedCounts
from games.laws.rules import Broken
from games.laws.trace import Trace, replay, state_and_move, states, traces

__all__ = [
    "LAWS",
    "Broken",
    "Law",
    "PublishedCounts",
    "Report",
    "Trace",
    "Verdict",
    "check_laws",
    "installed_laws",
    "law_of_positions",
    "law_of_states",
    "law_of_traces",
    "law_suite",
    "laws",
    "replay",
    "state_and_move",
    "states",
    "traces",
]
