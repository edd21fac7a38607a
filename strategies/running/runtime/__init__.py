"""Schedulers, cancellation, deadlines and pools: how work is started, stopped and awaited.

It may import the layers below `running`, and is independent of games. Start with
`ordered_scheduler`, which starts the leftmost ready task first, then `cancellation`, which stops
running searches.
"""
