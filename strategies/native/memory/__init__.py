"""The memory that searches share with their callers and with each other: cells and tables.

It consists of rows of 64-bit cells, which machine code and Python read and write by index, and
threads without a lock.  It imports `games.u64` and nothing else of this project.  Begin with
`cells`, then read `transposition_table`; `abdada_marks` says which positions other threads are
searching now.
"""
