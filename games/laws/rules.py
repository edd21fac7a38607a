"""Call the rules of a game one at a time, so that an error in a rule, or a call that does not
return, breaks a law instead of ending the check."""

from __future__ import annotations

import ctypes
import faulthandler
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from traceback import extract_tb
from typing import Any, Final, TypeVar

from games.game import CHANCE, Game, NoEstimate, Status
from graphs.arguments import shown

GENERATORS = ("moves", "moves_in_play", "children", "outcomes", "candidates", "rollout_moves")
PLAY = ("start", "status", "player", "moves", "outcomes", "make_move")
"""The rules that must return in every position."""
MANY = 100_000
"""The most moves or outcomes of a position; a generator of more counts as endless."""


class Broken(AssertionError):
    """Raised if a law does not hold: the expected result, the actual one, and the moves `then` that
    show it.

    `ply` is the ply of the play at which it was found; None is its last.  A law about many plays
    sets `trace` to the play.  `more` returns further details that take long to find; it is called
    when the shortest moves are known.  Results that are not texts are written as `repr` does, and a
    single move stands for a row of one.

    >>> print(Broken("at most 2 tokens", 3))
    expected at most 2 tokens, got 3
    """

    def __init__(self, expected: object, got: object, then: Any = ()) -> None:
        self.expected, self.got = (
            each if isinstance(each, str) else repr(each) for each in (expected, got)
        )
        super().__init__(f"expected {self.expected}, got {self.got}")
        self.then: tuple[Any, ...] = tuple(then) if isinstance(then, (tuple, list)) else (then,)
        self.ply: int | None = None
        self.trace: Any = None
        self.more: Callable[[], str] | None = None


class Raised(Broken):
    """Raised if a rule raised an error where it should have returned."""


class Hung(Broken):
    """Raised if a rule did not return within the limit."""


def ask(game: Game[Any, Any], rule: str, *args: Any, most: int = MANY + 1) -> Any:
    """Return the result of a rule; generators are read to their end, or up to `most` elements.

    Raises: `Raised` if the rule raises, except `NoEstimate` if the rule is not in `PLAY`; `Hung` if
    it exceeds the current time limit, or `moves` or `outcomes` yield more than `MANY`.
    """
    try:
        answer = within_limit(partial(_answer, game, rule, args, most), (rule, args))
    except TooLong as error:
        seconds = limit_here()
        expected = f"{called(rule, args)} to answer within {seconds:g} s"
        raise Hung(expected, f"no answer{_at(error)}", _then(rule, args)) from None
    except KeyboardInterrupt as stop:
        noted(stop, f"rule {called(rule, args)}", *args[:1])
        raise
    except (Exception, SystemExit) as error:
        if isinstance(error, NoEstimate) and rule not in PLAY:
            raise
        got = f"{type(error).__name__}: {error}"
        raise Raised(f"{called(rule, args)} to answer", got, _then(rule, args)) from error
    if isinstance(answer, tuple) and rule in ("moves", "outcomes") and len(answer) > MANY:
        raise Hung(f"{rule} to end", f"more than {MANY} of them")
    return answer


def _answer(game: Game[Any, Any], rule: str, args: tuple[Any, ...], most: int) -> Any:
    answer = getattr(game, rule)(*args)
    return tuple(islice(answer, most)) if rule in GENERATORS else answer


def called(rule: str, args: tuple[Any, ...]) -> str:
    """Return the text of a call of a rule: its name, and its arguments except the state."""
    return f"{rule}({', '.join(map(shown, args[1:]))})" if args[1:] else rule


def _then(rule: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    return args[1:] if rule == "make_move" else ()


def _at(error: BaseException) -> str:
    """Return where a call was when it was stopped."""
    *_, last = extract_tb(error.__traceback__)
    return "" if last.filename == __file__ else f"; it was in {last.name}, line {last.lineno}"


def noted(stop: BaseException, what: str, *state: Any) -> None:
    """Add a note to an error: what was being called, and where; the innermost note comes first."""
    where = f" in {state[0]!r}" if state else ""
    stop.add_note(f"{what}{where}")


def unlike(value: Any, other: Any) -> str:
    """Return the text of the other of two unequal values, and a remark if both print alike."""
    text = repr(other)
    if text != repr(value):
        return text
    own = vars(object)["__eq__"] is getattr(type(other), "__eq__", None)
    why = f"{type(other).__name__} equals only itself (eq=False)" if own else "they are unequal"
    return f"{text}, which prints alike, but {why}"


def in_play(game: Game[Any, Any], state: Any) -> bool:
    return bool(ask(game, "status", state) == Status.IN_PLAY)


def chance_moves(game: Game[Any, Any], state: Any) -> bool:
    return bool(ask(game, "player", state) == CHANCE)


def moves(game: Game[Any, Any], state: Any, most: int = MANY + 1) -> tuple[Any, ...]:
    answer: tuple[Any, ...] = ask(game, "moves", state, most=most)
    return answer


def outcomes(game: Game[Any, Any], state: Any) -> tuple[tuple[float, Any], ...]:
    answer: tuple[tuple[float, Any], ...] = ask(game, "outcomes", state)
    for outcome in answer:
        if not isinstance(outcome, tuple) or len(outcome) != 2:
            raise Broken("outcomes that are pairs (probability, position)", repr(outcome))
    return answer


def options(
    game: Game[Any, Any], state: Any, most: int = MANY + 1
) -> tuple[tuple[Any, Callable[[], Any]], ...]:
    """Return the choices of a position, each with a call that makes the next position.

    A choice is a move, or the number of an outcome if chance moves; at most `most` of them.
    """
    if not in_play(game, state):
        return ()
    if chance_moves(game, state):
        return tuple(
            (i, partial(_same, child)) for i, (_, child) in enumerate(outcomes(game, state))
        )
    return tuple((m, partial(ask, game, "make_move", state, m)) for m in moves(game, state, most))


def children(game: Game[Any, Any], state: Any) -> tuple[tuple[Any, Any], ...]:
    """Return each choice of a position with the next position."""
    return tuple((choice, make()) for choice, make in options(game, state))


def choose(game: Game[Any, Any], state: Any, choice: Any) -> Any:
    """Return the position after a possible choice."""
    if chance_moves(game, state):
        return outcomes(game, state)[choice][1]
    return ask(game, "make_move", state, choice)


def _same(state: Any) -> Any:
    return state


T = TypeVar("T")

LIMIT: Final = 10.0
"""The default limit of one call of a rule, in seconds."""

_POLLS: Final = 20
"""How often the clock is checked within the time of a limit."""


class TooLong(BaseException):
    """Raised inside a call that exceeds its limit; ``except Exception`` does not catch it."""


class Limit:
    """A time limit, which stops calls of one thread that take longer.

    Another thread checks the clock, and raises `TooLong` in the thread of the call, between two
    steps of its Python code.  A call that stays inside one step, such as ``sleep(10**6)``, cannot
    be stopped: `stuck` is called, if given, twice the limit after it began.  If a step lets no
    other thread run, such as ``sum(count())``, the process ends with a traceback, if `stuck` was
    given, because nothing else is possible.  It ends three times the limit after the step began,
    but not within 5 seconds, because on a busy machine any thread may wait for a while.
    """

    def __init__(self, seconds: float, stuck: Callable[[Any], None] | None = None) -> None:
        if not seconds > 0:
            raise ValueError(f"limit must be a number of seconds above 0, not {shown(seconds)}")
        self.seconds, self._stuck = seconds, stuck
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._began: float | None = None
        self._about: Any = None
        self._raised = self._told = False
        self._closed = threading.Event()
        self._quiet = ExitStack()

    def call(self, ask: Callable[[], T], about: Any = None) -> T:
        """Return the result of `ask`; `about` is passed on to `stuck`.

        Raises: `TooLong` if it takes longer than the limit.
        """
        if self._began is not None or threading.get_ident() != self._thread:
            return ask()  # inside another call, whose limit applies
        self._about, self._raised, self._told = about, False, False
        self._began = time.monotonic()
        try:
            return ask()
        finally:
            while self._began is not None:
                with suppress(TooLong), self._lock:  # it may be raised here too
                    if self._raised:  # perhaps not yet delivered; it must not be raised later
                        _withdraw()
                    self._began = None

    def _watch(self) -> None:
        while not self._closed.wait(self.seconds / _POLLS):
            with self._lock:
                if self._closed.is_set():  # while this thread waited for its turn
                    return
                if self._stuck:
                    with suppress(Exception):  # an error stream without a file, as in tests
                        faulthandler.dump_traceback_later(max(3 * self.seconds, 5), exit=True)
            began = self._began
            if began is None:
                continue
            taken = time.monotonic() - began
            with self._lock:
                if self._began != began:
                    continue
                if taken > self.seconds:
                    self._raised = True
                    _raise_in(self._thread, TooLong)
            if self._stuck and not self._told and taken > 2 * self.seconds:
                self._told = True
                self._stuck(self._about)

    def __enter__(self) -> Limit:
        self._thread = threading.get_ident()
        self._closed.clear()
        self._quiet.enter_context(_lost_without_a_word())
        threading.Thread(target=self._watch, name="limit of rules", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:  # the timer that ends the process must not be set again after this
            self._closed.set()
            if self._stuck:
                faulthandler.cancel_dump_traceback_later()
        self._quiet.close()


@contextmanager
def _lost_without_a_word() -> Iterator[None]:
    """Suppress reports of a `TooLong` raised in the block where Python drops errors.

    Such places are ``__del__`` and callbacks of the garbage collector, which any step of a rule may
    trigger.  Nothing is lost, because `TooLong` is raised again at the next check of the clock.
    """
    before = sys.unraisablehook

    def hook(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not TooLong:
            before(dropped)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        if sys.unraisablehook is hook:  # another thread may have replaced it
            sys.unraisablehook = before


def _raise_in(thread: int, error: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _withdraw() -> None:
    """Withdraw the exception that another thread raised in this one, if not delivered yet.

    Until an exception is delivered, Python checks for one at each call, and on Python 3.11 tracing
    by a debugger or a coverage tool hangs then.  So one is delivered here.
    """
    with suppress(TooLong):
        _raise_in(threading.get_ident(), TooLong)
        while True:
            pass


_limits = threading.local()


@contextmanager
def limited(limit: Limit) -> Iterator[None]:
    """Apply the limit to rules that this thread calls in the block."""
    before = getattr(_limits, "now", None)
    with limit:
        _limits.now = limit
        try:
            yield
        finally:
            _limits.now = before


def within_limit(ask: Callable[[], T], about: Any = None) -> T:
    """Return the result of `ask`, within the current limit, if any.

    Raises: `TooLong` if it does not return in time.
    """
    limit: Limit | None = getattr(_limits, "now", None)
    return ask() if limit is None else limit.call(ask, about)


def limit_here() -> float | None:
    """Return the current limit in seconds; None if there is no limit."""
    limit: Limit | None = getattr(_limits, "now", None)
    return None if limit is None else limit.seconds
