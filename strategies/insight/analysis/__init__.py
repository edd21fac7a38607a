"""Analysis of a run: how it would scale to more workers, and what its sparks contributed.

It reads records and plans, and draws nothing. It may import `running` and the layers below, but not
its neighbours in `insight`. Start with `work_span` (work, span, parallelism), then `simulation`
and `simulate` (virtual workers); `trace` logs a search line by line.
"""
