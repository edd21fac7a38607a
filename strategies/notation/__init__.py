"""Text for strategies, algorithms and ``using=``: read back without running code, and explained.

This room uses `algebra`, `algorithms` and `values`. Begin with `strategies`, the reader of
strategies; `explain` says in words what a strategy does.
"""
