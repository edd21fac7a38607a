"""The thresholds above which a number counts as a fault, each with its reason."""

from __future__ import annotations

from typing import Final

SHORTEST: Final = 0.02
"""Seconds. In a shorter run, the start of threads and one time slice of another program decide the
numbers; and nobody waits for it."""
BUSY: Final = 0.9
"""The part of their time in which long tasks have a processor: on a quiet machine it was never
below 0.95, beside two programs that never wait about 0.5."""
LONG: Final = 0.002
"""Seconds of processor time.  A shorter task may wait as long for Python's lock, which its
neighbours hold, as for a processor: on a quiet machine, half of its time."""
BRIEF: Final = 0.0002
"""Seconds.  Of a shorter spark, some tens of microseconds are Python code around its search."""
IDLE: Final = 0.25
"""A quarter of the workers' time. Any tree search loses somewhat less where it joins results."""
EACH: Final = 2
"""Converted sparks per worker. With fewer, no order of them can even out their sizes."""
ALONE: Final = 0.5
"""Half of the run. One task of that length limits the speed-up to two."""
GRAIN: Final = 9
"""A task should search for so many times its cost: then nine tenths of the time are search."""
OVERHEAD: Final = 0.2
"""A fifth of the time: twice the overhead of tasks of the recommended grain."""
MANY: Final = 500
"""Sparks per worker. So many even out any sizes; more only add overhead."""
FIZZLED: Final = 0.5
"""Half of the sparks: then sparking was the wrong guess more often than not."""
PAID: Final = 0.1
"""A tenth of the time, spent on sparks that had nothing to search."""
HANDED: Final = 0.4
"""Two fifths of the time, spent on starting tasks: more workers would wait for the same
scheduler."""
STALE: Final = 1.25
"""Times the nodes of the sequential search: two workers then reach a speed-up of 1.6 at best."""
