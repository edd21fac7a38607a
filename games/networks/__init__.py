"""Networks that estimate positions with learned weights: n-tuple networks and dense networks.

They may import the interface of games, and NumPy. Start with `games.networks.ntuples` (a network as
data); `games.networks.learned` makes a game that estimates its positions by a network.
"""
