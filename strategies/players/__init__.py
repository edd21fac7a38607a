"""Players: agents that search, the loop that plays games, tournaments, and tuning by playing.

It uses `searches` and the rooms below. Begin with `search_agent` and `game_loop`; `tournaments`
pairs agents, `weights` tunes the weights of an estimate, `learning` learns those of a network.
"""
