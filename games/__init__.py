"""Games: the signature, the rules, the players and the referee, the law kit.

The package knows how games are played, and nothing of how they are searched: it may use `graphs`,
never `strategies`, Numba or Dask.  Begin reading with `games.game`, the signature; then with
`games.tictactoe`, the shortest rules; `games.referee` plays a game, `games.laws` tests its rules.

Names load on first use, so that ``import games`` costs next to nothing; ``__init__.pyi`` lists
them.
"""

from games.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402

__getattr__, __dir__, __all__ = attach_stub(__name__)
