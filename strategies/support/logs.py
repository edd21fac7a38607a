"""Loggers: what happens that a person may want to know, silent unless somebody listens."""

from __future__ import annotations

import logging

logging.getLogger("jamboree").addHandler(logging.NullHandler())


def logger_of(part: str) -> logging.Logger:
    """Give the logger of a part of Jamboree.

    >>> logger_of("engine").name
    'jamboree.engine'
    """
    return logging.getLogger(f"jamboree.{part}")
