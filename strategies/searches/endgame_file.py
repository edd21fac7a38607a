"""Files of endgame tables, whose rows are mapped into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from games import Game
from graphs.arguments import excerpt, path_of
from graphs.errors import ArgumentError
from graphs.limits import FILE_GAME_LETTERS
from strategies.native.fingerprint import fingerprint

VERSION: Final = 3
FORM: Final = "endgame table"


def write_table(
    path: str | Path, game: Game[Any, Any], rows: dict[str, Any], is_normalized: bool
) -> Path:
    """Write the rows of a table to a file, whole or not at all, and whether a win counts 1.

    A row that is None, and upper bounds that equal the lower ones, are left out.

    Raises: OSError.
    """
    import numpy as np

    from strategies.support.mapped_rows import write_rows

    about = {
        "form": FORM, "version": VERSION, "game": repr(game), "rules": fingerprint(game),
        "normalized": is_normalized,
    }  # fmt: skip
    given = {name: row for name, row in rows.items() if row is not None}
    if np.array_equal(given["low"], given["high"]):
        del given["high"]
    write_rows(path_of("path", path), about, given)
    return Path(path)


def read_table(path: str | Path, game: Game[Any, Any]) -> tuple[tuple[Any, ...], bool]:
    """Map the rows of a table into memory: the hashes, lower and upper bounds, and the steps to the
    end or None; return whether a win counts 1, too.

    Ensures: every part of the file has been compared with its checksum.
    Raises: ArgumentError, one line, for a damaged file or one of another game; OSError.
    """
    from strategies.support.mapped_rows import UNREADABLE, description, opened

    path_of("path", path).open("rb").close()  # a file that cannot be opened has an error of its own
    try:
        with opened(path) as archive:
            about = description(archive)
            if not isinstance(about, dict) or about.get("form") != FORM:
                raise ValueError
            wrong = archive.testzip()
    except UNREADABLE:
        raise ArgumentError(
            f"{path} is no endgame table, such as `solve --endgame` and `save` write, or it is "
            "damaged"
        ) from None
    if wrong is not None:
        raise damaged(path, f"{wrong} does not match its checksum")
    if about.get("version") != VERSION:
        raise ArgumentError(f"{path} is of another version of Jamboree: make it again")
    check_rules(path, about, game)
    try:
        return _rows(path), about.get("normalized") is True
    except UNREADABLE:
        raise damaged(path, "its rows cannot be read") from None


def check_rules(path: str | Path, about: dict[str, Any], game: Game[Any, Any]) -> None:
    """Check that a file was made for the same rules.

    Raises: ArgumentError, which says whether it is another game, or the rules have changed.
    """
    if about.get("rules") == fingerprint(game):
        return
    made = str(about.get("game"))
    if made == repr(game):
        raise ArgumentError(
            f"{path} was made with other rules of {game!r}, which have changed since: make it again"
        )
    raise ArgumentError(
        f"{path} is the endgame table of another game, {excerpt(made, FILE_GAME_LETTERS)}, "
        f"not of {game!r}"
    )


def damaged(path: str | Path, why: str) -> ArgumentError:
    """Return the error for a damaged file."""
    return ArgumentError(f"{path} is damaged: {why}; delete it, and make it again")


def _rows(path: str | Path) -> tuple[Any, ...]:
    """Return the four rows.

    Raises: ValueError unless they belong together.
    """
    import numpy as np

    words, low = _row(path, "words"), _row(path, "low")
    high, steps = _row(path, "high", low), _row(path, "steps", None)
    if words.dtype != np.uint64 or {low.dtype, high.dtype} != {np.dtype("float64")}:
        raise ValueError("numbers of another kind")
    if steps is not None and steps.dtype != np.int64:
        raise ValueError("steps of another kind")
    if not len(words) == len(low) == len(high) == len(low if steps is None else steps) > 0:
        raise ValueError("rows of different lengths")
    return words, low, high, steps


def _row(path: str | Path, name: str, *otherwise: Any) -> Any:
    """Map a row of a file, or return what it is `otherwise`, if the file does not have it."""
    import numpy as np

    from strategies.support.mapped_rows import mapped

    try:
        return np.asarray(mapped(path, name))
    except KeyError:
        if not otherwise:
            raise
        return otherwise[0]
