"""Carry out a search: plans, their tasks, and the records of a run.

`plans` turns a game, an algorithm and a strategy into a graph of Dask tasks; `execution` is what
happens inside one task; `records` is what a task reports; `runtime` has schedulers, cancellation
and deadlines. This subpackage may import `notation` and the layers below.

Start with `plans.plan` (the data), then `plans.opening` (how it is made) and `plans.lowering` (how
it becomes tasks). On a cluster, `plans.on_cluster` combines these tasks into bundles.
"""
