"""The kernels: each algorithm's search of one position, written once and run on both engines.

A kernel is a plain Python function over a game's rules and rows of cells.  Python can run it
directly; the compiler makes one C function of it for each game.  It may use `hooks`, `memory` and
`control`, and nothing that holds Python objects; it calls only itself, or kernels that do not call
it.  Begin with `control` for the cells that a search shares with its caller, then read
`fixed_depth.search`, the simplest one; `alphabeta` adds the table and move ordering.
"""
