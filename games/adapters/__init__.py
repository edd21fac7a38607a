"""Games whose rules live in other libraries, each an extra to be installed."""
