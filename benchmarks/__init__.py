"""Benchmarks: one file a question, each a ratio against a named anchor, measured side by side.

``python -m benchmarks`` measures all and prints a table; ``python -m benchmarks connect_four_cpp``
one.  Nothing here asserts seconds, and the tests only see that each file runs, with ``--quick``.
"""
