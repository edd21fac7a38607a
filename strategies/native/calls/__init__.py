"""Calls of kernels: each lays out memory cells, runs a kernel and reads its result.

A call takes an engine, a position and options as Python values, and returns a record of the result.
It may import the engine and the layers below it; it is independent of strategies and of
`Algorithm`. Start with `run_kernel`, which all searches go through, then `alphabeta`; `solver`
makes null-window proofs.
"""
