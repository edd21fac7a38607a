"""Plans: game x algorithm x strategy as immutable data, and the task graphs made from them.

They may import `execution`, `records` and `runtime`; of `running`, only plans and `runtime` may
import Dask. Start with `plan`, then `opening`, `lowering` and `tasks`; `search_graph` is the lazy
collection that runs a plan.
"""
