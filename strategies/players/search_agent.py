"""Agents that search: an algorithm under a strategy, or the first move that is better.

The first better move misses better ones that come later, so it is for studies, not for strong play.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from os import cpu_count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve, field, frozen

from games import CHANCE, MINNIE, Game, Status
from games.game import check_game
from games.snapshots import is_same
from graphs.arguments import check_integers, check_kind, check_workers, checked_by, excerpt, shown
from graphs.errors import ArgumentError
from strategies.algebra.drivers import Auto, Driver
from strategies.algebra.strategy import Strategy, seq
from strategies.algorithms.algorithm import Algorithm, check_algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.limits import Limits, above_0
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.names import parse_algorithm
from strategies.algorithms.positions import is_terminal
from strategies.native.engine import check_choice
from strategies.native.hooks import hash_of
from strategies.native.kept_snapshots import kept_snapshot
from strategies.native.memory.transposition_table import Table
from strategies.running.runtime.deadline import interrupts
from strategies.running.runtime.schedulers import chosen_scheduler
from strategies.values.for_search import check_using
from strategies.values.notation import parse_using

if TYPE_CHECKING:
    from strategies.searches.endgame import EndgameTable


OPTION: Final = re.compile(r"\s(ties|endgame)=")
"""Where an option begins in the text of an agent."""


def _looks_ahead(_instance: object, _attribute: object, value: Any) -> None:
    if not isinstance(value, (Algorithm, MonteCarlo)):
        hint = f"; write SearchAgent.parse({shown(value)})" if isinstance(value, str) else ""
        raise ArgumentError(
            f"an agent needs an algorithm, such as alphabeta(depth=6), not {shown(value)}{hint}"
        )
    if value.depth == 0:
        raise AlgorithmError(f"{value} searches no moves; an agent needs depth=1 or more")


def _evaluated(_instance: Any, attribute: Any, value: Any) -> None:
    if attribute.name == "using":
        check_using(value, chosen=True)
    elif attribute.name == "engine":
        check_choice(value)
    elif attribute.name == "ties":
        if value is not None:
            check_integers(0, ties=value)
            if isinstance(_instance.algorithm, MonteCarlo):
                raise AlgorithmError("mcts draws by its own seed: leave out ties")
    elif attribute.name == "endgame":
        if value is not None and not isinstance(value, str):
            from strategies.searches.endgame import check_table

            check_table(value)
    else:
        check_workers(workers=value)


@frozen
class SearchAgent:
    """A player that plays the best move of a search.

    In a game, its searches share one transposition table, if they use one (`for_game`).
    Ensures: the same moves with any strategy and number of workers.
    Raises: AlgorithmError for a search of depth 0, which finds no move.

    >>> from games import HANDOUT_SMALL, TicTacToe
    >>> agent = SearchAgent.parse("alphabeta(depth=2) using jamboree(0.5)")
    >>> agent.next_move(HANDOUT_SMALL, HANDOUT_SMALL.start())
    1
    >>> SearchAgent(agent.algorithm, time=60).next_move(TicTacToe(), TicTacToe().start())
    4
    """

    algorithm: Algorithm | MonteCarlo = field(validator=_looks_ahead)
    using: Strategy | Driver | Auto = field(default=seq, validator=_evaluated)
    workers: int | None = field(default=None, validator=_evaluated)
    """The number of tasks that run at once; None for the number of cores."""
    engine: str = field(default="auto", validator=_evaluated)
    time: float | None = field(default=None, validator=above_0)
    """The seconds per move, within which the search deepens up to its depth; None for no limit."""
    endgame: EndgameTable | str | None = field(default=None, validator=_evaluated)
    """The table that searches read; see `search`.  A text is the path of its file, which each
    process maps when it needs it."""
    ties: int | None = field(default=None, validator=_evaluated)
    """The seed that draws one of all best moves, always the same in a position; None for the
    leftmost.  It takes a search for each move more, and an algorithm that has `Result.values`."""

    last: dict[str, Any] = field(factory=dict, init=False, eq=False, repr=False)
    """What is left of the last search: the "result", if its trees are to be reused, and in a game
    the "table"."""

    def for_game(self, game: Game[Any, Any]) -> SearchAgent:
        """Return this agent as the player of one game, with nothing left of earlier ones.

        If its searches use a transposition table, they share one, and each continues with what is
        left of those before.  Values do not depend on that, nor do moves without a limit of time.
        The memory is given back with the player.  Outside a game, each search has its own table.

        Raises: OSError if there is not enough memory.
        Cost: with a limit of time, the table is written to once, which may take seconds for a
        gigabyte: the system provides memory only as it is touched, in the time of the first moves.
        """
        player = evolve(self)
        size = self._table_size()
        if size:
            table = player.last["table"] = Table(size)
            if self.time is not None and chosen_scheduler() is None:
                table.clear()
        return player

    def transpositions(self) -> Table | None:
        """Return the table of this game for one more search, whose entries replace older ones;
        None outside a game."""
        table: Table | None = self.last.get("table")
        if table is not None:
            table.age()
        return table

    def _table_size(self) -> int:
        """Return the bytes of the table that searches can share; 0 for none."""
        from strategies.running.execution.deepening import TABLE
        from strategies.running.plans.calls import takes_table

        algorithm, using, timed = self.algorithm, self.using, self.time is not None
        if isinstance(algorithm, MonteCarlo) or not takes_table(algorithm, using, limited=timed):
            return 0
        return algorithm.table or (TABLE if timed or isinstance(using, Driver) else 0)

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        """Return the move to play, found by `look`.

        Raises: as `look`; and KeyboardInterrupt after Ctrl-C, which ends the play, whereas `look`
        returns the result so far.
        """
        before = interrupts()
        move = self.choice(game, state, self.look(game, state))
        if interrupts() != before:
            raise KeyboardInterrupt
        return move

    def choice(self, game: Game[Any, Any], state: Any, found: Any) -> Any:
        """Return the move to play by the result of `look`: its move, or one drawn by `ties`; where
        an endgame table says which moves make progress, one of these."""
        best = (found.move,)
        if self.ties is not None and found.depth != 0:  # else no move has a value
            best = found.values("best", num_workers=self.workers or cpu_count() or 1).best
        table = self.table(game)
        if table is not None and table.steps is not None and state in table:
            known = table.moves(state)
            best = tuple(move for move in best if move in known) or known
        if self.ties is None:
            return best[0]
        return Random(f"{self.ties} {int(hash_of(game, state))}").choice(best)

    def look(self, game: Game[Any, Any], state: Any) -> Any:
        """Search for the move to play, and return the result of the search.

        Requires: `state` is in play, and a player moves, not chance.
        Raises: AlgorithmError, StrategyError, PlanError if the search does not fit the game.
        """
        from strategies.searches.search import search

        if game.status(state) != Status.IN_PLAY or game.player(state) == CHANCE:
            raise ArgumentError(f"no player is to move in {game.label(state)}")
        using = self.using.on(self.workers) if isinstance(self.using, Auto) else self.using
        answer = search(
            game, self.algorithm, state=state, using=using, engine=self.engine, time=self.time,
            endgame=self.table(game),
        )  # fmt: skip
        before = self.last.get("result")
        if before is not None and is_same(before.searched.game, game):
            answer = answer.after(before)
        table = self.transpositions() if chosen_scheduler() is None else None
        kept: dict[str, Any] = {} if table is None else {"memory": table}
        found = answer.compute(num_workers=self.workers, **kept)
        if isinstance(self.algorithm, MonteCarlo) and self.algorithm.reuse:
            self.last["result"] = found
        return found

    def check(self, game: Game[Any, Any]) -> None:
        """Check that the searches of this agent fit `game`.

        Raises: AlgorithmError, StrategyError, PlanError; ArgumentError for the endgame table of
        another game; OSError if its file cannot be read.
        """
        from strategies.running.plans.opening import plan

        self.table(game)
        self.algorithm.check(game)
        if isinstance(self.algorithm, Algorithm):
            using = seq if isinstance(self.using, Auto) else self.using
            limits = None if self.time is None else Limits(self.time)
            plan(game, self.algorithm, using, engine=self.engine, limits=limits)

    @staticmethod
    def parse(text: str, workers: int | None = None, engine: str = "auto") -> SearchAgent:
        """Read an agent from text such as ``alphabeta(depth=6) using par_list.to_ply(1) ties=7``.

        ``endgame=FILE.npz`` names the file of an endgame table.
        Raises: AlgorithmError, StrategyError, DriverError, one line.
        """
        text, *words = OPTION.split(text)
        stated = dict(zip(words[::2], words[1::2], strict=True))
        if 2 * len(stated) < len(words):
            raise AlgorithmError(f"{excerpt(text)}: each option is given once")
        algorithm, parallel, using = text.partition(" using ")
        strategy = parse_using(using) if parallel else seq
        seed, file = stated.get("ties"), stated.get("endgame")
        if seed is not None and not seed.strip().isdecimal():
            raise AlgorithmError(f"ties={excerpt(seed)}: a seed is a whole number, as in ties=7")
        if file is not None and not file.strip():
            raise AlgorithmError("endgame= needs the file of a table, as in endgame=rook.npz")
        return SearchAgent(
            parse_algorithm(algorithm), strategy, workers, engine,
            endgame=None if file is None else file.strip(),
            ties=None if seed is None else int(seed),
        )  # fmt: skip

    def __str__(self) -> str:
        """Return the text that `parse` reads; a table without a file is left out."""
        using = "" if self.using == seq else f" using {self.using}"
        ties = "" if self.ties is None else f" ties={self.ties}"
        return f"{self.algorithm}{using}{ties}" + (
            f" endgame={self.endgame}" if isinstance(self.endgame, str) else ""
        )

    def table(self, game: Game[Any, Any]) -> EndgameTable | None:
        """Return the endgame table that searches of `game` read, mapped if it is a file.

        Raises: ArgumentError for the file of another game, or that is no table; OSError.
        """
        if not isinstance(self.endgame, str):
            return self.endgame
        about = os.stat(self.endgame)
        return _mapped(self.endgame, (about.st_ino, about.st_size, about.st_mtime_ns), game)


@lru_cache(8)
def _mapped(path: str, written: tuple[int, ...], game: Game[Any, Any]) -> EndgameTable:
    """Map the endgame table of a file, once for all agents of a process until it is `written`
    again."""
    from strategies.searches.endgame import EndgameTable

    return EndgameTable.load(path, game)


@frozen
class FirstBetter:
    """The result of a search that stops at the first improvement."""

    move: Any
    value: float
    """The value of the move, not of the position; a later move may be worth more."""
    searched: int
    """The number of moves searched."""
    nodes: int
    leaves: int


def first_better(
    game: Game[Any, Any], algorithm: Algorithm, last: float | None, *, state: Any = None,
    engine: str = "auto",
) -> FirstBetter:  # fmt: skip
    """Search for the first move worth more than `last` to the mover; the best if there is none.

    Requires: an algorithm with one value per position and a depth of 1 or more; a position in which
    a player moves.
    Ensures: with ``last=None`` all moves are searched, and the answer is that of the full search.
    Raises: AlgorithmError, ValueError.
    Source: K. Willeford's report on parallel expectimax (CSCI 176), which warns of it.

    >>> from games import ExplicitGame
    >>> from strategies import minimax
    >>> tree = ExplicitGame.from_nested([[1], [-2], [9]])
    >>> first_better(tree, minimax(2), last=0).value, first_better(tree, minimax(2), None).value
    (1, 9)
    """
    from strategies.searches.search import search

    game = kept_snapshot(check_game(game))
    check_algorithm(algorithm)
    _check(algorithm, game)
    if last is not None and not (isinstance(last, (int, float)) and last == last):
        raise ArgumentError(f"last must be the value to beat, a number or None, not {shown(last)}")
    state = game.start() if state is None else state
    if is_terminal(game, state) or game.player(state) == CHANCE:
        raise ArgumentError(f"no player is to move in {game.label(state)}")
    sign = -1 if game.player(state) == MINNIE else 1
    below = evolve(algorithm, depth=algorithm.depth - 1)
    best: tuple[Any, float] | None = None
    searched = nodes = leaves = 0
    for move in game.moves(state):
        result = search(game, below, state=game.make_move(state, move), engine=engine).compute()
        searched, nodes, leaves = searched + 1, nodes + result.nodes, leaves + result.leaves
        if best is None or sign * result.value > sign * best[1]:
            best = move, result.value
        if last is not None and sign * result.value > sign * last:
            break
    assert best is not None
    return FirstBetter(*best, searched, nodes, leaves)


def _check(algorithm: Algorithm, game: Game[Any, Any] | None = None) -> None:
    """Raise AlgorithmError if moves have no single value to compare with `last`."""
    if game is not None and game.players > 2:
        raise AlgorithmError(
            f"a hasty search is for one or two players, but {type(game).__name__} has "
            f"{game.players}; leave out hasty, as in maxn(depth=3)"
        )
    if algorithm.many:
        raise AlgorithmError(
            f"{algorithm.name} is for three players or more, a hasty search for one or two; "
            "leave out hasty, or use expectimax(depth=5)"
        )
    if algorithm.depth < 1:
        raise AlgorithmError(f"{algorithm} cannot be hasty; use expectimax(depth=5)")


@frozen
class HastyAgent:
    """A player that takes the first move whose value is above that of its last move.

    `agent` makes the searches.  The player remembers the value of its last move, and forgets it
    between games.

    >>> from games import HANDOUT_SMALL
    >>> HastyAgent.parse("hasty alphabeta(depth=2)").next_move(HANDOUT_SMALL, HANDOUT_SMALL.start())
    1
    """

    agent: SearchAgent = field(
        validator=checked_by(
            check_kind, SearchAgent, "a search agent, as SearchAgent(alphabeta(4))"
        )
    )
    last: dict[int, float] = field(factory=dict, init=False, eq=False, repr=False)
    """The value of the last move of each player."""

    @staticmethod
    def parse(text: str) -> HastyAgent:
        """Read an agent from text such as ``hasty expectimax(depth=5)``.

        Raises: AlgorithmError, one line.
        """
        agent = SearchAgent.parse(text.removeprefix("hasty "))
        if not isinstance(agent.algorithm, Algorithm):
            raise AlgorithmError(
                f"{agent.algorithm} samples, but a hasty search needs exact values; "
                "use expectimax(depth=5)"
            )
        if " using " in text or agent.ties is not None or agent.endgame is not None:
            raise AlgorithmError(
                "a hasty search searches one move after another; leave out the strategy, ties and "
                "endgame"
            )
        _check(agent.algorithm)
        return HastyAgent(agent)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise AlgorithmError if the searches of this agent do not fit `game`."""
        assert isinstance(self.agent.algorithm, Algorithm)
        _check(self.agent.algorithm, game)
        self.agent.check(game)

    def for_game(self, game: Game[Any, Any]) -> HastyAgent:
        """Return this agent as the player of one game, with nothing left of earlier ones."""
        return evolve(self)

    def look(self, game: Game[Any, Any], state: Any) -> FirstBetter:
        """Search for the move to play, and return the result of the search."""
        player = game.player(state)
        assert isinstance(self.agent.algorithm, Algorithm)
        result = first_better(
            game, self.agent.algorithm, self.last.get(player), state=state, engine=self.agent.engine
        )
        self.last[player] = result.value
        return result

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        """Return the move to play."""
        return self.look(game, state).move

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return f"hasty {self.agent}"


def plays_alike(agent: Any) -> bool:
    """Return whether an agent is known to answer the same moves alike: a search without a limit of
    time, in one thread.  Any other agent may draw by itself.

    >>> from strategies import mcts
    >>> plays_alike(SearchAgent(mcts(9))), plays_alike(SearchAgent(mcts(9, threads=2)))
    (True, False)
    """
    search = agent.agent if type(agent) is HastyAgent else agent
    if type(search) is not SearchAgent or search.time is not None:
        return False
    return isinstance(search.algorithm, Algorithm) or search.algorithm.threads == 1
