"""Names the exit statuses of the command line."""

from __future__ import annotations

from typing import Final

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as shells have it: 128 and the number of the signal."""

CLOSED_PIPE: Final = 141
"""The exit status when nobody reads the output any more, likewise."""
