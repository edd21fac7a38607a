"""Calls of functions that are written in Python: arguments, inner functions, and instances.

A function is compiled once for each combination of kinds of arguments. It may import `operations`
and what is below. Start with `invoking`.
"""
