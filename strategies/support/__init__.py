"""Supports the rooms above with tools that know no games: files, journals, tables, progress bars.

This room uses nothing of the package.
"""
