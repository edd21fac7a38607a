"""Strategies over any Dask values: Control.Parallel.Strategies for what `dask.delayed` makes.

A strategy says which values share a task, which get a task of their own, and what waits for what;
it never says what is computed.  `basic`, `parallel` and `sequential` hold the strategies, which
are plain data; `using` evaluates by them; `thread` and `lowering` make Dask's graph of it.
"""

from __future__ import annotations
