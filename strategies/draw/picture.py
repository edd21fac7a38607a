"""A picture: SVG text that a file, a browser and a notebook can take."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from attrs import field, frozen


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
        with NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as file:
            try:
                file.write(self.svg)
                file.close()
                # A temporary file is private; the picture gets the rights of any new file.
                umask = os.umask(0)
                os.umask(umask)
                os.chmod(file.name, 0o666 & ~umask)
                os.replace(file.name, target)
            except BaseException:
                os.unlink(file.name)
                raise
        return target

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg
