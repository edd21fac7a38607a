"""The round robin: play the missing games in parallel."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any

from games import Game, RandomAgent, Record
from games.endings import RULES
from graphs.arguments import check_flags, check_integers, check_progress, shown
from graphs.errors import ArgumentError
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.players.search_agent import SearchAgent
from strategies.players.tournaments.entrants import Entrant, EntrantError, entrants
from strategies.players.tournaments.kept_games import check_kept
from strategies.players.tournaments.openings import openings
from strategies.players.tournaments.pairings import Finished, Pairing, pair_all, play_pairing
from strategies.players.tournaments.standings import Tournament
from strategies.players.tournaments.warming import Warm
from strategies.running.runtime.batch import batch_client, run_batch
from strategies.running.runtime.process_pool import check_main
from strategies.support.journal import Entry, Journal

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
    is no further sample, unless chance or a random player drew: figures count it once.
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
    names = list(who)
    for g in games:
        _fits(g)
        for entrant in who.values():
            own = entrant.game(g)
            if isinstance(entrant.agent, SearchAgent):
                entrant.agent.algorithm.check(own)
                entrant.agent.table(own)
    check_integers(1, 10**9, rounds=rounds)
    check_integers(0, plies=plies)
    check_integers(seed=seed)
    check_integers(1, ply_limit=1 if ply_limit is None else ply_limit)
    begun = [openings(g, rounds, plies, seed) for g in games]
    planned = list(pair_all(len(games), range(rounds), names))
    header: Entry = {
        "journal": "tournament", "games": [repr(g) for g in games],
        "players": [[name, entrant.text] for name, entrant in who.items()],
        "plies": plies, "seed": seed,
    }  # fmt: skip
    if ply_limit is not None:
        header["ply_limit"] = ply_limit

    def seed_of(pairing: Pairing) -> int:
        return seed * 1_000_003 + pairing.round

    def of(entry: Entry) -> Pairing:
        return Pairing(*(entry[key] for key in ("game", "round", "maxie", "minnie")))

    def kept(entry: Entry) -> Finished:
        pairing, turns = of(entry), tuple(entry["turns"])
        agents = pairing.maxie, pairing.minnie
        luck = any(isinstance(who[name].agent, RandomAgent) for name in agents)
        luck = luck or any(type(turn) is int for turn in turns)
        game, ended = games[pairing.game], entry.get("ended", RULES)
        record = Record(game, turns, "", agents, seed_of(pairing), ended)
        status, score = entry["status"], entry["score"]
        return Finished(pairing, record, plies_of(pairing), status, score, luck)

    def plies_of(pairing: Pairing) -> int:
        return len(begun[pairing.game][pairing.round])

    def check(entry: Entry) -> None:
        check_kept(entry, games, names)

    with Journal(record, header, resume=resume, check=check) as journal:
        wanted = set(planned)
        done = {of(entry): kept(entry) for entry in journal.entries if of(entry) in wanted}

        def so_far() -> Tournament:
            played = tuple(done[f] for f in planned if f in done)
            return Tournament(games, tuple(names), played, len(planned))

        def over(pairing: Any, result: Any) -> None:
            turns, status, score, ended = result
            entry: Entry = {
                "game": pairing.game, "round": pairing.round, "maxie": pairing.maxie,
                "minnie": pairing.minnie, "status": status, "score": score, "turns": turns,
                "ended": ended,
            }  # fmt: skip
            journal.add(entry)
            done[pairing] = kept(entry)
            if progress is not None:
                progress(so_far())

        todo: dict[Hashable, tuple[Any, ...]] = {
            f: (games[f.game], who[f.maxie], who[f.minnie], begun[f.game][f.round], seed_of(f),
                ply_limit)
            for f in planned
            if f not in done
        }  # fmt: skip
        warming = Warm(games, tuple(who.values()))
        if todo and client is None:  # once, not in every thread or process
            warming()
        run_batch(
            play_pairing, todo, over, shared=(*games, *who.values()), checked=len(games),
            workers=workers, scheduler=scheduler, warming=warming,
        )  # fmt: skip
        return so_far()


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
    return games, {str(entrant): entrant for entrant in entrants(_several(players))}


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
