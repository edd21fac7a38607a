"""Memory that searches share with their callers and with each other: cells and tables.

It consists of rows of 64-bit cells, which machine code, Python and threads read and write by index
without a lock. It imports `games.u64` and nothing else of this project. Start with `cells`, then
`transposition_table`; `abdada_marks` records which positions other threads are searching.
"""
