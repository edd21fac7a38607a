"""Read strategies, algorithms and ``using=`` from text without running code, and explain them.

This subpackage may import `values`, `algorithms`, `algebra` and `support`. Start with `strategies`,
which reads all of them; `explain` describes a strategy in words.
"""
