"""Plans: game x algorithm x strategy as immutable data, and the graph of tasks made of it.

The only part of a search that knows Dask, with `runtime`. It uses `execution`, `records` and
`runtime`. Begin with `plan`, then `opening`, `lowering` and `tasks`; `search_graph` is the lazy
collection that runs a plan.
"""
