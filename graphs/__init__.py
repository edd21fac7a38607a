"""Sequences with list and tree views, and adjacency graphs.

This package imports nothing from the others. Start with `graphs.seq` (sequences and their views)
and `graphs.graph` (graphs).

Names load on first use, so that programs that need only sequences do not load NumPy;
``__init__.pyi`` lists them.
"""

from graphs.siblings import check_siblings

check_siblings(__path__[0])  # before one of them is loaded

from graphs.lazy_names import attach_stub  # noqa: E402

__getattr__, __dir__, __all__ = attach_stub(__name__)
