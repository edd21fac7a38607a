"""The kernels: each algorithm's search of one position, written once and run on both engines.

A kernel is a plain Python function over a game's rules and rows of cells.  Interpreted it runs as
it stands; the compiler makes one C function of it for each game.  It may use `hooks`, `memory` and
`control`, and nothing that holds Python objects; it calls at most itself, or kernels that do not
call it.  Begin with `control` for the cells that a search shares with its caller, then with
`fixed_depth.search`, the plainest one; `alphabeta` adds the table and move ordering.
"""
