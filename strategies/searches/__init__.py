"""The front door: `search`, `solve` and `using`, their lazy collections and their results.

It combines the layers below and adds what users look at: pictures, traces, reports. It may import
`insight` and the layers below. Start with `search` (the function) and `collection` (a search and
its result); `monte_carlo` and `local_search` are other families of searches, and `evaluations`
evaluates any Dask values.
"""
