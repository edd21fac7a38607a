"""The page that replays a search: its tree, its trace and its sparks, step by step.

Start with `page`; the scripts beside it draw what `rows` made of each moment.
"""
