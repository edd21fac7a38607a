"""Iteration: what a loop runs over, element by element.

Iterators of the library that a loop uses up, generators with their frames, and sets, whose order
must not show. It may import `boundary` and what is below. Start with `steps`.
"""
