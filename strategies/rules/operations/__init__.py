"""Operations: operators, comparisons, items, attributes and unpacking, by the kinds of operands.

Sequences, sets, dicts and Counters are made, joined and changed here. It may import `iteration` and
what is below. Start with `operators`.
"""
