"""Strategies: how a game tree is searched, in what order, by how many, and what came of it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strategies.agents import SearchAgent
    from strategies.algorithms import (
        Algorithm,
        AlgorithmError,
        alphabeta,
        expectimax,
        minimax,
        parse_algorithm,
    )
    from strategies.collection import Search, search
    from strategies.explanation import explain
    from strategies.native import RuleError, RuleFailed, engine_for
    from strategies.planning import Plan, PlanError, plan
    from strategies.result import Result
    from strategies.sparks import Sparks
    from strategies.strategy import (
        Strategy,
        StrategyError,
        budget,
        by_kind,
        eval_list,
        jamboree,
        par_buffer,
        par_list,
        par_list_chunk,
        scout,
        seq,
        share,
        split_at,
        young_brothers_wait,
    )
    from strategies.studies import Study, study
    from strategies.text import parse_strategy

_HOMES = {
    "agents": "SearchAgent",
    "algorithms": "Algorithm AlgorithmError alphabeta expectimax minimax parse_algorithm",
    "explanation": "explain",
    "native": "RuleError RuleFailed engine_for",
    "planning": "Plan PlanError plan",
    "result": "Result",
    "collection": "Search search",
    "sparks": "Sparks",
    "strategy": "Strategy StrategyError budget by_kind eval_list jamboree par_buffer par_list "
    "par_list_chunk scout seq share split_at young_brothers_wait",
    "studies": "Study study",
    "text": "parse_strategy",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Algorithm", "AlgorithmError", "Plan", "PlanError", "Result", "RuleError", "RuleFailed",
    "Search", "SearchAgent", "Sparks", "Strategy", "StrategyError", "Study", "alphabeta", "budget",
    "by_kind", "engine_for", "eval_list", "expectimax", "explain", "jamboree", "minimax",
    "par_buffer", "par_list", "par_list_chunk", "parse_algorithm", "parse_strategy", "plan",
    "scout", "search", "seq", "share", "split_at", "study", "young_brothers_wait",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that starting costs little."""
    if name not in _HOME:
        raise AttributeError(f"module 'strategies' has no attribute {name!r}")
    value = getattr(import_module(f"strategies.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
