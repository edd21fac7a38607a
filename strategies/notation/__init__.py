"""Reads strategies, algorithms and ``using=`` from text without running code, and explains them.

This room uses `algebra`, `algorithms` and `values`. Start reading with `strategies`, the reader of
strategies; `explain` explains a strategy in words.
"""
