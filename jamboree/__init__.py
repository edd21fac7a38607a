"""The public names of `games`, `graphs` and `strategies` in one place.

Start with ``from jamboree import search, alphabeta, jamboree``; ``python -m jamboree`` is the
command line. Names load on first use, so that ``import jamboree`` is fast.

>>> import jamboree as j
>>> j.search(j.TicTacToe(), j.alphabeta(depth=2)).compute(num_workers=1).nodes > 0
True
"""

from typing import Any

from jamboree.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

import games  # noqa: E402
import graphs  # noqa: E402
import strategies  # noqa: E402

_ROOTS = (strategies, games, graphs)

__all__ = sorted({name for root in _ROOTS for name in root.__all__})


def __getattr__(name: str) -> Any:
    for root in _ROOTS:
        if name in root.__all__:
            value = getattr(root, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'jamboree' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
