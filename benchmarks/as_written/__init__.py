"""Games as one writes them first: ordinary Python, with no thought of a compiler.

Nothing here is tuned: boards are tuples of tuples, moves are what a reader would expect. They show
what rules cost that are written so, and that they run as machine code as they stand.
"""
