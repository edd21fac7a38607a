"""Laws as data: a name, a sentence, and a check that raises `Broken` if the law does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import field, fields, frozen

from games.game import Game, NoEstimate
from games.laws import rules
from games.laws.rules import Broken, Raised
from games.laws.trace import Trace

AnyGame = Game[Any, Any]


def everywhere(game: AnyGame, state: Any) -> bool:
    """Return True: by default, a law applies in every position."""
    return True


def never(game: AnyGame) -> str:
    """Return "", which means that a law applies to every game."""
    return ""


@frozen
class Law:
    """A law that every game must keep, as data.

    Requires: ``check(game, trace)`` raises `Broken` if the law does not hold, and returns the
    number of positions tested; ``unless(game)`` returns why the law does not apply to a game, or an
    empty text.  A law about single positions also has ``check_at(game, trace, plies)``, which tests
    it after some of the plies only, so that positions of other plays are not tested again.  A law
    that compares positions of many plays has ``check_together(game, traces)`` instead of `check`:
    the traces end in different positions, the shortest first, and `Broken.trace` is the trace that
    breaks it.
    """

    name: str
    sentence: str
    check: Callable[[AnyGame, Trace], int]
    unless: Callable[[AnyGame], str] = never
    check_at: Callable[[AnyGame, Trace, Iterable[int]], int] | None = None
    check_together: Callable[[AnyGame, Sequence[Trace]], int] | None = None


class NotMet(Exception):
    """Raised if a law cannot be tested here; the message says why."""


def sentence_of(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, or of the class of another callable."""
    return str(getattr(function, "__name__", type(function).__name__))


@frozen
class Decorator(Law):
    """A decorator that makes a law of a function; written without parentheses, it is the law."""

    make: Callable[[Callable[..., Any]], Law] = field(kw_only=True, repr=False)

    def __call__(self, check: Callable[..., Any]) -> Law:
        return self.make(check)


def _decorator(first: Callable[..., Any], make: Any, options: tuple[Any, ...]) -> Decorator:
    """Return the decorator with these options, which is also the law of the first of them."""
    bare: Law = make(first)
    parts = {f.name: getattr(bare, f.name) for f in fields(Law)}
    return Decorator(**parts, make=lambda check: make(check, *options))


def law_of_traces(unless: Callable[..., Any] = never) -> Decorator:
    """Make a law of a function ``(game, trace) -> positions tested``, with its name and docstring.

    >>> @law_of_traces
    ... def plays_are_short(game, trace):
    ...     "A play has at most four plies."
    ...     if trace.plies > 4:
    ...         raise Broken("at most 4 plies", trace.plies)
    ...     return 1
    >>> plays_are_short.name, plays_are_short.sentence
    ('plays_are_short', 'A play has at most four plies.')
    """

    def make(check: Any, unless: Callable[[AnyGame], str] = never) -> Law:
        return Law(name_of(check), sentence_of(check), check, unless)

    return _decorator(unless, make, (unless,))


def law_of_states(
    where: Callable[[AnyGame, Any], object] = everywhere,
    unless: Callable[[AnyGame], str] = never,
) -> Decorator:
    """Make a law of a function ``(game, state)``, tested in the positions that `where` selects.

    The function returns None or True where the law holds.  A position in which a rule raises is
    skipped, because the law `rules_answer` reports it; so is a position that has no value by the
    rules.
    """

    def make(
        check: Any, where: Callable[[AnyGame, Any], object] = everywhere,
        unless: Callable[[AnyGame], str] = never,
    ) -> Law:  # fmt: skip
        def check_at(game: AnyGame, trace: Trace, plies: Iterable[int]) -> int:
            tested = 0
            for ply in plies:
                state = trace.states[ply]
                try:
                    if where(game, state):
                        answer = check(game, state)
                        if answer is not None and answer is not True:
                            raise Broken(f"{name_of(check)} to return None or True", repr(answer))
                        tested += 1
                except (Raised, NoEstimate):
                    continue
                except Broken as broken:
                    broken.ply = ply
                    raise
                except KeyboardInterrupt as stop:
                    if not getattr(stop, "__notes__", ()):  # no rule was being called
                        rules.noted(stop, "position", state)
                    raise
            return tested

        def check_all(game: AnyGame, trace: Trace) -> int:
            return check_at(game, trace, range(len(trace.states)))

        return Law(name_of(check), sentence_of(check), check_all, unless, check_at)

    return _decorator(where, make, (where, unless))


def law_of_positions(unless: Callable[..., Any] = never) -> Decorator:
    """Make a law of a function ``(game, traces) -> positions tested``, which is called once with
    the positions of all plays: the ends of the traces, the shortest first.

    If the law is broken, the function sets `Broken.trace` to the play that breaks it.
    """

    def make(check: Any, unless: Callable[[AnyGame], str] = never) -> Law:
        def check_all(game: AnyGame, trace: Trace) -> int:
            tested: int = check(game, [trace.up_to(ply) for ply in range(len(trace.states))])
            return tested

        return Law(name_of(check), sentence_of(check), check_all, unless, check_together=check)

    return _decorator(unless, make, (unless,))


# Where laws are tested ----------------------------------------------------------------------------


def in_play(game: AnyGame, state: Any) -> bool:
    return rules.in_play(game, state)


def over(game: AnyGame, state: Any) -> bool:
    return not rules.in_play(game, state)


def chance_moves(game: AnyGame, state: Any) -> bool:
    return rules.in_play(game, state) and rules.chance_moves(game, state)


def no_chance_moves(game: AnyGame, state: Any) -> bool:
    return not chance_moves(game, state)


def a_player_moves(game: AnyGame, state: Any) -> bool:
    return rules.in_play(game, state) and not rules.chance_moves(game, state)
