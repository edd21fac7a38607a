"""Tools that are independent of games and searches: files, journals, tables, progress bars.

The layers above may import it; it imports only `graphs`. Start with `printing` (tables as text) and
`journal` (files that an interrupted program can resume).
"""
