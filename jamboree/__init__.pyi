"""What type checkers read: the public names of the three packages."""

from games import *  # noqa: F403
from graphs import *  # noqa: F403
from strategies import *  # noqa: F403
