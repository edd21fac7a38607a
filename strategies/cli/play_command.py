"""Plays a game between people, random players and searches: ``jamboree play``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from games import Record, Status, play
from games.endings import LEFT, RULES
from games.game import player_name
from games.networks.learned import is_learned
from games.referee import Agent, HumanAgent, player_of
from graphs.errors import printable
from strategies.algorithms.with_chance import expectimax
from strategies.cli import options
from strategies.cli.agent_value import AGENT
from strategies.cli.options import OutputType, read_state, reason, state_text, write
from strategies.cli.play_many import play_many
from strategies.insight.selection.usual import usual
from strategies.players.search_agent import HastyAgent, SearchAgent
from strategies.support.bar import clock

if TYPE_CHECKING:
    from strategies.searches.endgame import EndgameTable


@click.command(name="play")
@options.game
@click.option(
    "--maxie",
    type=AGENT,
    help="Who plays Maxie. [default: human; expectimax(depth=3) in a game of one player with "
    "--estimate]",
)
@click.option(
    "--minnie", type=AGENT,
    help="Who plays Minnie. [default: the algorithm and depth that `jamboree search` chooses]",
)  # fmt: skip
@click.option(
    "--player", "others", type=AGENT, multiple=True,
    help="Who plays the third player; repeat it for the fourth, …. [default: as Minnie]",
)  # fmt: skip
@options.state
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the chance moves.")
@click.option("--show", is_flag=True, help="Show the position after every turn.")
@click.option(
    "--record", type=OutputType(".json"), metavar="FILE.json", help="Write the game to a file."
)
@click.option(
    "--replay", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.json",
    help="Show a recorded game instead of playing; every move is checked.",
)  # fmt: skip
@click.option(
    "--time", type=options.ABOVE_0, metavar="SECONDS",
    help="How long searches may deepen at each move, up to their depth; compiling is not counted.",
)  # fmt: skip
@options.ply_limit
@click.option(
    "--games", type=click.IntRange(min=1), metavar="N",
    help="Play N games without people, of this seed and the following ones, and show a table.",
)  # fmt: skip
@click.option(
    "--results", type=OutputType(".csv"), metavar="FILE.csv",
    help="With --games: keep a row for each game as soon as it is over; games that the file has "
    "are not played again.",
)  # fmt: skip
@options.endgame
@options.estimate
def command(
    game: Any, maxie: Any, minnie: Any, others: tuple[Any, ...], state: str | None, seed: int,
    show: bool, record: Path | None, replay: Path | None, time: float | None, ply_limit: int | None,
    games: int | None, results: Path | None, endgame: EndgameTable | None,
) -> None:  # fmt: skip
    """Play GAME to its end.

    \b
    A player is human, random(seed=3), or a search with or without a strategy:
      'alphabeta(depth=6)'
      'alphabeta(depth=8) using jamboree(0.5).to_ply(2)'
      'alphabeta(depth=4) ties=7', which draws one of all best moves by a seed
      'alphabeta(1) endgame=rook.npz', which reads an endgame table
      'hasty expectimax(depth=5)', which takes the first move better than last time

    \b
    Examples:
      jamboree play tictactoe
      jamboree play connect_four --minnie random --record game.json
      jamboree play twenty48 --maxie 'expectimax(depth=3)' --seed 7
      jamboree play connect_four --minnie 'pvs(depth=42)' --time 0.5
      jamboree play pig:3 --maxie random --minnie 'maxn(2)' --player 'paranoid(2)'
      jamboree play connect_four --replay game.json --show
      jamboree play twenty48 --estimate twenty48.npz
      jamboree play mygame.py:Rook --minnie 'alphabeta(1)' --endgame rook.npz
      jamboree play twenty48 --maxie 'expectimax(7, cutoff=1e-4, table="1MB")' --games 3

    Type your moves in the notation of the game; leave with Ctrl-D.
    """
    if replay is not None:
        unused = "maxie", "minnie", "others", "state", "seed", "time", "ply_limit", "read"
        options.refuse_unused("with --replay", *unused)
    position = state_text(state) or ""
    first = read_state(game, position or None)
    agents = _seated(game, first, maxie, minnie, others)
    set_for_all: dict[str, Any] = {} if time is None else {"time": time}
    if endgame is not None:
        set_for_all["endgame"] = endgame
    agents = [evolve(a, **set_for_all) if isinstance(a, SearchAgent) else a for a in agents]
    for agent in agents if replay is None else ():
        if isinstance(agent, (SearchAgent, HastyAgent)):
            agent.check(game)
    if games is None and results is not None:
        raise click.UsageError("--results needs the number of games, as in --games 10")
    if position and results is not None:
        raise click.UsageError("--results keeps games from the start; leave out --state")
    if games is not None:
        if replay is not None or record is not None or show:
            raise click.UsageError("--games cannot be combined with --record, --replay or --show")
        play_many(game, agents, range(seed, seed + games), first, results, ply_limit)
        return
    if replay is not None:
        played = _read(replay, game)
        for before, turn, after in zip(
            (states := played.replay()), played.turns, states[1:], strict=False
        ):
            _tell(game, before, turn)
            if show:
                click.echo(game.show(after))
    else:
        tellers = [_Teller(a, show) for a in agents]
        played = play(
            game, *tellers, seed=seed, position=position, ply_limit=ply_limit,
            on_turn=partial(_tell, game),
        )  # fmt: skip
    last = played.replay()[-1]
    click.echo(f"{game.show(last)}\n{_ending(played)}")
    if record is not None:
        write(record, played.to_json() + "\n")


def _seated(game: Any, first: Any, maxie: Any, minnie: Any, others: tuple[Any, ...]) -> list[Any]:
    """Return an agent for each player."""
    if game.players < 2 and minnie is not None:
        raise click.UsageError("--minnie: a game of one player has no Minnie; leave it out")
    if len(others) > max(0, game.players - 2):
        raise click.UsageError(
            f"--player names the third and later players, but {type(game).__name__} has only "
            f"{game.players}"
        )
    if maxie is None:
        alone = game.players == 1 and is_learned(game)
        maxie = SearchAgent(expectimax(depth=3)) if alone else HumanAgent()
    unnamed = None
    named = [maxie, *([] if minnie is None else [minnie]), *others]
    if len(named) < game.players:
        chosen = usual(game, first)
        unnamed = SearchAgent(chosen.algorithm, time=chosen.time)
    seats = [maxie, minnie or unnamed, *others, *[unnamed] * (game.players - 2 - len(others))]
    return seats[: game.players]


@frozen
class _Teller:
    """An agent that shows the position in which it moves, and that it thinks."""

    agent: Agent
    show: bool

    @property
    def name(self) -> str:
        return str(getattr(self.agent, "name", self.agent))

    def for_game(self, game: Any) -> _Teller:
        return evolve(self, agent=player_of(self.agent, game))

    def next_move(self, game: Any, state: Any) -> Any:
        if self.show and self.name != "human":
            click.echo(game.show(state))
        if self.name == "human":
            return self.agent.next_move(game, state)
        with clock(f"{player_name(game.player(state))} thinks"):
            return self.agent.next_move(game, state)


def _tell(game: Any, state: Any, turn: str | int) -> None:
    player = game.player(state)
    click.echo(f"{click.style(player_name(player), bold=True)}: {printable(str(turn))}")


def _read(path: Path, game: Any) -> Record:
    try:
        return Record.from_json(path.read_text(encoding="utf-8"), game)
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{path}: {reason(error)}") from None


def _ending(record: Record) -> str:
    if record.ended == LEFT:
        return f"Left after {len(record.turns)} turns."
    result = "" if record.status != Status.OVER else f" Result: {record.utility}."
    why = "" if record.ended == RULES else f" by {record.ended}"
    status = record.status.name.replace("_", " ").capitalize()
    return f"{status}{why}, {len(record.turns)} turns.{result}"
