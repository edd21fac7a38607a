"""Schedulers, cancellation, deadlines and pools: how work is started, stopped and awaited.

It is independent of games. Begin with `ordered_scheduler`, which starts the leftmost ready task
first, then `cancellation`, which stops running searches.
"""
