"""Drivers: threads that search one position together through a shared table.

A driver is no strategy.  A strategy is a partial order on the branches of a node: it says which
results narrow which windows, so the nodes visited follow from it.  Under a driver they follow from
which thread finds first what another has kept, and vary from run to run.  What both promise is the
value and the move: those of alpha-beta at the same depth.
"""

from strategies.drivers.driver import Driver, DriverError, abdada, lazy_smp, parse_using

__all__ = ["Driver", "DriverError", "abdada", "lazy_smp", "parse_using"]
