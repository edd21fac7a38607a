"""Runs the command line as ``python -m strategies.cli``."""

from __future__ import annotations

from strategies.cli import main

if __name__ == "__main__":
    main()
