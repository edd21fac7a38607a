"""Evaluations: any values of Dask's, evaluated by a strategy, as lazy collections to look at.

Begin with `using` (the function) and `evaluated` (what it returns); `run` is one that was recorded.
The strategies and the threads of an evaluation are in the room `values`.
"""
