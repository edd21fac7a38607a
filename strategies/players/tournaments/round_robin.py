"""The round robin: play the missing games in parallel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from games import Game, RandomAgent, Record
from games.endings import LEFT, RULES
from games.referee import check_ending
from graphs.arguments import check_flags, check_integers, check_progress, shown
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.native.fingerprint import fingerprint, own_fingerprints
from strategies.native.kept_snapshots import kept_snapshot
from strategies.players.search_agent import SearchAgent, plays_alike
from strategies.players.tournaments.entrants import (
    ESTIMATE,
    Entrant,
    EntrantError,
    Seat,
    entrants,
    warming_of,
)
from strategies.players.tournaments.pairings import (
    Finished,
    Pairing,
    openings,
    pair_all,
    play_pairing,
    result_of,
)
from strategies.players.tournaments.standings import Tournament
from strategies.running.runtime.batch import batch_client, run_batch
from strategies.running.runtime.process_pool import check_main
from strategies.support.journal import RULE_DIGESTS, Entry, Journal

Players = Iterable[Any]
Games = Game[Any, Any] | Iterable[Game[Any, Any]]


def tournament(
    game: Games | Players, players: Players | Games, *, rounds: int = 10,
    plies: int = 4, seed: int = 0, workers: int | None = None, scheduler: Any = None,
    record: Path | str | None = None, resume: bool = False,
    progress: Callable[[Tournament], None] | None = None, ply_limit: int | None = None,
) -> Tournament:  # fmt: skip
    """Play a round robin: in each round, one opening of each game, from both seats.

    A player is a `SearchAgent` or any other agent, a function of a game and a position, an
    `Entrant`, or its text, such as ``"alphabeta(depth=4)"``.  An opening is `plies` random moves
    drawn from `seed`, the same for all players.  Games run in parallel: on the cluster of the
    current client, or of `scheduler`; else on `workers` threads of this process, as with
    ``scheduler="threads"``, or in processes with ``"processes"``.  Each finished game is a line of
    the file `record`; with `resume`, its games are not played again.  `rounds` may then be larger,
    or smaller: the games of further rounds stay in the file and are left out.
    A position that occurs for the third time (`Game.repetition_limit`) or `ply_limit` plies
    (default: `Game.ply_limit`) end a game as a draw.  A game that repeats another one move for move
    is no further sample if nothing was drawn, by chance or a player: figures count it once.  Only
    searches without a time limit, in one thread, are known not to draw.
    `progress` is called with the tournament so far.

    Requires: games of two players.  For reproducible games, the moves of each agent must depend
    only on the position and the seed.
    Ensures: the same games and figures with any number of workers, interrupted or not; a time limit
    makes moves depend on the machine.
    Raises: EntrantError, JournalError, ValueError, one line; AlgorithmError if an algorithm does
    not fit a game; IllegalMove, naming the player; KeyboardInterrupt, after which the file has all
    finished games.
    Cost: players · (players - 1) · rounds plays of each game.

    >>> from games import TicTacToe
    >>> found = tournament(TicTacToe(), ["alphabeta(depth=9)", "random"], rounds=20, plies=1)
    >>> found.standings[0].player, found.score("random").high < 0.5
    ('alphabeta(depth=9)', True)
    """
    check_flags(resume=resume)
    check_progress(progress)
    if scheduler == "processes":
        check_main()
    client = batch_client(scheduler)
    games, who = _checked(game, players)
    seats = _seated(games, who)
    _check_numbers(rounds, plies, seed, ply_limit)
    names = list(who)
    begun = tuple(openings(g, rounds, plies, seed) for g in games)
    fixture = Fixtures(games, seats, begun, seed, ply_limit)
    planned = list(pair_all(len(games), range(rounds), names))
    header = fixture.header(plies)
    check = partial(check_kept, games=games, players=names)
    with Journal(record, header, resume=resume, check=check) as journal:
        wanted = set(planned)
        kept = ((pairing_of(entry), entry) for entry in journal.entries)
        done = {each: fixture.finished(each, entry) for each, entry in kept if each in wanted}

        def so_far() -> Tournament:
            played = tuple(done[f] for f in planned if f in done)
            return Tournament(games, tuple(names), played, len(planned))

        def over(pairing: Any, result: Any) -> None:
            entry = entry_of(pairing, *result)
            journal.add(entry)
            done[pairing] = fixture.finished(pairing, entry)
            if progress is not None:
                progress(so_far())

        todo: dict[Hashable, tuple[Any, ...]] = {
            f: fixture.arguments(f) for f in planned if f not in done
        }
        everyone = tuple(seat for row in seats for seat in row.values())
        warming = warming_of(everyone)
        if todo and client is None:  # once, not in every thread or process
            warming()
        run_batch(
            play_pairing, todo, over, shared=(*games, *everyone), checked=len(games),
            workers=workers, scheduler=scheduler, warming=warming,
        )  # fmt: skip
        return so_far()


@frozen
class Fixtures:
    """The games of a tournament: who plays, from which openings, with which seeds."""

    games: tuple[Game[Any, Any], ...]
    seats: tuple[Mapping[str, Seat], ...]
    """The players of each game, by name."""
    openings: tuple[Sequence[Any], ...]
    """The openings of each game, by round."""
    seed: int
    ply_limit: int | None

    def header(self, plies: int) -> Entry:
        """Return the first entry of the journal, for openings of so many plies."""
        who = [seat.entrant for seat in self.seats[0].values()]
        agents = [entrant.agent for entrant in who]
        limit = {} if self.ply_limit is None else {"ply_limit": self.ply_limit}
        return {
            "journal": "tournament", "games": [repr(g) for g in self.games],
            RULE_DIGESTS: [*map(fingerprint, self.rules()), *own_fingerprints(*agents)],
            "players": [[str(entrant), entrant.text] for entrant in who],
            "plies": plies, "seed": self.seed, **limit,
        }  # fmt: skip

    def rules(self) -> Iterator[Any]:
        """Yield the games, and those with a learned estimate, which may change in its file."""
        yield from self.games
        for name, seat in self.seats[0].items():
            if ESTIMATE in seat.entrant.settings:
                yield from (row[name].game for row in self.seats)

    def seed_of(self, pairing: Pairing) -> int:
        """Return the seed of a game."""
        return self.seed * 1_000_003 + pairing.round

    def opening(self, pairing: Pairing) -> Any:
        """Return the opening of a game."""
        return self.openings[pairing.game][pairing.round]

    def arguments(self, pairing: Pairing) -> tuple[Any, ...]:
        """Return the arguments of `play_pairing` for a game."""
        row = self.seats[pairing.game]
        how = self.opening(pairing), self.seed_of(pairing), self.ply_limit
        return self.games[pairing.game], row[pairing.maxie], row[pairing.minnie], *how

    def finished(self, pairing: Pairing, entry: Entry) -> Finished:
        """Return a finished game from its entry in a journal."""
        turns, names = tuple(entry["turns"]), (pairing.maxie, pairing.minnie)
        agents = [self.seats[0][name].agent for name in names]
        luck = any(type(turn) is int for turn in turns)
        luck = luck or any(isinstance(agent, RandomAgent) for agent in agents)
        drawn = luck or (False if all(map(plays_alike, agents)) else None)
        game, ended = self.games[pairing.game], entry.get("ended", RULES)
        record = Record(game, turns, "", names, self.seed_of(pairing), ended)
        plies, (status, score) = len(self.opening(pairing)), (entry["status"], entry["score"])
        return Finished(pairing, record, plies, status, score, drawn)


def pairing_of(entry: Entry) -> Pairing:
    """Return the pairing of an entry of a journal."""
    return Pairing(*(entry[key] for key in ("game", "round", "maxie", "minnie")))


def entry_of(pairing: Pairing, turns: Any, status: Any, score: Any, ended: str) -> Entry:
    """Return the entry of a journal for a game that was played."""
    return {
        "game": pairing.game, "round": pairing.round, "maxie": pairing.maxie,
        "minnie": pairing.minnie, "status": status, "score": score, "turns": turns,
        "ended": ended,
    }  # fmt: skip


def _seated(
    games: tuple[Game[Any, Any], ...], who: Mapping[str, Entrant]
) -> tuple[Mapping[str, Seat], ...]:
    """Return the players of each game, by name; those with the same settings share a game, whose
    file is read now.

    Raises: the errors of `tournament` for games and players.
    """
    rows: list[dict[str, Seat]] = []
    for g in games:
        _fits(g)
        own: dict[str, Game[Any, Any]] = {}
        rows.append({})
        for name, entrant in who.items():
            settings = repr(entrant.settings)
            if settings not in own:
                own[settings] = entrant.game(g)
            seat = rows[-1][name] = Seat(entrant, own[settings])
            if isinstance(seat.agent, SearchAgent):
                seat.agent.algorithm.check(seat.game)
                seat.agent.table(seat.game)
    return tuple(rows)


def _check_numbers(rounds: int, plies: int, seed: int, ply_limit: int | None) -> None:
    """Raise the errors of `tournament` for its numbers."""
    check_integers(1, 10**9, rounds=rounds)
    check_integers(0, plies=plies)
    check_integers(seed=seed)
    check_integers(1, ply_limit=1 if ply_limit is None else ply_limit)


def _checked(game: Any, players: Any) -> tuple[tuple[Game[Any, Any], ...], dict[str, Entrant]]:
    """Return the games and the players of a tournament, by name.

    Raises: ArgumentError.
    """
    games = _several(game)
    wrong = [x for x in games if not isinstance(x, Game)]
    if wrong or not games:
        raise ArgumentError(
            f"a game is needed first, or several, not {shown(wrong[0] if wrong else games)}: "
            "tournament(game, players)"
        )
    return tuple(map(kept_snapshot, games)), {
        str(entrant): entrant for entrant in entrants(_several(players))
    }


def _several(given: Any) -> tuple[Any, ...]:
    """Return games or players as a row: one of them is a row of one."""
    if isinstance(given, (str, Algorithm, MonteCarlo)) or not isinstance(given, Iterable):
        return (given,)
    return tuple(given)


def _fits(game: Game[Any, Any]) -> None:
    if game.players != 2:
        raise EntrantError(
            f"a tournament is of games of two players; {type(game).__name__} has {game.players}: "
            "'jamboree play --games' plays it"
        )


FIELDS: Final[dict[str, type | tuple[type, ...]]] = {
    "game": int, "round": int, "maxie": str, "minnie": str, "turns": list, "status": str,
    "score": (int, float),
}  # fmt: skip
"""The fields of an entry, with their types."""


def check_kept(entry: Entry, games: Sequence[Game[Any, Any]], players: Collection[str]) -> None:
    """Check that an entry is a game of this tournament, played by the rules to its result.

    Raises: ValueError, one line; IllegalMove, with the number of the turn.

    >>> from games import TicTacToe
    >>> entry = {"game": 0, "round": 0, "maxie": "a", "minnie": "b", "turns": ["5", "5"],
    ...          "status": "DRAW", "score": 0.5}
    >>> check_kept(entry, [TicTacToe()], ["a", "b"])
    Traceback (most recent call last):
    games.game.IllegalMove: turn 2: ...
    """
    for name, kind in FIELDS.items():
        if isinstance(entry.get(name), bool) or not isinstance(entry.get(name), kind):
            raise ValueError(f"it has no valid {name}")
    seats = entry["maxie"], entry["minnie"]
    if not set(seats) <= set(players) or seats[0] == seats[1]:
        raise ValueError(f"{shown(seats[0])} and {shown(seats[1])} are not two of the players")
    if not 0 <= entry["game"] < len(games) or entry["round"] < 0:
        raise ValueError(f"there is no game {entry['game']} in round {entry['round']}")
    if any(type(turn) not in (int, str) for turn in entry["turns"]):
        raise ValueError("a turn is neither a text nor a whole number")
    game, ended = games[entry["game"]], entry.get("ended", RULES)
    if ended == LEFT:
        raise ValueError("no player leaves a game of a tournament")
    last = check_ending(Record(game, tuple(entry["turns"]), ended=ended))[-1]
    told = entry["status"], entry["score"]
    if told != result_of(game, last, ended):
        raise ValueError(f"its moves do not lead to {told[0]} with a score of {told[1]}")
