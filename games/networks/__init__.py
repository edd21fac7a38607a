"""Networks that judge positions by weights that were learned: n-tuples of cells, looked up.

Begin with `ntuples`, a network as data; `learned` makes the game that is judged by one.
"""
