"""Supports the rooms above with what knows no games: whole files, journals, tables, GC pauses.

This room uses nothing of the package.
"""
