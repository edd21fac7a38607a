"""``python -m strategies.cli`` is ``jamboree``."""

from strategies.cli import main

if __name__ == "__main__":
    main()
