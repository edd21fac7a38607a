"""Inside one task: search a node in a strategy's order, by one engine, in live windows.

It may import `records`, `runtime` and the layers below `running`, but not Dask. Start with
`branches` (the branches that a task searches, and whether its spark converts or fizzles) and `node`
(one node, searched in place); `dispatch` chooses the kernel, `tables` the transposition table.
"""
