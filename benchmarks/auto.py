"""auto(): does a short probe find as good a strategy as a sweep of them all?

    python -m benchmarks auto                # a table for each position, then the figures
    python -m benchmarks.auto NUMBER         # one position

Times are from the call to the answer on two workers; that of auto() includes the probe.  The
rounds are interleaved; the figures are medians.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, seconds
from benchmarks.usage import own_arguments

POSITIONS = (
    ("Connect Four", "", 15),
    ("Riskless, 12 territories", "acre>alba", 12),
    ("2048", "2 4 8 16  2 8 4 2  . . . .  2 . . .", 10),
)
"""A game, a position, the plies to search."""
WITH_WINDOWS = (
    "seq",
    "root_split",
    "jamboree(0.5).to_ply(2)",
    "jamboree(0.25).live().to_ply(2)",
    "young_brothers_wait.to_ply(2)",
    "young_brothers_wait.to_ply(3)",
    "pv_split.to_ply(4)",
    "pv_split.to_ply(8)",
    "scout.to_ply(1)",
    "scout.to_ply(2)",
    "scout.to_ply(3)",
    "by_type(pv=scout).to_ply(4)",
    "by_type(pv=scout).to_ply(8)",
)
WITHOUT = (
    "seq",
    "par_list.to_ply(1)",
    "par_list.to_ply(2)",
    "par_list.to_ply(3)",
    "par_list_chunk(2).to_ply(1)",
    "par_list_chunk(4).to_ply(2)",
    "budget(threads=8)",
)
SECONDS = 12.0
"""A strategy that is so slow in its first round is not asked again."""


@frozen
class Question:
    """One position, and the search of it."""

    name: str
    state: str
    depth: int

    def __str__(self) -> str:
        return f"{self.name}, {self.depth} plies"

    @property
    def sweep(self) -> tuple[str, ...]:
        return WITHOUT if self.name == "2048" else WITH_WINDOWS

    def answer(self, using: Any) -> Any:
        from games import ConnectFour, Riskless, Twenty48
        from strategies import alphabeta, expectimax, search

        games = {"Connect Four": ConnectFour, "2048": Twenty48}
        game: Any = games.get(self.name, lambda: Riskless.on("continents"))()
        algorithm = (expectimax if self.name == "2048" else alphabeta)(self.depth)
        state = game.parse_state(self.state) if self.state else game.start()
        return search(game, algorithm, state=state, using=using)


@frozen
class Asked:
    """One search by auto(): the whole of it, its probe, and what was chosen."""

    whole: float
    probe: float
    using: str


def measured(question: Question, using: Any) -> Asked:
    start = perf_counter()
    answer = question.answer(using)
    probed = perf_counter() - start
    answer.compute(num_workers=2)
    return Asked(perf_counter() - start, probed, repr(answer.plan.using))


def run(quick: bool) -> list[Finding]:
    asked = [Question(*p) for p in POSITIONS]
    small = [Question(q.name, q.state, 4) for q in asked]
    return [f for q in (small if quick else asked) for f in compare(q, 1 if quick else 3)]


def compare(question: Question, rounds: int) -> Sequence[Finding]:
    """Print the sweep; auto() against the best of it, and its probe against the search."""
    from strategies import auto, parse_strategy

    ways: dict[str, Any] = {text: parse_strategy(text) for text in question.sweep}
    ways["auto()"] = auto(workers=2)
    for using in ways.values():  # compiled before anything is timed
        Question(question.name, question.state, 3).answer(using).compute(num_workers=2)
    times: dict[str, list[Asked]] = {text: [] for text in ways}
    for _ in range(rounds):
        for text, using in ways.items():
            if not times[text] or times[text][0].whole < SECONDS:
                times[text].append(measured(question, using))
    middle = {text: median(a.whole for a in found) for text, found in times.items()}
    chosen = times["auto()"]
    print(f"\n{question}, two workers:\n\n| using | time |\n|---|---|")
    for text in sorted(middle, key=lambda text: middle[text]):
        print(f"| `{text}` | {seconds(middle[text])} |")
    using = ", ".join(sorted({a.using for a in chosen}))
    print(f"\nauto() chose {using}.\n", flush=True)
    best = min(question.sweep, key=lambda text: middle[text])
    probe = median(a.probe for a in chosen)
    return [
        Finding(
            f"{question}: auto(), time", middle["auto()"] / middle[best], 1.10,
            f"`{best}`, the best of {len(question.sweep)}", f"chose `{using}`",
            seconds(middle["auto()"]), seconds(middle[best]), at_most=True,
        ),
        Finding(
            f"{question}: the probe of auto()", probe / middle["seq"], 0.05,
            "the sequential search", "", seconds(probe), seconds(middle["seq"]), at_most=True,
        ),
    ]  # fmt: skip


if __name__ == "__main__":
    for number in own_arguments(__doc__, numbers=99):
        print(*(f.row() for f in compare(Question(*POSITIONS[int(number)]), 1)), sep="\n")
