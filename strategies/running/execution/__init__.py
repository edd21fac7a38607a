"""Inside one task: search a node in a strategy's order, by one engine, in live windows.

It may import `records`, `runtime` and the layers below `running`, but not Dask. Start with
`branches` (the branches that a task searches, each node in place, and whether its spark converts or
fizzles); `dispatch` chooses the kernel, `iteration` keeps the transposition table.
"""
