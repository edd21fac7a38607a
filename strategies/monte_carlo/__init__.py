"""Monte Carlo tree search: simulations in place of an exhaustive search."""
