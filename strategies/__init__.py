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
        maxn,
        minimax,
        mtdf,
        paranoid,
        parse_algorithm,
        pvs,
    )
    from strategies.analysis import Tuning, simulate, tune
    from strategies.choosing.choice import Choice
    from strategies.choosing.request import Auto, auto
    from strategies.collection import Search, search
    from strategies.combinators import (
        budget,
        by_kind,
        by_type,
        critical,
        eval_list,
        jamboree,
        par_buffer,
        par_list,
        par_list_chunk,
        pv_split,
        root_split,
        scout,
        share,
        split_at,
        young_brothers_wait,
    )
    from strategies.drivers import Driver, DriverError, abdada, lazy_smp, parse_using
    from strategies.explanation import explain
    from strategies.hasty import FirstBetter, HastyAgent, first_better
    from strategies.monte_carlo.algorithm import MonteCarlo, mcts
    from strategies.monte_carlo.sampled import MonteCarloResult
    from strategies.native import RuleError, RuleFailed, engine_for
    from strategies.planning import Plan, PlanError, plan
    from strategies.result import Result
    from strategies.solving import Solution, solve
    from strategies.sparks import Sparks
    from strategies.strategy import Strategy, StrategyError, seq
    from strategies.studies import Study, study
    from strategies.text import parse_strategy
    from strategies.tournaments import Entrant, Tournament, tournament
    from strategies.tuning import Tuned, tune_weights
    from strategies.values.apply import (
        eval_apply,
        eval_compose,
        eval_pipe,
        par_apply,
        par_compose,
        par_pipe,
    )
    from strategies.values.basic import (
        SequentialStrategy,
        ValueStrategy,
        r0,
        rdeepseq,
        rpar,
        rpar_with,
        rseq,
    )
    from strategies.values.containers import (
        eval_buffer,
        eval_list_n,
        eval_list_nth,
        eval_traversable,
        eval_tuple,
        par_list_n,
        par_list_nth,
        par_traversable,
        par_tuple,
    )
    from strategies.values.monad import (
        Eval,
        evaluate,
        evaluation,
        par_eval,
        par_map,
        run_eval,
        using,
        with_strategy,
    )
    from strategies.values.sequential import (
        seq_list,
        seq_list_n,
        seq_list_nth,
        seq_traversable,
        seq_tuple,
    )

_HOMES = {
    "agents": "SearchAgent",
    "algorithms": (
        "Algorithm AlgorithmError alphabeta expectimax maxn minimax mtdf paranoid "
        "parse_algorithm pvs"
    ),
    "drivers": "Driver DriverError abdada lazy_smp parse_using",
    "explanation": "explain",
    "hasty": "FirstBetter HastyAgent first_better",
    "monte_carlo.algorithm": "MonteCarlo mcts",
    "monte_carlo.sampled": "MonteCarloResult",
    "native": "RuleError RuleFailed engine_for",
    "planning": "Plan PlanError plan",
    "result": "Result",
    "analysis": "Tuning simulate tune",
    "choosing.choice": "Choice",
    "choosing.request": "Auto auto",
    "collection": "Search search",
    "solving": "Solution solve",
    "sparks": "Sparks",
    "combinators": "budget by_kind by_type critical eval_list jamboree par_buffer par_list "
    "par_list_chunk pv_split root_split scout share split_at young_brothers_wait",
    "strategy": "Strategy StrategyError seq",
    "studies": "Study study",
    "text": "parse_strategy",
    "tournaments": "Entrant Tournament tournament",
    "tuning": "Tuned tune_weights",
    "values.apply": "eval_apply eval_compose eval_pipe par_apply par_compose par_pipe",
    "values.basic": "SequentialStrategy ValueStrategy r0 rdeepseq rpar rpar_with rseq",
    "values.containers": "eval_buffer eval_list_n eval_list_nth eval_traversable eval_tuple "
    "par_list_n par_list_nth par_traversable par_tuple",
    "values.monad": "Eval evaluate evaluation par_eval par_map run_eval using with_strategy",
    "values.sequential": "seq_list seq_list_n seq_list_nth seq_traversable seq_tuple",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Algorithm",
    "AlgorithmError",
    "Auto",
    "Choice",
    "Driver",
    "DriverError",
    "Entrant",
    "Eval",
    "FirstBetter",
    "HastyAgent",
    "MonteCarlo",
    "MonteCarloResult",
    "Plan",
    "PlanError",
    "Result",
    "RuleError",
    "RuleFailed",
    "Search",
    "SearchAgent",
    "SequentialStrategy",
    "Solution",
    "Sparks",
    "Strategy",
    "StrategyError",
    "Study",
    "Tournament",
    "Tuned",
    "Tuning",
    "ValueStrategy",
    "abdada",
    "alphabeta",
    "auto",
    "budget",
    "by_kind",
    "by_type",
    "critical",
    "engine_for",
    "eval_apply",
    "eval_buffer",
    "eval_compose",
    "eval_list",
    "eval_list_n",
    "eval_list_nth",
    "eval_pipe",
    "eval_traversable",
    "eval_tuple",
    "evaluate",
    "evaluation",
    "expectimax",
    "explain",
    "first_better",
    "jamboree",
    "lazy_smp",
    "maxn",
    "mcts",
    "minimax",
    "mtdf",
    "par_apply",
    "par_buffer",
    "par_compose",
    "par_eval",
    "par_list",
    "par_list_chunk",
    "par_list_n",
    "par_list_nth",
    "par_map",
    "par_pipe",
    "par_traversable",
    "par_tuple",
    "paranoid",
    "parse_algorithm",
    "parse_strategy",
    "parse_using",
    "plan",
    "pv_split",
    "pvs",
    "r0",
    "rdeepseq",
    "root_split",
    "rpar",
    "rpar_with",
    "rseq",
    "run_eval",
    "scout",
    "search",
    "seq",
    "seq_list",
    "seq_list_n",
    "seq_list_nth",
    "seq_traversable",
    "seq_tuple",
    "share",
    "simulate",
    "solve",
    "split_at",
    "study",
    "tournament",
    "tune",
    "tune_weights",
    "using",
    "with_strategy",
    "young_brothers_wait",
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
