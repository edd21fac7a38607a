"""The command line, ``jamboree``.

Each command is a module, ``NAME_command``. This subpackage may import all others, and none imports
it. Start with `group`, which lists the commands and loads one when it is called, then
`search_command`; `options` parses arguments.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Any, NoReturn

from strategies.cli.telling import INTERRUPTED


def main() -> None:
    """Run the command that `sys.argv` names, and exit with its status.

    Ensures: SIGTERM, by which a system's scheduler ends a process, ends it as Ctrl-C does: what is
    known so far is saved and printed.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Loading makes many objects, nearly all of which stay: with Python's threshold of 700, the
    # search for garbage cycles among them takes a seventh of the time of a short command.
    gc.set_threshold(100_000, 10, 10)
    try:
        from strategies.cli.group import jamboree

        jamboree()
    except KeyboardInterrupt:
        _end(INTERRUPTED)
    except SystemExit as stop:
        _end(stop.code)


def _end(status: Any) -> NoReturn:
    """Exit with a status, at once if a signal comes while Python ends."""
    for number in signal.SIGINT, signal.SIGTERM:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(status))
    gc.freeze()  # without it, Python searches all objects for cycles before the process ends
    sys.exit(status)
