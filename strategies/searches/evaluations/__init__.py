"""Evaluate any Dask values by a strategy, as lazy collections with pictures and reports.

It may import `insight` and the layers below; `values` defines the strategies and their tasks. Start
with `using` (the function) and `evaluated` (what it returns); `run` is a recorded evaluation.
"""
