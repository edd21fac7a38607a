"""Containers in memory: arrays of numpy, deques, and tables, which are sets and dicts.

How they lie there, and how one element is found, put or taken. Start with `tables`; how their
entries lie is in `code.storage`. It may import `values` and what is below.
"""
