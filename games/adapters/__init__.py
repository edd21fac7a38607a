"""Adapters: games whose rules live in other libraries, each an extra to be installed.

Begin reading with `games.adapters.chess`, the shorter one.  A library is imported when its first
game is made, never before; without it, `games.adapters.missing` says what to install.
"""
