"""Schedulers, cancellation, deadlines and pools: how work is started, ended and waited for.

It knows no games. Begin with `ordered_scheduler`, which starts the leftmost ready task first;
`cancellation` says how running searches are told to stop.
"""
