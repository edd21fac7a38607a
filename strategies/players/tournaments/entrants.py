"""Entrants: the players of a tournament, with names and settings of their estimates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import inf, isfinite
from typing import Any, Final

import attrs
from attrs import evolve, field, frozen

from games import Game, HumanAgent, RandomAgent
from games.attributes import evolved
from games.features import Weighted, weights_of, with_weights
from games.referee import name_of
from graphs.arguments import check_kind, excerpt, repeated, shown
from graphs.errors import ArgumentError, JamboreeError
from strategies.algebra.calls import CallError, lost, name_called, parse_call
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.engine import Engine
from strategies.native.kept_engines import engine_for
from strategies.players.game_loop import prepare_agent, prepared
from strategies.players.learned_file import with_estimate
from strategies.players.search_agent import HastyAgent, SearchAgent
from strategies.running.runtime.shipping import Warming


class EntrantError(JamboreeError, ValueError):
    """Raised for a player that cannot take part; the message says why."""


@frozen
class Called:
    """An agent made from a function of a game and a position."""

    function: Callable[[Game[Any, Any], Any], Any]

    @property
    def name(self) -> str:
        """Return the name of the function, the same on each run."""
        function: Any = self.function
        while isinstance(function, partial):
            function = function.func
        return str(getattr(function, "__name__", None) or name_of(function))

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        return self.function(game, state)


NAME: Final = re.compile(r"""[^()='"\x00-\x1f\x7f]+""")
"""What may be before the colon: no text of an agent that has arguments or settings."""
PERSON: Final = "a person can only play one game at a time; use play"


@frozen
class Entrant:
    """A player of a tournament.

    With `settings`, it searches the game with other weights or other numeric fields, or with the
    learned ``estimate`` of a file.

    >>> from strategies import alphabeta
    >>> str(Entrant(SearchAgent(alphabeta(3)), settings={"pairs": 1}))
    'alphabeta(depth=3) with pairs=1'
    """

    agent: Any
    name: str = ""
    settings: Mapping[str, float | str] = field(factory=dict, hash=False)

    def __attrs_post_init__(self) -> None:
        check_kind(str, "a text, such as 'ann'", name=self.name)
        check_kind(Mapping, "a dict of numbers by their names", settings=self.settings)

    def game(self, game: Game[Any, Any]) -> Game[Any, Any]:
        """Return the game with this player's settings."""
        own: Game[Any, Any] = with_settings(game, self.settings)
        return own

    @staticmethod
    def parse(text: str) -> Entrant:
        """Read an entrant from text: ``[NAME:] AGENT [with SETTING=NUMBER …]``.

        A name has no brackets, quotes or ``=``, so that it is not taken for an agent.  The setting
        ``estimate=FILE.npz`` names a learned estimate.
        Raises: EntrantError; AlgorithmError, StrategyError, DriverError of a search.

        >>> str(Entrant.parse("alphabeta(depth=2) with armies=4 mass=0.5"))
        'alphabeta(depth=2) with armies=4 mass=0.5'
        >>> str(Entrant.parse("Ann & Bob: random(seed=3)"))
        'Ann & Bob'
        """
        head, colon, rest = text.partition(":")
        name, text = (head.strip(), rest) if colon and NAME.fullmatch(head.strip()) else ("", text)
        text, stated, words = text.strip().partition(" with ")
        pairs = [_setting(word) for word in words.replace(",", " ").split()]
        if twice := repeated(name for name, _ in pairs):
            raise EntrantError(f"{twice} is given twice: with {words}")
        settings = dict(pairs)
        if stated and not settings:
            raise EntrantError(
                f"{shown(text)} with what? Write settings, as in: {text} with pairs=1"
            )
        if text == "human":
            raise EntrantError(PERSON)
        try:
            return Entrant(parse_agent(text), name, settings)
        except AlgorithmError as error:
            if not colon or name:
                raise
            raise EntrantError(f"{error}; a name before ':' has no brackets, quotes or =") from None

    def __str__(self) -> str:
        return self.name or self.text

    @property
    def text(self) -> str:
        """Return the text of the agent and its settings, without the name."""
        settings = " ".join(f"{name}={value}" for name, value in self.settings.items())
        return _name(self.agent) + (f" with {settings}" if settings else "")


def parse_agent(text: str) -> RandomAgent | HastyAgent | SearchAgent:
    """Read an agent from text: a search, or a random one as ``random`` or ``random(seed=3)``.

    Raises: EntrantError; AlgorithmError, StrategyError, DriverError of a search.

    >>> parse_agent("random(3)").seed
    3
    """
    if name_called(text) != "random":
        return HastyAgent.parse(text) if text.startswith("hasty ") else SearchAgent.parse(text)

    def seeded(seed: int = 0) -> RandomAgent:
        return RandomAgent(seed)

    try:
        return parse_call(text).to(seeded)
    except (CallError, TypeError) as error:
        raise EntrantError(f"{excerpt(text)}: {error}; write it as in random(seed=3)") from None


def _setting(word: str) -> tuple[str, float | str]:
    name, _, number = word.partition("=")
    if name == ESTIMATE and number:
        return name, number
    try:
        value = int(number) if number.lstrip("-").isdecimal() else float(number)
        value = inf if lost(number) else value
    except (ValueError, OverflowError):
        value = inf
    if not name or not isfinite(value):
        raise EntrantError(f"{shown(word)} is not a setting with a number, as in pairs=1")
    return name, value


def _name(agent: Any) -> str:
    if isinstance(agent, RandomAgent):
        return f"random(seed={agent.seed})" if agent.seed else "random"
    if isinstance(agent, SearchAgent):
        return str(agent) + (f" in {agent.time:g} s" if agent.time is not None else "")
    return name_of(agent)


def entrants(players: Iterable[Any]) -> tuple[Entrant, ...]:
    """Return players of any kind as entrants with distinct names.

    A player is an `Entrant`, its text, an algorithm, an agent with ``next_move(game, state)``, or a
    function of a game and a position; the second of two with the same name becomes ``name (2)``.
    Raises: EntrantError for fewer than two, for a person, or for an object that cannot play.
    """
    found: list[Entrant] = []
    for player in players:
        entrant = _entrant(player)
        name, number, taken = str(entrant), 1, {e.name for e in found}
        while (own := name if number == 1 else f"{name} ({number})") in taken:
            number += 1
        found.append(evolve(entrant, name=own))
    if len(found) < 2:
        raise EntrantError(f"a tournament needs two players or more, not {len(found)}")
    return tuple(found)


def _entrant(player: Any) -> Entrant:
    if isinstance(player, str):
        return Entrant.parse(player)
    entrant = player if isinstance(player, Entrant) else Entrant(player)
    if isinstance(entrant.agent, str):
        entrant = evolve(entrant, agent=Entrant.parse(entrant.agent).agent)
    elif isinstance(entrant.agent, (Algorithm, MonteCarlo)):
        entrant = evolve(entrant, agent=SearchAgent(entrant.agent))
    if isinstance(entrant.agent, HumanAgent):
        raise EntrantError(PERSON)
    if callable(getattr(entrant.agent, "next_move", None)):
        return entrant
    if callable(entrant.agent):
        return evolve(entrant, agent=Called(entrant.agent))
    raise EntrantError(
        "a player must be an algorithm such as alphabeta(4), its text, an agent with "
        f"next_move(game, state) or a function of a game and a position, not {shown(player)}"
    )


ESTIMATE: Final = "estimate"
"""The setting that is a file."""


def settings_of(game: Game[Any, Any]) -> dict[str, float]:
    """Return the settings of a game: its weights, if it has features; else its fields of numbers.

    >>> from games import ConnectFour, Othello
    >>> settings_of(ConnectFour())
    {'width': 7, 'height': 6, 'connect': 4, 'pairs': 0}
    >>> settings_of(Othello())
    {'discs': 0, 'mobility': 1, 'corners': 12}
    """
    if isinstance(game, Weighted) and game.feature_names:
        return weights_of(game)
    kind: Any = type(game)
    if not attrs.has(kind):
        return {}
    fields = (f.name for f in attrs.fields(kind) if f.init)
    values = ((name, getattr(game, name)) for name in fields)
    return {name: x for name, x in values if isinstance(x, (int, float)) and x is not True}


def with_settings(game: Any, settings: Mapping[str, Any]) -> Any:
    """Return the same game with other settings; those that are not named stay.

    The setting ``estimate`` is the file of a learned estimate.
    Raises: ValueError, with the names there are, for a name that is none, and if the constructor of
    the game would change another field; LearnedFileError.

    >>> from games import ConnectFour
    >>> with_settings(ConnectFour(), {"pairs": 1})
    ConnectFour(width=7, height=6, connect=4, pairs=1)
    """
    if ESTIMATE in settings:
        rest = {name: value for name, value in settings.items() if name != ESTIMATE}
        return with_estimate(with_settings(game, rest), str(settings[ESTIMATE]))
    known = settings_of(game)
    unknown = [name for name in settings if name not in known]
    if unknown:
        there = " ".join(known) or "none"
        raise ArgumentError(
            f"{type(game).__name__} has no setting {shown(unknown[0])}; settings: {there}"
        )
    if not settings:
        return game
    if isinstance(game, Weighted):
        return with_weights(game, **settings)
    return evolved(game, **settings)


@frozen
class Seat:
    """A player in a game: the entrant, and the game with its settings.

    It is made once for many games, because the file of an estimate may change.
    """

    entrant: Entrant
    game: Game[Any, Any]

    @property
    def agent(self) -> Any:
        """Return the agent."""
        return self.entrant.agent

    @property
    def engine(self) -> Engine:
        """Return the engine of the game that the agent asks for."""
        return engine_for(self.game, getattr(self.agent, "engine", "auto"))

    def prepare(self) -> None:
        """Compile or load the code of the player.

        Raises: AlgorithmError if an algorithm does not fit a game of one player.
        """
        start = self.game.start()
        if self.game.players == 1:  # its turns are compiled, too
            prepared(self.game, [self.agent], start, getattr(self.agent, "engine", "auto"))
        else:
            prepare_agent(self.agent, self.engine, start)


def warming_of(seats: tuple[Seat, ...]) -> Warming:
    """Return the work that compiles or loads the code that players call."""
    kinds = [(s.game, s.entrant.text, getattr(s.agent, "engine", "")) for s in seats]
    return Warming(("players", *kinds), _prepare, seats)


def _prepare(*seats: Seat) -> None:
    for seat in seats:
        seat.prepare()
