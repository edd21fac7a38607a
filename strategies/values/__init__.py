"""Strategies over any Dask values: Control.Parallel.Strategies for what `dask.delayed` makes.

A strategy says which values share a task, which get a task of their own, and what waits for what;
it never says what is computed.  `basic`, `containers` and `sequential` hold the strategies, which
are plain data; `monad` evaluates by them; `thread` and `tasks` make Dask's graph of it.
"""

from __future__ import annotations
