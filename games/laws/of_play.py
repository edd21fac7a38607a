"""Laws of play: who moves, what is legal, what chance does, when it ends."""

from __future__ import annotations

from math import isclose
from random import Random
from typing import Any

from games.answers import OF_TEXTS, OF_VALUES, OPTIONAL, calls
from games.endings import check_limits
from games.game import CHANCE, NoEstimate, Status, has_chance
from games.laws import rules
from games.laws.law import (
    AnyGame,
    a_player_moves,
    chance_moves,
    in_play,
    law_of_states,
    law_of_traces,
)
from games.laws.rules import Broken, Raised, unlike
from games.laws.trace import Trace
from graphs.errors import ArgumentError

ASKED = (*OF_VALUES, *OF_TEXTS, "picture", *OPTIONAL)
"""The rules that are asked only whether they answer."""
LONG = 1000
"""The most plies of a random play of a game without `max_plies`."""


def defines(game: AnyGame, hook: str) -> bool:
    """Return whether a game defines an optional rule; None takes back an inherited one."""
    return getattr(game, hook, None) is not None


def no_chance(game: AnyGame) -> str:
    """Return why laws of chance do not apply."""
    return "" if has_chance(type(game)) else "the game has no outcomes"


@law_of_states()
def rules_answer(game: AnyGame, state: Any) -> None:
    """Every rule returns in every position where it may be called, and none raises an error."""
    try:
        ask_every_rule(game, state)
    except Raised as raised:  # which other laws pass over
        raise Broken(raised.expected, raised.got, raised.then) from raised
    except NoEstimate as error:
        raise Broken("every rule to answer", f"NoEstimate: {error}") from error


def ask_every_rule(game: AnyGame, state: Any) -> None:
    rules.children(game, state)
    playing, chance = rules.in_play(game, state), rules.chance_moves(game, state)
    moves = rules.moves(game, state)
    for rule, args in calls(game, ASKED, playing, chance, moves):
        try:
            rules.ask(game, rule, state, *args)
        except NoEstimate:
            if rule in OPTIONAL:
                raise


@law_of_states()
def status_is_a_status(game: AnyGame, state: Any) -> None:
    """The status of a position is a `Status`."""
    status = rules.ask(game, "status", state)
    if not isinstance(status, Status):
        raise Broken("a Status", repr(status))


@law_of_states(in_play)
def player_is_one_of_the_players(game: AnyGame, state: Any) -> None:
    """In play, the player to move is an int: `CHANCE`, or from 0 to below `players`."""
    player = rules.ask(game, "player", state)
    if not isinstance(player, int):
        raise Broken("player to be an int", repr(player))
    if player != CHANCE and not 0 <= player < game.players:
        raise Broken(f"a player from 0 to {game.players - 1}, or CHANCE (-1)", repr(player))


@law_of_states()
def moves_exactly_when_a_player_moves(game: AnyGame, state: Any) -> None:
    """There are moves exactly when the position is in play and a player moves, not chance."""
    moves = rules.moves(game, state)
    if not rules.in_play(game, state):
        if moves:
            raise Broken("no moves, as the position is not in play", f"moves {moves!r}")
    elif rules.chance_moves(game, state):
        if moves:
            raise Broken("no moves, as chance moves", f"moves {moves!r}")
    elif not moves:
        raise Broken("a move, as the position is in play", "none")


@law_of_states(a_player_moves)
def moves_are_distinct(game: AnyGame, state: Any) -> None:
    """No move is listed twice, and moves can be hashed."""
    moves = rules.moves(game, state)
    try:
        distinct = set(moves)
    except TypeError as error:
        raise Broken("moves that can be hashed", f"{error}") from error
    if len(distinct) != len(moves):
        raise Broken("each move once", f"{moves!r}")


@law_of_states(a_player_moves)
def moves_are_fixed(game: AnyGame, state: Any) -> None:
    """A position always has the same moves in the same order."""
    first, again = rules.moves(game, state), rules.moves(game, state)
    if first != again:
        raise Broken(f"moves {first!r} again", unlike(first, again))


@law_of_states(chance_moves, no_chance)
def chances_are_probabilities(game: AnyGame, state: Any) -> None:
    """Chance has an outcome; each has a probability above 0, and the probabilities sum to 1."""
    chances = [chance for chance, _ in rules.outcomes(game, state)]
    if not chances:
        raise Broken("an outcome, as chance moves", "none")
    if not all(isinstance(c, (int, float)) and c > 0 for c in chances):
        raise Broken("each probability above 0", f"{chances!r}")
    if not isclose(sum(chances), 1, abs_tol=1e-9):
        raise Broken("probabilities that sum to 1", f"{chances!r}, which sum to {sum(chances)!r}")


@law_of_states(in_play)
def chance_is_declared(game: AnyGame, state: Any) -> None:
    """Where chance moves, the game has `outcomes` and a finite `value_range`."""
    if not rules.chance_moves(game, state):
        return
    if no_chance(game):
        raise Broken("the rule outcomes, as chance moves", "a game without it")
    if game.value_range is None:
        raise Broken("a value_range, as chance moves", "None")


@law_of_traces()
def limits_of_plays_are_numbers(game: AnyGame, trace: Trace) -> int:
    """`ply_limit` is a whole number above 0, `max_plies` one or None, and `repetition_limit` one
    above 1 or None."""
    try:
        check_limits(game)
    except ArgumentError as error:
        expected, _, got = str(error).partition(", not ")
        raise Broken(expected, got) from error
    return 1


def no_bound(game: AnyGame) -> str:
    """Return why the law of termination does not apply."""
    bound = getattr(game, "max_plies", None)
    declared = isinstance(bound, int) and bound > 0
    return "" if declared else "the game declares no max_plies"


@law_of_traces(no_bound)
def ends_in_time(game: AnyGame, trace: Trace) -> int:
    """Play ends within `max_plies` plies, if the game declares them.

    A play that was drawn too short is continued with the first choice of each position.
    """
    bound: int = game.max_plies  # type: ignore[attr-defined]
    state, more = trace.states[min(trace.plies, bound)], []
    try:
        for _ in range(trace.plies, bound):
            options = rules.options(game, state, most=1)
            if not options:
                return 1
            choice, make = options[0]
            more.append(choice)
            state = make()
        playing = rules.in_play(game, state)
    except Raised:
        return 0
    if playing:
        broken = Broken(f"an end within {bound} plies", f"{state!r}, in play", tuple(more))
        broken.ply = min(trace.plies, bound)
        raise broken
    return 1


def bounded(game: AnyGame) -> str:
    """Return why the laws of endless play do not apply."""
    return "" if no_bound(game) else "the game bounds its plays by max_plies"


@law_of_states(in_play, bounded)
def moves_make_progress(game: AnyGame, state: Any) -> None:
    """Every move and outcome leads to another position, unless the game bounds its plays by
    `max_plies`."""
    children = rules.children(game, state)
    same = [choice for choice, child in children if child == state]
    if same and (len(same) == len(children) or not rules.chance_moves(game, state)):
        raise Broken("another position, or max_plies", f"{state!r} again", (same[0],))


@law_of_traces(bounded)
def play_comes_to_an_end(game: AnyGame, trace: Trace) -> int:
    """Without `max_plies`, at least one of three random plays ends within a thousand plies."""
    if _ends(game, trace.state):
        return 1
    endless = (ply for ply, state in enumerate(trace.states) if not _ends(game, state))
    broken = Broken(f"an end within {LONG} plies, or max_plies", "in play, in three random plays")
    broken.ply = next(endless, trace.plies)
    raise broken


def _ends(game: AnyGame, start: Any) -> bool:
    """Return whether a play from a position ends, if it is played at random, three times."""
    for seed in range(3):
        random, state = Random(seed), start
        try:
            for _ in range(LONG):
                options = rules.options(game, state)
                if not options:
                    return True
                state = random.choice(options)[1]()
        except Raised:
            return True
    return False
