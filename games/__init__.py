"""Games: the interface, the rules of each game, agents, a referee, and the law kit.

This package defines how games are played, not how they are searched. It may import `graphs`, but
not `strategies`, Numba or Dask. Start with `games.game` (the interface), then `games.tictactoe`
(the shortest rules). `games.referee` plays a game; `games.laws` tests its rules.

Names load on first use, so that ``import games`` is fast; ``__init__.pyi`` lists them.
"""

from games.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402

__getattr__, __dir__, __all__ = attach_stub(__name__)
