"""Games made from other games: with chance in place of a player, or all players against one.

They may import the interface of games, but no particular game. Start with
`games.transforms.transform`, which delegates to the rules of the other game; then read
`games.transforms.chance`.
"""
