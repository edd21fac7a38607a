"""Small trees on which one strategy shows one thing that happens to sparks."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from attrs import frozen

from games.explicit import HANDOUT_BIG, HANDOUT_FIRST, HANDOUT_SMALL, ExplicitGame


@frozen
class Lesson:
    """A tree, the strategy to watch on it, and what to notice."""

    tree: ExplicitGame
    depth: int
    """The plies of the tree."""
    using: str
    """The strategy, as an expression."""
    other: str
    """The strategy to compare it with."""
    notice: str


LESSONS: Final = MappingProxyType(
    {
        "best_last": Lesson(
            ExplicitGame.from_nested([[[1, 2], [2, 1]], [[3, 4], [4, 3]], [[5, 6], [6, 5]]]),
            3, "par_list", "seq",
            "Every spark converts, and none visits a leaf that seq does not visit: the work is "
            "that of seq, and the span a third of it.",
        ),
        "best_first": Lesson(
            ExplicitGame.from_nested(
                [[[8, 7], [7, 9]], [[3, 4], [9, 8]], [[2, 5], [9, 9]], [[4, 1], [8, 8]]]
            ),
            3, "par_list", "seq",
            "Under seq the first move is worth 8, and each other move is cut after its first "
            "reply. Under par_list no spark knows of the 8, so all replies are searched.",
        ),
        "late_spark": Lesson(
            ExplicitGame.from_nested(
                [[[5, 3], [6, 4]], [[2, 1], [3, 4], [9, 8], [7, 9]],
                 [[4, 2], [9, 6], [8, 8], [7, 9]]]
            ),
            3, "jamboree(0.5).to_ply(2)", "par_list.to_ply(2)",
            "Half of the replies to a move are searched in order. The first one refutes it, so the "
            "sparks on the other half fizzle: they find their windows closed.",
        ),
        "stopped_short": Lesson(
            ExplicitGame.from_nested(
                [[[6, 5], [7, 6]], [[2, 1], [[9, 8], [7, 9], [8, 6], [9, 7]], [8, 9]]]
            ),
            4, "par_list.live().to_ply(2)", "seq",
            "Windows are live. While one worker is in the long reply, the other finds a short one "
            "that refutes the move: the long search is aborted half-way, and the next spark "
            "fizzles.",
        ),
    }
)  # fmt: skip
"""The lessons by name: what to notice when they are replayed on two workers."""
BEST_LAST, BEST_FIRST, LATE_SPARK, STOPPED_SHORT = (lesson.tree for lesson in LESSONS.values())


def notice_of(game: object) -> str:
    """Return what to notice in a tree of a lesson; empty for any other game.

    >>> notice_of(BEST_LAST)[:19], notice_of(ExplicitGame.from_nested([1, 2]))
    ('Every spark convert', '')
    """
    return next((lesson.notice for lesson in LESSONS.values() if lesson.tree == game), "")


NAMED: Final = MappingProxyType(
    {
        "HANDOUT_FIRST": HANDOUT_FIRST,
        "HANDOUT_BIG": HANDOUT_BIG,
        "HANDOUT_SMALL": HANDOUT_SMALL,
        **{name.upper(): lesson.tree for name, lesson in LESSONS.items()},
    }
)
"""The explicit trees of this package, by their names."""
