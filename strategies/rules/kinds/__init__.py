"""Kinds: what the compiler knows of a value, how two of them join, and how values lie in memory.

Also what code of a function does besides giving a value (`effects`), and the classes of Python
that kinds stand for. It may import `language`. Start with `kind`, then `parts`, `joining` and
`forms`.
"""
