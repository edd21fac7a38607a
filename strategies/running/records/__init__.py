"""Records: the report of each task, and the ledger of sparks and the run built from them.

They may import `runtime` and the layers below `running`; nothing here draws or searches. Start with
`record` (one task), then `sparks` (the ledger) and `run` (the answer of a search as data).
"""
