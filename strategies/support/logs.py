"""Loggers of the parts of Jamboree, silent unless the application configures logging."""

from __future__ import annotations

import logging

logging.getLogger("jamboree").addHandler(logging.NullHandler())


def logger_of(part: str) -> logging.Logger:
    """Return the logger of a part of Jamboree.

    >>> logger_of("engine").name
    'jamboree.engine'
    """
    return logging.getLogger(f"jamboree.{part}")
