"""Hooks of trees that are no games in compiled code, resolved like those of games."""

from __future__ import annotations

from typing import Any

from strategies.native import tree_hooks
from strategies.native.compiler.hook_overloads import constant, has_hook
from strategies.native.compiler.parts import OPTIONS, instruction, overload


@overload(tree_hooks.measure_of, **OPTIONS)
def _measure_of(game: Any, state: Any) -> Any:
    if has_hook(game, "measure"):
        return lambda game, state: game.measure(state)
    return lambda game, state: 1


@overload(tree_hooks.combined_of, **OPTIONS)
def _combined_of(game: Any, first: Any, second: Any) -> Any:
    if has_hook(game, "combine"):
        return lambda game, first, second: game.combine(first, second)
    return lambda game, first, second: first + second


@instruction(tree_hooks.asks_status)
def _asks_status(typing: Any, game: Any) -> Any:
    hooks = has_hook(game, "children") or has_hook(game, "moves_in_play")
    return constant(game, hooks or game.shape.asks_status)


@instruction(tree_hooks.sorted_bounds)
def _sorted_bounds(typing: Any, game: Any) -> Any:
    return constant(game, bool(game.shape.number["sorted_bounds"]))
