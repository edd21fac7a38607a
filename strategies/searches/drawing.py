"""Draw the pictures of results, and write those of the method `visualize` to files."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphs.arguments import check_kind, path_of, shown
from graphs.errors import ArgumentError
from strategies.support.files import is_stream

if TYPE_CHECKING:
    from strategies.insight.pictures.picture import Picture


def drawn(what: str, pictures: Mapping[str, Callable[[], Picture]]) -> Picture:
    """Draw the picture of this name.

    Raises: ArgumentError, with all names, if there is none.
    """
    names = f"one of {', '.join(pictures)}"
    check_kind(str, names, what=what)
    if what not in pictures:
        raise ArgumentError(f"what must be {names}, not {shown(what)}")
    return pictures[what]()


def drawn_to(
    filename: str | Path | None, format: str | None, options: dict[str, Any],
    draw: Callable[[], Picture], by_dask: Callable[..., Any],
) -> Any:  # fmt: skip
    """Write the picture of `draw` to a file, or let Dask draw if only Graphviz can.

    Returns: the picture.
    Raises: RuntimeError if Graphviz is needed but missing; OSError if the file cannot be written.
    """
    path = None if filename is None else path_of("filename", filename)
    kind = format or (path and path.suffix[1:].lower()) or "svg"
    if options or kind not in ("svg", "png"):
        try:
            return by_dask(filename=path and str(path), format=format, **options)
        except RuntimeError as error:
            words = ", ".join(options) or f"the format {kind}"
            more = f"without {words}, an SVG or PNG drawing needs no program"
            raise RuntimeError(f"{error}; {more}") from None
    if path is not None and path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    picture = draw()
    if path is not None:
        same = path.suffix.lower() == f".{kind}"
        picture.write(path if same or is_stream(path) else path.with_name(f"{path.name}.{kind}"))
    return picture
