"""The calls of kernels: cells are laid out, a kernel is run, its result is read back.

A call takes an engine, a position and options as Python values, and gives a record of what was
found.  It may use the engine and all below it, and knows no strategy and no `Algorithm`.  Begin
with `run_kernel`, which all searches go through, then with `alphabeta`; `solver` asks null-window
proofs.
"""
