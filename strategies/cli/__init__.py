"""Runs the command line, ``jamboree``.

A module for each command, ``NAME_command``, which `group` lists and loads when it is called. They
may use every other room, and no room uses them. Begin with `group`, then `search_command`; `values`
parses what people type.
"""

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
