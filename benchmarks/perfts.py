"""How many positions a second does perft count, on one thread and on two workers?

    python -m benchmarks.perfts ROUNDS [GAME …]

prints a table of the games that have published counts, in `benchmarks/as_written`: each is counted
to the greatest depth with at most five million positions, and the count must be the published one.
Chess is counted by python-chess, too, where it is installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from benchmarks.finding import Finding
from benchmarks.measure import Work, commit, interleaved, kernel, machine, ratio, scaling
from benchmarks.usage import own_arguments

MOST: Final = 5_000_000
TINY: Final = 2_500
FOLDER: Final = Path(__file__).parent / "as_written"


@frozen
class Case:
    """A game with a table of published counts."""

    table: str
    module: str
    name: str
    ended: bool = False

    def game(self) -> Any:
        return getattr(import_module(self.module), self.name)()

    def depth(self, most: int) -> tuple[int, int]:
        """Return the greatest depth of the start whose count is small enough, and the count."""
        from games.published_counts import published

        rows = published(FOLDER / f"{self.table}.csv")
        return max((r.depth, r.count) for r in rows if not r.position and r.count <= most)


HERE = "benchmarks.as_written."
CASES = (
    Case("amazons", HERE + "amazons", "Amazons"),
    Case("breakthrough", HERE + "breakthrough", "Breakthrough"),
    Case("chess", HERE + "chess", "Chess"),
    Case("dots_and_boxes", HERE + "dots_and_boxes", "DotsAndBoxes"),
    Case("draughts", HERE + "draughts", "Draughts"),
    Case("english_draughts", HERE + "english_draughts", "EnglishDraughts"),
    Case("hex", HERE + "hex", "Hex"),
    Case("ultimate", HERE + "ultimate", "Ultimate"),
    Case("othello", "games", "Othello", ended=True),
)


@frozen
class Result:
    """The seconds of each round: one thread, two workers, and python-chess if it counted."""

    case: Case
    depth: int
    count: int
    one: list[float]
    two: list[float]
    other: list[float]


def counting(case: Case, depth: int, count: int, workers: int) -> Work:
    """Return a perft of a game on so many workers, which checks the count."""
    from strategies import par_list, perft, seq

    game, using = case.game(), seq if workers == 1 else par_list

    def work() -> None:
        found = perft(game, depth, using=using, workers=workers, ended=case.ended, engine="native")
        if found.total != count:
            raise AssertionError(f"{case.name}: {found.total:,} positions, not {count:,}")

    return work


def by_python_chess(depth: int, count: int) -> Work:
    """Return the same count by python-chess, which counts the moves of the last ply without making
    them."""
    import chess

    def positions(board: Any, left: int) -> int:
        if left == 1:
            return int(board.legal_moves.count())
        found = 0
        for move in board.legal_moves:
            board.push(move)
            found += positions(board, left - 1)
            board.pop()
        return found

    def work() -> None:
        if positions(chess.Board(), depth) != count:
            raise AssertionError("python-chess counts other positions")

    return work


def measured(case: Case, rounds: int, most: int) -> Result:
    """Measure one game; the ways run in turn."""
    depth, count = case.depth(most)
    works = [counting(case, depth, count, workers) for workers in (1, 2)]
    others = case.table == "chess" and find_spec("chess") is not None
    rows = interleaved(*works, *[by_python_chess(depth, count)] * others, rounds=rounds)
    return Result(case, depth, count, rows[0], rows[1], rows[2] if others else [])


def table(results: Iterable[Result]) -> str:
    """Return positions a second, in thousands, as a table; the best of the rounds."""
    lines = [
        "| game | depth | positions | one thread | two workers | speed-up | python-chess |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in results:
        rates = [
            f"{r.count / min(row) / 1000:,.0f}" if row else "" for row in (r.one, r.two, r.other)
        ]
        cells = [r.case.name, str(r.depth), f"{r.count:,}", *rates[:2]]
        lines.append("| " + " | ".join([*cells, f"{ratio(r.two, r.one):.2f}", rates[2]]) + " |")
    return "\n".join(lines)


def run(quick: bool) -> list[Finding]:
    """Compare two workers with one thread, and chess with python-chess."""
    found = []
    cases = [case for case in CASES if case.table in ("chess", "ultimate")] if quick else CASES
    for case in cases:
        r = measured(case, 1 if quick else 5, TINY if quick else MOST)
        one, two, other = (
            f"{r.count / min(row):,.0f} a second" if row else "" for row in (r.one, r.two, r.other)
        )
        name, work = f"perft of {case.name}", f"{r.depth} plies, {r.count:,} positions"
        two_workers = f"{name}, two workers"
        found.append(Finding(two_workers, ratio(r.two, r.one), 1.5, "one thread", work, two, one))
        if r.other:
            figure = ratio(r.one, r.other)
            found.append(Finding(name, figure, 1, "python-chess", work, one, other))
    return found


def main() -> None:
    rounds, *names = own_arguments(__doc__, numbers=1)
    chosen = [case for case in CASES if not names or case.table in names]
    work = kernel(False)
    work()  # compiles
    before = scaling(work)
    print(table([measured(case, int(rounds), MOST) for case in chosen]))
    told = f"{before:.2f} before and {scaling(work):.2f} after"
    print(f"\nCommit {commit()}; {machine()}. Two independent kernels scaled {told}.")


if __name__ == "__main__":
    main()
