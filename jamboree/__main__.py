"""``python -m jamboree`` is the command line."""

from strategies.cli import main

if __name__ == "__main__":
    main()
