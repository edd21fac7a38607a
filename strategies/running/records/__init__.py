"""Records: the report of each task, and the ledger of sparks and the run built from them.

It uses `runtime` and the rooms below; nothing here draws or searches. Begin with `record` (one
task), then `sparks` (the ledger) and `run` (the answer of a search as data).
"""
