"""Values that are no containers: numbers, texts, records and members of enumerations.

And what is asked of all values: their truth, equality and hashes. It may import `code` and what is
below. Start with `numbers`, then `equality`.
"""
