"""Agents that search, the loop that plays games, tournaments, and learning by playing.

This subpackage may import `searches` and the layers below. Start with `search_agent` and
`game_loop`; `tournaments` pairs agents, `weights` tunes the weights of an estimate, and `learning`
trains networks.
"""
