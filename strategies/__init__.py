"""Strategies: how a game tree is searched, in what order, by how many, and what came of it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strategies.algebra.auto import Auto, auto
    from strategies.algebra.combinators import (
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
    from strategies.algebra.drivers import Driver, DriverError, abdada, lazy_smp
    from strategies.algebra.strategy import Strategy, StrategyError, seq
    from strategies.algorithms.algorithm import (
        Algorithm,
        alphabeta,
        expectimax,
        maxn,
        minimax,
        mtdf,
        paranoid,
        pvs,
    )
    from strategies.algorithms.errors import AlgorithmError
    from strategies.algorithms.monte_carlo import MonteCarlo, mcts
    from strategies.insight.analysis.simulate import simulate
    from strategies.insight.selection.auto import Choice, choose
    from strategies.insight.selection.tune import tune
    from strategies.insight.selection.tuning import Tuning
    from strategies.native.engine import engine_for
    from strategies.native.errors import RuleError, RuleFailed
    from strategies.notation.algorithms import parse_algorithm
    from strategies.notation.explain import explain
    from strategies.notation.strategies import parse_strategy
    from strategies.notation.using import parse_using
    from strategies.players.first_better import FirstBetter, HastyAgent, first_better
    from strategies.players.search_agent import SearchAgent
    from strategies.players.tournaments.entrants import Entrant
    from strategies.players.tournaments.round_robin import tournament
    from strategies.players.tournaments.standings import Tournament
    from strategies.players.weights.result import Tuned
    from strategies.players.weights.tune_weights import tune_weights
    from strategies.running.plans.opening import plan
    from strategies.running.plans.plan import Plan, PlanError
    from strategies.running.records.sparks import Sparks
    from strategies.searches.collection import Result, Search
    from strategies.searches.monte_carlo.result import MonteCarloResult
    from strategies.searches.search import search
    from strategies.searches.solving import Solution, solve
    from strategies.studies.run_study import study
    from strategies.studies.study import Study
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
    from strategies.values.eval import Eval, evaluate, evaluation, par_eval
    from strategies.values.parallel import (
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
    from strategies.values.sequential import (
        seq_list,
        seq_list_n,
        seq_list_nth,
        seq_traversable,
        seq_tuple,
    )
    from strategies.values.using import par_map, run_eval, using, with_strategy

_HOMES = {
    "algebra.auto": "Auto auto",
    "algebra.combinators": """
        budget by_kind by_type critical eval_list jamboree par_buffer par_list par_list_chunk
        pv_split root_split scout share split_at young_brothers_wait
    """,
    "algebra.drivers": "Driver DriverError abdada lazy_smp",
    "algebra.strategy": "Strategy StrategyError seq",
    "algorithms.algorithm": "Algorithm alphabeta expectimax maxn minimax mtdf paranoid pvs",
    "algorithms.errors": "AlgorithmError",
    "algorithms.monte_carlo": "MonteCarlo mcts",
    "running.plans.opening": "plan",
    "running.plans.plan": "Plan PlanError",
    "running.records.sparks": "Sparks",
    "insight.analysis.simulate": "simulate",
    "insight.selection.auto": "Choice choose",
    "insight.selection.tune": "tune",
    "insight.selection.tuning": "Tuning",
    "native.engine": "engine_for",
    "native.errors": "RuleError RuleFailed",
    "notation.algorithms": "parse_algorithm",
    "notation.explain": "explain",
    "notation.strategies": "parse_strategy",
    "notation.using": "parse_using",
    "players.first_better": "FirstBetter HastyAgent first_better",
    "players.search_agent": "SearchAgent",
    "players.tournaments.entrants": "Entrant",
    "players.tournaments.round_robin": "tournament",
    "players.tournaments.standings": "Tournament",
    "players.weights.result": "Tuned",
    "players.weights.tune_weights": "tune_weights",
    "searches.monte_carlo.result": "MonteCarloResult",
    "searches.collection": "Result Search",
    "searches.search": "search",
    "searches.solving": "Solution solve",
    "studies.run_study": "study",
    "studies.study": "Study",
    "values.apply": "eval_apply eval_compose eval_pipe par_apply par_compose par_pipe",
    "values.basic": "SequentialStrategy ValueStrategy r0 rdeepseq rpar rpar_with rseq",
    "values.eval": "Eval evaluate evaluation par_eval",
    "values.parallel": """
        eval_buffer eval_list_n eval_list_nth eval_traversable eval_tuple par_list_n
        par_list_nth par_traversable par_tuple
    """,
    "values.sequential": "seq_list seq_list_n seq_list_nth seq_traversable seq_tuple",
    "values.using": "par_map run_eval using with_strategy",
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
    "choose",
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
