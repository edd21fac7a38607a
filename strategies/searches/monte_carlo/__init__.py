"""Monte Carlo tree search: simulations in place of an exhaustive search."""

from __future__ import annotations
