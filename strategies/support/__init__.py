"""Helpers that know nothing of games or searches: files written whole, journals, GC pauses.

This room uses nothing of the package.
"""
