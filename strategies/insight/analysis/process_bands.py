"""The processes of a run as bands of lanes."""

from __future__ import annotations

from typing import NamedTuple

from strategies.insight.analysis.utilisation import Utilisation


class ProcessBand(NamedTuple):
    """The lanes of one process: the numbers of the first and the last."""

    host: str
    number: str
    """The process id."""
    first: int
    last: int

    @property
    def process(self) -> str:
        """Return the name of the process, as in records."""
        return f"{self.host}/{self.number}"


def process_bands(found: Utilisation) -> tuple[ProcessBand, ...]:
    """Return a band for each process, from top to bottom; none if there was only one process.

    Requires: the lanes of a process are adjacent, as in `utilisation`.

    >>> from strategies.insight.analysis.utilisation import laid_out
    >>> from strategies.running.records.record import now, record
    >>> one = record(("step", ()), "step", now())
    >>> threads = "big/7/1", "small/9/1", "big/7/2"
    >>> found = laid_out([one._replace(worker=name) for name in threads], {})
    >>> [(band.process, band.first, band.last) for band in process_bands(found)]
    [('big/7', 0, 1), ('small/9', 2, 2)]
    """
    bands: list[ProcessBand] = []
    for lane, name in enumerate(found.lanes):
        host, _, number = name.rpartition("/")[0].rpartition("/")
        last = bands.pop() if bands and bands[-1][:2] == (host, number) else None
        bands.append(ProcessBand(host, number, lane if last is None else last.first, lane))
    return tuple(bands) if len(bands) > 1 else ()


def short_names(bands: tuple[ProcessBand, ...]) -> list[str]:
    """Return a short name for each band, with the host if there are several."""
    several = len({band.host for band in bands}) > 1
    return [f"{b.host[:9]} {b.number}" if several else f"process {b.number}" for b in bands]
