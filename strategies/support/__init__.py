"""Supports the rooms above with what knows no games: whole files, journals, GC pauses.

This room uses nothing of the package.
"""
