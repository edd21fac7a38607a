"""Monte Carlo tree search: random simulations in place of an exhaustive search.

It may import the layers below `searches`. Start with `search` (the lazy collection), then `tree`
(what one task grows); the kernel that grows a tree is `native.kernels.uct`.
"""

from __future__ import annotations
