"""Connect Four, depth 7: how many times as fast as easyAI's Negamax?"""

from __future__ import annotations

from typing import Any

from benchmarks.finding import Finding, Skipped, a_node
from benchmarks.measure import interleaved, ratio


def run(quick: bool) -> list[Finding]:
    try:
        from easyAI import AI_Player, Negamax
        from easyAI.games import ConnectFour as Theirs
    except ImportError:
        raise Skipped("easyAI is not installed") from None
    from games import ConnectFour
    from strategies.native.kept_engines import engine_for

    depth = 3 if quick else 7
    count = 1

    class Counted(Theirs):  # type: ignore[misc]
        def make_move(self, column: int) -> None:
            nonlocal count
            count += 1
            super().make_move(column)

    def theirs(game: Any) -> Any:
        return Negamax(depth)(game([AI_Player(None), AI_Player(None)]))

    game = ConnectFour()
    engine = engine_for(game)
    theirs(Counted)
    seen = engine.search(game.start(), depth)
    assert count == seen.nodes, (count, seen.nodes)
    ours, anchor = interleaved(
        lambda: engine.search(game.start(), depth), lambda: theirs(Theirs), rounds=3
    )
    return [
        Finding(
            f"Connect Four alpha-beta, depth {depth}: the kernel", ratio(ours, anchor), 10_000,
            "easyAI, `Negamax`", f"{seen.nodes:,} nodes, wins only",
            a_node(min(ours), seen.nodes), a_node(min(anchor), seen.nodes),
        )
    ]  # fmt: skip
