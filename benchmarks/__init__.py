"""Benchmarks: one file per question, each a ratio against a named anchor, measured side by side.

``python -m benchmarks`` measures all and prints a table; ``python -m benchmarks connect_four_cpp``
measures one.  Nothing here asserts seconds; the tests only check that each file runs with
``--quick``.
"""
