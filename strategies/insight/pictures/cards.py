"""HTML for notebooks: text, a picture, a board, in the notebook's own theme."""

from __future__ import annotations

from typing import Any, Final

from attrs import evolve

from games import ExplicitGame, Game, Position
from graphs.errors import JamboreeError
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy
from strategies.algorithms.two_players import alphabeta
from strategies.insight.pictures.overview import draw_overview
from strategies.insight.pictures.picture import THEMES
from strategies.insight.pictures.task_graph import draw_plan
from strategies.running.plans.opening import plan
from strategies.running.plans.plan import Plan
from strategies.running.plans.search_graph import SearchGraph
from strategies.support.printing import preformatted
from strategies.values.explain import explain

SHOWN: Final = 150
"""The most tasks of a graph that are shown one by one."""
BRANCHES: Final = 4
"""The branches of the node on which a strategy is explained."""


def card(game: Game[Any, Any], state: Any, says: str, svg: str = "") -> str:
    """Return HTML with text, the position as its game shows it, and a picture below them.

    Ensures: the text has the colours of the page around it, the picture those of its theme.

    >>> from games import TicTacToe
    >>> card(TicTacToe(), TicTacToe().start(), "a < b").partition("</pre>")[0]
    '<pre style="white-space:pre-wrap;font-family:monospace">a &lt; b'
    """
    return f"{worded(says)}{Position(game, state)._repr_html_()}{pictured(svg)}"


def worded(says: str, svg: str = "") -> str:
    """Return HTML with text and a picture below it."""
    return f"{preformatted(says)}{pictured(svg)}"


def pictured(svg: str) -> str:
    """Return a picture, if there is one, in the theme of the page around it."""
    return f"{svg}<style>{THEMES}</style>" if svg else ""


def plan_card(planned: Plan) -> str:
    """Return the position, the search and its task graph."""
    return card(
        planned.game, planned.state, planned.request().written, drawn_graph(SearchGraph(planned))
    )


def drawn_graph(search: SearchGraph) -> str:
    """Return the task graph of a search; if it has many tasks, its overview, which is smaller."""
    picture = draw_plan if len(search.tasks()) <= SHOWN else draw_overview
    return picture(search).svg


def strategy_card(strategy: Strategy | Driver) -> str:
    """Return what a strategy does at a node with four branches, in words and as a picture.

    >>> from strategies import jamboree
    >>> strategy_card(jamboree(0.5)).partition(">")[2][:50]
    'jamboree(0.5), on a node with 4 branches (0 to 3):'
    """
    try:
        says = str(explain(strategy, BRANCHES))
    except JamboreeError:  # the strategy is for the values of a list only
        return worded(repr(strategy))
    if not says.startswith(repr(strategy)):  # it is for values, and means another in a search
        says = f"{strategy!r}, in a search:\n{says}"
    return worded(says, "" if isinstance(strategy, Driver) else _drawn_groups(strategy))


class _Node(ExplicitGame):
    """A node with its branches, named for what it is."""

    def __repr__(self) -> str:
        return f"a node with {BRANCHES} branches"


NODE: Final = _Node.from_nested([[0, 0]] * BRANCHES)


def _drawn_groups(strategy: Strategy) -> str:
    """Draw the tasks of the first ply of a strategy; "" if it makes none."""
    try:
        planned = plan(NODE, alphabeta(1), strategy.to_ply(1), engine="interpreted")
    except JamboreeError:  # it needs another algorithm
        return ""
    if planned.root is None:
        return ""
    return draw_plan(SearchGraph(evolve(planned, strategy=strategy))).svg
