"""Strategies over any Dask values: Control.Parallel.Strategies for what `dask.delayed` makes.

A strategy says which values share a task, which get a task of their own, and what waits for what;
it never says what is computed.  `basic`, `parallel` and `sequential` hold the strategies, which
are plain data; `thread` and `lowering` make Dask's graph of an evaluation by them, `planned` tells
what is in it.  `using`, which people call, is in the room `searches`.
"""

from __future__ import annotations
