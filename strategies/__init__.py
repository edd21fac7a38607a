"""Search a game tree by a strategy, in parallel, and see what it cost and why.

This package may import `games` and `graphs`. Its subpackages form layers: each imports only from
those below it. Start with `searches.search` (a search from the user's side) and
`algebra.combinators` (the strategies).

Names load on first use, so that ``import strategies`` is fast; ``__init__.pyi`` lists them.
"""

from strategies.support.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402  # after the check

__getattr__, __dir__, __all__ = attach_stub(__name__)
