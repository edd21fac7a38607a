"""Strategies: how a game tree is searched, in what order, by how many, and what came of it.

Names load on first use, so that ``import strategies`` costs next to nothing; ``__init__.pyi`` lists
them.
"""

from strategies.support.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402  # after the check

__getattr__, __dir__, __all__ = attach_stub(__name__)
