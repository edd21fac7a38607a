"""Plans: game x algorithm x strategy as immutable data, and the task graphs made from them.

Only this room and `runtime` depend on Dask. It uses `execution`, `records` and `runtime`. Begin
with `plan`, then `opening`, `lowering` and `tasks`; `search_graph` is the lazy collection that runs
a plan.
"""
