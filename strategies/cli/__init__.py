"""Runs the command line, ``jamboree``.

Each command has a module, ``NAME_command``. `group` lists the commands and loads one when it is
called. This room may use every other room, and no room uses it. Start reading with `group`, then
`search_command`; `values` parses arguments.
"""

from __future__ import annotations

import sys

from strategies.cli.exit_codes import INTERRUPTED


def main() -> None:
    """Run the command that `sys.argv` names, and exit with its status."""
    try:
        from strategies.cli.group import jamboree

        jamboree()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
