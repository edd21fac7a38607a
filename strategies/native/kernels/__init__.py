"""Kernels: each is an algorithm's search of one position, written once and run by both engines.

A kernel is a plain Python function over a game's rules and rows of cells. Python can run it
directly; the compiler makes one C function of it for each game. It may import `hooks`, `memory` and
`control`, and nothing that holds Python objects; it calls only itself, or kernels that do not call
it. Start with `control` (the cells that a search shares with its caller), then
`fixed_depth.search`, the simplest kernel; `alphabeta` adds the table and move ordering.
"""
