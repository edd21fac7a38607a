"""The command line: ``jamboree``."""

from __future__ import annotations

import sys

from strategies.cli.exit_codes import INTERRUPTED


def main() -> None:
    """Runs the command that `sys.argv` names, and exits with its status."""
    try:
        from strategies.cli.group import jamboree

        jamboree()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
