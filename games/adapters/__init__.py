"""Adapters for games whose rules come from another library, each an optional dependency.

They may import the interface of games and `games.text_places`. A library is imported when its first
game is created; if it is not installed, `games.adapters.missing` says what to install. Start with
`games.adapters.chess`, the shorter one.
"""
