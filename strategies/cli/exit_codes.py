"""Names the exit statuses of the command line."""

from __future__ import annotations

from typing import Final

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C: 128 plus the number of the signal, as in shells."""

CLOSED_PIPE: Final = 141
"""The exit status when the reader of the output has closed the pipe: 128 + SIGPIPE."""
