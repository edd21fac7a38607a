"""Sequences with list and tree views, and adjacency graphs.

Names load on first use, so that whoever needs only sequences does without NumPy; ``__init__.pyi``
lists them.
"""

from graphs.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402

__getattr__, __dir__, __all__ = attach_stub(__name__)
