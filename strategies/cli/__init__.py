"""The command line: ``jamboree``."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it: 128 and the number of the signal."""

CLOSED_PIPE = 141
"""The exit status when nobody reads the output any more, likewise."""


def main() -> None:
    """Runs the command that `sys.argv` names, and exits with its status."""
    try:
        from strategies.cli.group import jamboree

        jamboree()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
