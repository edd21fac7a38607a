"""Keeps the engines of the last games, so that equal games share one and its code.

One engine serves two equal games only if they are the same in all their parts.

The first search of a game is a trial by interpreted rules, because it may end at once: compiling
rules takes seconds, and loading the compiler half a second.  A search that ends before
that never pays for it; one that does not is begun again as machine code.  Both engines return the
same answer and counts.  A game that is searched twice will probably be searched more often: there
is one trial for each class of games in a process, and none if code of its rules is on disk.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple
from weakref import WeakSet

import attrs

from games.attributes import attributes, computed_once
from games.fields import WithFields
from games.game import check_game
from strategies.native.engine import Engine, check_choice
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_code import identity, is_kept
from strategies.native.table_contents import contents, same
from strategies.support.fork_locks import fork_lock

_keeping = fork_lock()
KEPT: Final = 64
"""The number of engines kept.  Each holds the tables of its game, which may take some MB; the code
is kept elsewhere."""
_engines: dict[Any, Engine] = {}
"""The engines of equal games."""


class Known(NamedTuple):
    """The engine of one game object, its kind, and what the tables of the game held."""

    game: Any
    kind: Hashable
    engine: Engine
    held: tuple[Any, ...]


_known: dict[tuple[int, Hashable], Known] = {}


def engine_for(game: Any, choice: str = "auto") -> Engine:
    """Return the engine of a game: "auto" compiles if it can, "native" must, "interpreted" does
    not.

    Ensures: equal games share an engine, if their parts that ``==`` ignores are the same, too; the
    engines of the last `KEPT` games are kept; rules that a notebook, for example, has redefined are
    compiled again, and so are those whose tables have changed.
    Cost: it reads all tables of the rules; a task of a search that has begun uses
    `engine_in_task`.

    >>> from games import HANDOUT_SMALL
    >>> engine_for(HANDOUT_SMALL, "interpreted").reason
    'the interpreted engine was chosen'
    """
    check_choice(choice)
    return kept_engine(game, choice, partial(_of_game, game, choice))


def kept_engine(game: Any, kind: Hashable, make: Callable[[], Engine]) -> Engine:
    """Return the engine of a kind for a game or problem; `make` makes one if none is kept.

    Ensures: what `engine_for` ensures.
    """
    known = _known.get((id(game), kind))
    if (
        known is not None
        and known.game is game
        and known.engine.current
        and same(contents(game), known.held)
        and (game is known.engine.game or known.engine.unchanged)
    ):
        return known.engine
    return _remembered(game, kind, make, lambda engine: engine.current and engine.unchanged)


def engine_in_task(game: Any, choice: str = "auto") -> Engine:
    """Return the engine of a game inside a task of a search.

    Requires: the search checked the rules when it began, so that tables need not be read again.
    """
    known = _known.get((id(game), choice))
    if known is not None and known.game is game:
        return known.engine
    make = partial(_of_game, game, choice)
    return _remembered(game, choice, make, lambda engine: engine.defined)


def _of_game(game: Any, choice: str) -> Engine:
    check_game(game)
    return Engine(game, choice)


def _remembered(
    game: Any, kind: Hashable, make: Callable[[], Engine], valid: Callable[[Engine], bool]
) -> Engine:
    """Return the engine of a game that equals this one, if there is a valid one, or else a new
    one."""
    engine = _found(game, kind, valid) or _made(game, kind, make)
    with _keeping:
        while len(_known) >= KEPT:
            del _known[next(iter(_known))]
        _known[id(game), kind] = Known(game, kind, engine, contents(game))
    return engine


def _found(game: Any, kind: Hashable, valid: Callable[[Engine], bool]) -> Engine | None:
    key = type(game), kind, game
    try:
        found = _engines.get(key)
    except TypeError:  # the game cannot be hashed
        near = [
            k.engine for k in tuple(_known.values()) if k.kind == kind and type(k.game) is key[0]
        ]
        return next((e for e in near if valid(e) and same_parts(e.game, game)), None)
    if found is None or not valid(found):
        with _keeping:  # as `_made` looks for the oldest one meanwhile
            _engines.pop(key, None)
        return None
    return found if same_parts(found.game, game) else None


def _made(game: Any, kind: Hashable, make: Callable[[], Engine]) -> Engine:
    made = make()
    with _keeping:
        while len(_engines) >= KEPT:
            try:
                del _engines[next(iter(_engines))]
            except KeyError:  # a game was changed, and its hash with it
                _engines.clear()
        with suppress(TypeError):  # the game cannot be hashed
            _engines.setdefault((type(game), kind, game), made)
    return made


def _pickled(engine: Engine) -> tuple[Any, ...]:
    """Pickle an engine as the game and the choice; the process that unpickles it builds the code,
    or reads it from the cache."""
    return engine_for, (engine.game, engine.choice)


copyreg.pickle(Engine, _pickled)


PLAIN = (int, float, bool, str, type(None))


def same_parts(a: Any, b: Any) -> bool:
    """Return whether two games, or parts of them, are the same.

    Equal games may differ in 1 and 1.0, in attributes that take no part in ``==``, and in parts of
    which a class of the user says that they are equal.

    >>> same_parts((1, [2]), (1, [2])), same_parts((1, [2]), (1, [2.0]))
    (True, False)
    """
    try:
        return _alike(a, b)
    except RecursionError:  # a game that holds itself
        return False


def _alike(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if attrs.has(type(a)) or isinstance(a, WithFields):
        mine, theirs = attributes(a), attributes(b)
        return (
            mine.keys() == theirs.keys()
            and all(_alike(value, theirs[name]) for name, value in mine.items())
            and all(_alike(value, getattr(b, name)) for name, value in computed_once(a).items())
        )
    if type(a) in (tuple, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if type(a) is dict:
        return _alike(list(a.items()), list(b.items()))
    if type(a) is float:
        return bool(a.hex() == b.hex())  # 0.0 == -0.0
    if type(a) in PLAIN:
        return bool(a == b)
    return fingerprint(a) == fingerprint(b)


_tried: WeakSet[type] = WeakSet()


def worth_a_trial(game: Any, kernel: Any, state: Any) -> bool:
    """Return whether a search should be begun interpreted; true once for each class of games.

    Requires: nothing has found out yet whether the rules compile.
    """
    cls = type(game)
    if cls in _tried:
        return False
    _tried.add(cls)
    return not is_kept(kernel, identity(cls), identity(type(state)))
