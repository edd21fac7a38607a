"""Search algorithms as values: what is computed at a node, and how branches are combined.

An algorithm defines the value of a position (minimax, expectimax, maxn) and the search that finds
it (alpha-beta, principal variation search, MTD(f)); it runs nothing. This subpackage may import
`games`, `native` and `algebra`.

Start with `algorithm` (the values that users write) and `fold` (how a node combines its branches,
and the window for the next one).
"""
