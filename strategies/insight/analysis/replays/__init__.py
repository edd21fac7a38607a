"""Replays: a run as a list of moments, each a step of the search or of a spark.

A replay is a pure function of a run and its records.  Start with `replayed`.  The function `replay`
of `analysis.simulation` is another thing: it schedules recorded tasks on other numbers of workers.
"""
