"""Games as one writes them first: ordinary Python, with no thought of a compiler.

Nothing here is tuned: boards are tuples of tuples, moves are what a reader would expect. They show
what rules cost that are written so, and that they run as machine code as they stand.

A game's table, such as `chess.csv`, has its published numbers of positions, for the law of the law
kit and for ``jamboree perft --expect``.  `othello.csv` is that of the game in `games`, with games
that have ended before.
"""
