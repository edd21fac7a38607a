"""Kernels in Numba, with the rules of a game, which `strategies.rules` compiles, linked into them.

Numba is imported only here, when the first game is compiled, and in `rules.calls.jitted`, for a
user's own `@njit` functions. This package may import `kept_code`, `fingerprint` and the
layers below them, but no kernel. Start with `build`: Numba compiles a kernel for the shape of a
game (`shapes`) to a template (`templates`), and the game's own rules fill its holes (`filling`).
"""

from __future__ import annotations
