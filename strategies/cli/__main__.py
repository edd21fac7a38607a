"""``python -m strategies.cli`` is ``jamboree``."""

from __future__ import annotations

from strategies.cli import main

if __name__ == "__main__":
    main()
