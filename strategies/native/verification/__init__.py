"""Verifies that both engines say the same: rule by rule, and by whole searches.

It stands above the calls and is used by no search.  Begin with `parity`, which compares both
engines on random plays; `engine_laws` adds the comparison to the laws of games; `checked_ints`
finds ints that leave 64 bits.
"""
