"""When a number is a fault: each threshold, and why it lies where it does."""

from __future__ import annotations

from typing import Final

SHORTEST: Final = 0.02
"""Seconds: starting threads, and one time slice that another program takes, would decide what a
shorter run looks like; and nobody waits for it."""
IDLE: Final = 0.25
"""A quarter of the workers' time: less than that is lost at the joins of any tree search."""
EACH: Final = 2
"""Converted sparks for each worker: with fewer, no order of them can even out their sizes."""
ALONE: Final = 0.5
"""A half of the run: one task that takes so long halves the gain from any number of workers."""
GRAIN: Final = 9
"""Times its cost that a task should search: then nine tenths of the time are search."""
OVERHEAD: Final = 0.2
"""A fifth of the time: twice what tasks of the recommended grain cost."""
MANY: Final = 500
"""Sparks for each worker: so many even out any sizes, and more only cost."""
FIZZLED: Final = 0.5
"""Half of the sparks: then asking for them was the wrong guess more often than not."""
PAID: Final = 0.1
"""A tenth of the time, spent on sparks that did nothing."""
HANDED: Final = 0.4
"""Two fifths of the time spent on handing out tasks: more workers would wait in the same line."""
STALE: Final = 1.25
"""Times the nodes of the sequential search: two workers then gain 1.6 at best."""
