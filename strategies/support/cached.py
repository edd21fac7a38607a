"""A property that is worked out once for each object, by any number of threads.

That of `functools` takes one lock for all objects of a class, in Python 3.11: threads wait for each
other, and a process that is forked meanwhile waits for ever.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):
        """A cached property without a lock: two threads may both work out the same value."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            known = vars(instance)
            if self.attrname not in known:
                known[self.attrname] = self.func(instance)
            return known[self.attrname]
