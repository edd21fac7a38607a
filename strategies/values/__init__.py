"""Strategies over any Dask values: Control.Parallel.Strategies for `dask.delayed`.

A strategy says which values share a task, which get their own task, and which tasks wait for which;
it never says what is computed.  `basic`, `parallel` and `sequential` have the strategies, which are
plain data; `thread` and `lowering` make the Dask graph of an evaluation, and `planned` lists its
tasks.  The public function `using` is in the room `searches`.
"""

from __future__ import annotations
