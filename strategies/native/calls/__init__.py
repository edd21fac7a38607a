"""The calls of kernels: each lays out cells, runs a kernel and reads its result.

A call takes an engine, a position and options as Python values, and returns a record of the result.
It may use the engine and all below it, and knows no strategy and no `Algorithm`.  Begin with
`run_kernel`, which all searches go through, then read `alphabeta`; `solver` makes null-window
proofs.
"""
