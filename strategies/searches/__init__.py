"""The front door: `search`, `solve` and `using`, their lazy collections and their results.

It puts the rooms below together and adds what people look at: pictures, traces, reports. Begin with
`search` (the function) and `collection` (a search and its result); `monte_carlo` and
`local_search` are the other families of search, `evaluations` are of any values.
"""
