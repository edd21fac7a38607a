"""Strategies for any Dask values, after Haskell's Control.Parallel.Strategies.

A strategy says which values share a task, which get their own task, and which tasks wait for which;
it does not say what is computed. This subpackage may import `algorithms`, `native`, `algebra` and
`support`.

Start with `basic`, `parallel` and `sequential` (the strategies, which are plain data), then
`thread` and `lowering` (which make the Dask graph of an evaluation, and list its tasks). `notation`
reads every strategy from text, and `explain` describes one in words. The public function `using` is
in `searches.evaluations`.
"""

from __future__ import annotations
