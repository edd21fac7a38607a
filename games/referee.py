"""The referee: it plays a game between agents, checks every move, draws chance, keeps a record.

Two agents are here: one moves at random, the other asks a person at the terminal.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from random import Random
from typing import Any, Protocol

from attrs import evolve, field, frozen

from games.endings import ENDINGS, LEFT, REPETITION, RULES, Ending, status_of, utility_of
from games.failed import (
    RuleFailed,
    failures_named,
    moves_there,
    no_state,
    texts_of,
    wrong_outcomes,
)
from games.game import CHANCE, Game, IllegalMove, Status, check_game
from games.kept_position import Kept
from games.position_text import Position, cut_names, read_position
from games.snapshots import snapshot
from graphs.arguments import check_integers, check_kind, checked_by, shown
from graphs.errors import ArgumentError, MalformedError
from graphs.json_text import json_in


@frozen
class Record:
    """The record of a game, which is sufficient to replay it.

    `turns` has, in order, the text of each move, and the number of each outcome of chance.
    `position` is the text of the first position, as `read_position` reads it; "" is the start.
    `ended` says what ended it: "rules", "left" (by an agent), "repetition" or "limit of plies".

    >>> from games import RandomAgent, TicTacToe
    >>> record = play(TicTacToe(), RandomAgent(1), RandomAgent(2))
    >>> record.status == record.game.status(record.replay()[-1])
    True
    >>> Record.from_json(record.to_json(), TicTacToe()) == record
    True
    """

    game: Game[Any, Any]
    turns: tuple[str | int, ...] = ()
    position: str = ""
    agents: tuple[str, ...] = ()
    seed: int = 0
    ended: str = RULES

    def replay(self) -> list[Any]:
        """Replay the game, and return its positions in order.

        Raises: IllegalMove, with the number of the turn, if the rules do not allow a move.
        """
        states = [read_position(self.game, self.position)]
        for number, turn in enumerate(self.turns, 1):
            try:
                states.append(play_turn(self.game, states[-1], turn))
            except IllegalMove as error:
                raise IllegalMove(f"turn {number}: {error}") from None
        return states

    @property
    def status(self) -> Status:
        """Return the status at the end of the game; `IN_PLAY` if an agent left it, `DRAW` after
        repetition or at the limit of plies, or `OVER` with one player."""
        return status_of(self.game, self.replay()[-1], self.ended)

    @property
    def utility(self) -> Any:
        """Return the result from Maxie's side, for several players a tuple; None if the game was
        left.  `games.endings` says what repetition and the limit of plies are worth."""
        return utility_of(self.game, self.replay()[-1], self.ended)

    def _repr_html_(self) -> str:
        """Show the last position, and the turns that led to it, in a notebook."""
        last = Position(self.game, self.replay()[-1])
        turns = [f"#{turn}" if isinstance(turn, int) else turn for turn in self.turns]
        played = f"{' against '.join(self.agents)}: " if self.agents else ""
        named = " ".join(f"<code>{escape(turn)}</code>" for turn in cut_names(turns))
        ended = "" if self.ended == RULES else f"; ended by: {self.ended}"
        return (
            f"{last.board}<p>{escape(f'{last.turn}{ended}')}</p>"
            f"<p>{escape(f'{played}{len(turns):,} turns')} {named}</p>"
        )

    def to_json(self) -> str:
        """Return the record as one line of JSON; equal records have equal lines."""
        fields = {
            "game": repr(self.game),
            "position": self.position,
            "agents": self.agents,
            "seed": self.seed,
            "turns": self.turns,
            "status": self.status.name,
            "ended": self.ended,
        }
        return json.dumps(fields, ensure_ascii=False)

    @staticmethod
    def from_json(text: str, game: Game[Any, Any]) -> Record:
        """Read a record that `to_json` wrote, and check it by replaying.

        Requires: the game of the record.
        Raises: ValueError if it is of another game, or not a record; IllegalMove, with the number
        of the turn, if the rules do not allow a move.
        """
        try:
            fields = json_in(text)
        except MalformedError as error:
            raise MalformedError(f"this is not the record of a game: {error}") from None
        wrong = record_fault(fields, game.players)
        if wrong:
            raise MalformedError(f"this is not the record of a game: {wrong}")
        found, status = fields["game"], fields["status"]
        old = LEFT if status == Status.IN_PLAY.name else RULES  # of files that do not say it
        record = Record(
            game=game,
            turns=tuple(fields["turns"]),
            position=fields["position"],
            agents=tuple(fields["agents"]),
            seed=fields["seed"],
            ended=fields.get("ended", old),
        )
        if found != repr(game):
            raise MalformedError(f"this is a record of {found}, not of {game!r}")
        if record.status.name != status:
            raise MalformedError(
                f"the record says {status}, its moves lead to {record.status.name}"
            )
        check_ending(record)
        return record


def check_ending(record: Record) -> list[Any]:
    """Replay a record, and check what it says of its end; return its positions in order.

    Raises: IllegalMove, as `Record.replay`; ValueError if the moves do not end so.
    """
    states = record.replay()
    playing = record.game.status(states[-1]) == Status.IN_PLAY
    if playing == (record.ended == RULES) or record.ended not in ENDINGS:
        what = "a position in play" if playing else "the end of the game"
        ended = shown(record.ended)
        raise MalformedError(f"the record says ended by {ended}; its moves lead to {what}")
    if record.ended == REPETITION:
        ending = Ending(record.game)
        for state in states:
            ending.goes_on(state)
        if ending.ended != REPETITION:
            raise MalformedError("the record says ended by repetition, and no position is repeated")
    return states


FIELDS = {"game": str, "position": str, "agents": list, "seed": int, "turns": list, "status": str}
WORDS = {str: "a text", list: "a list", int: "a whole number"}


def record_fault(fields: Any, players: int) -> str:
    """Return why the fields are not a record; empty if they are one."""
    if not isinstance(fields, dict):
        return "it is not a JSON object"
    for name, kind in FIELDS.items():
        if name not in fields:
            return f"it has no {name!r}"
        if type(fields[name]) is not kind:
            return f"{name!r} is not {WORDS[kind]}"
    if not isinstance(fields.get("ended", ""), str):
        return "'ended' is not a text"
    if any(type(turn) not in (int, str) for turn in fields["turns"]):
        return "a turn is neither a text nor a whole number"
    if any(type(name) is not str for name in fields["agents"]):
        return "the name of an agent is not a text"
    if len(fields["agents"]) > players:
        return f"it has {len(fields['agents'])} agents for a game of {players} players"
    return ""


def play(
    game: Game[Any, Any], *agents: Agent, seed: int = 0, position: str = "",
    ply_limit: int | None = None, on_turn: Callable[[Any, str | int], None] | None = None,
) -> Record:  # fmt: skip
    """Play a game to its end, or until an agent leaves it; return its record.

    A play also ends, as a draw, when a position occurs for the third time (`Game.repetition_limit`)
    or after `ply_limit` plies (default: `Game.ply_limit`); `Record.ended` says so.  `on_turn` is
    called with each position and the turn made there, as the record writes it.

    Requires: an agent for each player who moves, in the order of their numbers; `position`, if
    given, is the text of a position, as `games.position_text.read_position` reads it.
    Ensures: every move is legal; chance is drawn by a generator seeded with `seed`, so that the
    same agents, seed and position give the same record.  What agents remember from move to move,
    they forget between games (`player_of`).
    Raises: IllegalMove, naming the agent, the position and the legal moves; RuleFailed, with the
    moves before, if a rule raises an error; ValueError if a player who moves has no agent.

    >>> from games import ConnectFour, RandomAgent
    >>> play(ConnectFour(), RandomAgent(1), RandomAgent(2)).status
    Status.MAXIE_WINS
    """
    game = snapshot(check_game(game))
    check_integers(seed=seed)
    check_kind(str, "the text of a position", position=position)
    if len(agents) > game.players:
        raise MalformedError(f"{len(agents)} agents for a game of {game.players} players")
    for number, agent in enumerate(agents):
        if not callable(getattr(agent, "next_move", None)):
            raise ArgumentError(f"agent {number} has no next_move(game, state): {shown(agent)}")
    names = tuple(map(name_of, agents))
    agents = tuple(player_of(agent, game) for agent in agents)
    generator = Random(seed)
    state, turns = read_position(game, position), list[str | int]()
    ending = Ending(game, ply_limit)
    while True:
        with failures_named(game, state, turns):
            if not ending.goes_on(state):
                break
            player = ending.player
            turn: str | int = draw_outcome(game, state, generator) if player == CHANCE else ""
        if player != CHANCE:
            if player >= len(agents):
                raise MalformedError(
                    f"player {int(player)} is to move but has no agent; pass one more"
                )
            with failures_named(game, state, turns):
                moves_there(game, state)
            try:
                move = agents[player].next_move(game, state)
            except Leave:
                ending.ended = LEFT
                break
            except RuleFailed as error:
                raise error.named(texts_of(turns)) from error
            with failures_named(game, state, turns):
                turn = check_move(game, state, move, names[player])
        with failures_named(game, state, turns, turn):
            after = _after(game, state, turn)
        turns.append(turn)
        if on_turn is not None:
            on_turn(state, turn)
        state = after
    return Record(game, tuple(turns), position, names, seed, ending.ended)


def _after(game: Game[Any, Any], state: Any, turn: str | int) -> Any:
    """Return the position after a turn.

    Raises: RuleFailed if a rule makes nothing, or changes `state` in place.
    """
    kept, rule = Kept.of(state), "outcomes" if isinstance(turn, int) else "make_move"
    after = play_turn(game, state, turn)
    if kept is not None:
        kept.check(rule)
    if why := no_state(after, state):
        raise RuleFailed(rule, (), state, why)
    return after


def check_move(game: Game[Any, Any], state: Any, move: Any, name: str) -> str:
    """Check that a move is legal, and return its text."""
    legal = list(game.moves(state))
    at = place_of(move, legal)
    if at is None:
        texts = " ".join(game.move_text(state, m) for m in legal)
        raise IllegalMove(
            f"{name} played {shown(move)} in {game.label(state)}; legal moves: {texts or 'none'}"
        )
    text = game.move_text(state, legal[at])  # as the game writes it, which may be of another type
    if not isinstance(text, str):
        told = f"it returned {shown(text)} for the move {shown(move)}, not a text"
        raise RuleFailed("move_text", (), state, told)
    return text


def place_of(move: Any, legal: Sequence[Any]) -> int | None:
    """Return the place of a move among the legal ones, None if it is not one of them.

    >>> place_of(2.0, [1, 2]), place_of("2", [1, 2])
    (1, None)
    """
    for at, other in enumerate(legal):
        try:
            if other == move:
                return at
        except ValueError:  # of an array, which has no single answer
            return None
    return None


def draw_outcome(game: Game[Any, Any], state: Any, generator: Random) -> int:
    """Draw the number of an outcome by its probability."""
    pairs = list(game.outcomes(state))
    if not pairs:
        raise MalformedError(f"chance moves in {game.label(state)} and has no outcomes")
    if why := wrong_outcomes(pairs):
        raise RuleFailed("outcomes", (), state, why)
    chances = [probability for probability, _ in pairs]
    return generator.choices(range(len(pairs)), chances)[0]


def play_turn(game: Game[Any, Any], state: Any, turn: str | int) -> Any:
    """Play one turn of a record, and return the position after it.

    Raises: IllegalMove if the rules do not allow it.
    """
    chance = game.status(state) == Status.IN_PLAY and game.player(state) == CHANCE
    if isinstance(turn, str) and not chance:
        return game.make_move(state, game.parse_move(state, turn))
    outcomes = [child for _, child in game.outcomes(state)] if chance else []
    if isinstance(turn, str) or not 0 <= turn < len(outcomes):
        raise IllegalMove(f"{shown(turn)} where chance has the outcomes 0 to {len(outcomes) - 1}")
    return outcomes[turn]


class Agent(Protocol):
    """The protocol of an agent, which chooses moves; records use its attribute `name`, if any."""

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        """Choose a legal move of `state`, which is in play."""


def player_of(agent: Any, game: Game[Any, Any]) -> Any:
    """Return the player by which an agent takes part in one game: what its method `for_game`
    returns, if it has one, or else itself.

    An agent that remembers something from move to move returns a new player for each game.
    """
    begin = getattr(agent, "for_game", None)
    return begin(game) if callable(begin) else agent


def name_of(agent: object) -> str:
    """Return the name of an agent, the same on each run: its attribute `name`, or its text if its
    class defines one, or the name of its class.

    >>> name_of(RandomAgent(3))
    'random'
    """
    named = getattr(agent, "name", None)
    if named is not None:
        return str(named)
    kind = type(agent)
    told = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    return str(agent) if told else kind.__name__


class Leave(Exception):
    """Raised by an agent that leaves the game; the referee then ends it."""


def typed(prompt: str) -> str:
    """Read a line like `input`; a closed input counts as its end."""
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


NAMED = checked_by(check_kind, str, "a text, such as 'ann'")


@frozen
class RandomAgent:
    """An agent that draws a legal move at random, always the same one in the same position; in a
    game (`for_game`), it draws anew where a position occurs again.

    >>> from games import TicTacToe
    >>> game, agent = TicTacToe(), RandomAgent(seed=7)
    >>> agent.next_move(game, game.start()) == agent.next_move(game, game.start())
    True
    """

    seed: int = field(default=0, validator=checked_by(check_integers))
    name: str = field(default="random", validator=NAMED)
    met: Counter[str] | None = field(default=None, eq=False, repr=False)
    """How often each position has occurred in a game; None outside a game."""

    def for_game(self, game: Game[Any, Any]) -> RandomAgent:
        """Return this agent as the player of one game."""
        return evolve(self, met=Counter())

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        drawn = f"{self.seed} {game.label(state)}"
        if self.met is not None:
            self.met[drawn] += 1
            if (times := self.met[drawn]) > 1:
                drawn = f"{drawn} {times}"
        return Random(drawn).choice(moves_there(game, state))


@frozen
class HumanAgent:
    """The agent of a person at the terminal, who sees the position and types a legal move.

    Raises: `Leave` at the end of the input (Ctrl-D) and at Ctrl-C.
    """

    name: str = field(default="human", validator=NAMED)
    read: Callable[[str], str] = field(default=typed, repr=False)
    write: Callable[[str], Any] = field(default=print, repr=False)

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        texts = (game.move_text(state, move) for move in game.moves(state))
        self.write(game.show(state))
        self.write(f"legal moves: {' '.join(texts)}")
        while True:
            try:
                return game.parse_move(state, self.read(f"{self.name}> "))
            except (EOFError, KeyboardInterrupt):
                self.write("")
                raise Leave(f"{self.name} left the game") from None
            except ValueError as error:
                self.write(str(error))
