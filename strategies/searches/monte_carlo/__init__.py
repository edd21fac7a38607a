"""Monte Carlo tree search: simulations in place of an exhaustive search.

Begin with `search` (the lazy collection), then `growing` (what one task does); the kernel that
grows a tree is `native.kernels.uct`.
"""

from __future__ import annotations
