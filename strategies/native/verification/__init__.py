"""Verifies that both engines agree: rule by rule, and by whole searches.

It is above the calls, and no search uses it.  Begin with `parity`, which compares both engines on
random plays; `engine_laws` adds the comparison to the laws of games; `checked_ints` finds ints that
leave 64 bits.
"""
