"""The public names of the three packages, for type checkers."""

from games import *  # noqa: F403
from graphs import *  # noqa: F403
from strategies import *  # noqa: F403
