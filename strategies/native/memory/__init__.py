"""The memory that searches share with their callers and with each other: cells and tables.

All of it is rows of 64-bit cells, which machine code and Python read and write by index, and
threads without a lock.  Of this project it uses `games.u64` alone.  Begin with `cells`, then with
`transposition_table`; `abdada_marks` says which positions other threads are searching now.
"""
