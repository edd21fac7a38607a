"""Memory that searches share with their callers and with each other: cells and tables.

It consists of rows of 64-bit cells, which machine code, Python and threads read and write by index
without a lock. Of `strategies` it imports only the locks of `support`. Start with `cells`, then
`transposition_table`; `shared_cells` record which positions other threads are searching, and
`saved_blocks` saves memory to a file.
"""
