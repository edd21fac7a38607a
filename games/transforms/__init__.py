"""Transforms: games made from other games, whose rules they ask for all that they do not change.

Begin reading with `games.transforms.transform`, which passes the rules on; then
`games.transforms.chance` turns a player into chance, and `games.transforms.coalition` all but one
into his opponent.  They may use the signature, and no particular game.
"""
