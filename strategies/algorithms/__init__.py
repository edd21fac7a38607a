"""Search algorithms as values: what is computed at a node, and how branches are combined.

An algorithm says which value a position has (minimax, expectimax, maxn) and which search finds it
(alpha-beta, principal variation search, MTD(f)); it runs nothing. This room uses `algebra` and the
game signature.

Begin with `algorithm` (the values that people write) and `fold` (how a node combines its branches,
and the window that it leaves to the next one).
"""
