"""Runs the command line: ``python -m jamboree``."""

from strategies.cli import main

if __name__ == "__main__":
    main()
