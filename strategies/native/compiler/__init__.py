"""The compiler of rules, which turns the methods of a game into machine code.

Only this subpackage imports Numba and llvmlite, and it is loaded when the first game is compiled.
It may import `hooks`, `memory`, `digest` and the layers below them, but no kernel. Start with
`rules`.
"""

from __future__ import annotations
