"""Supports the rooms above with what knows no games: files, journals, tables, bars, GC pauses.

This room uses nothing of the package.
"""
