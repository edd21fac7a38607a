"""Checks that both engines agree, rule by rule and by whole searches.

It may import all of `native`, and no search uses it. Start with `parity`, which compares the
engines on random plays, and finds ints that leave 64 bits; `engine_laws` adds the comparison to the
laws of games.
"""
