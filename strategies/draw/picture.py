"""A picture: SVG text that a file, a browser and a notebook can take."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from strategies.files import write_whole


@frozen
class Picture:
    """A picture as SVG text.

    Ensures: well-formed XML that needs nothing from elsewhere; the same picture is the same text.

    >>> Picture('<svg xmlns="http://www.w3.org/2000/svg"/>')._repr_svg_()
    '<svg xmlns="http://www.w3.org/2000/svg"/>'
    """

    svg: str = field(repr=False)

    def write(self, path: str | Path) -> Path:
        """Write the picture to a file: the whole of it, or nothing.

        Returns: the path.
        Raises: OSError if it cannot be written; a file that was there before is then still whole.
        """
        target = Path(path)
        write_whole(target, self.svg)
        return target

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg
