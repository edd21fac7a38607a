"""Inside one task: search a node in a strategy's order, by one engine, in live windows.

It uses `records`, `runtime` and the rooms below, and no Dask. Begin with `branches` (the branches
that a task searches, and whether its spark converts or fizzles) and `node` (one node, searched in
place); `dispatch` chooses the kernel, `tables` the transposition table.
"""
