"""What a simulation says: a result on virtual workers, in virtual time."""

from __future__ import annotations

from attrs import frozen

from strategies.analysis.burdens import Burden
from strategies.result import Result


@frozen
class Simulation:
    """A run on virtual workers.

    `result` is as that of a real run, so all that draws or writes a result takes it: its records
    start and end in virtual seconds after the run's start, on workers called "virtual 0",
    "virtual 1", …
    """

    workers: int
    seconds: float
    """From the start of the run to its last task's end; planning is not in it."""
    result: Result
    burden: Burden
    searched_again: bool
    """False: recorded times were put in order; True: every task ran again, in the windows that it
    finds at its virtual start."""

    @property
    def busy(self) -> float:
        """The share of the workers' time that was spent in tasks."""
        return self.result.work / (self.workers * self.seconds) if self.seconds else 1.0

    def __str__(self) -> str:
        r = self.result
        return (
            f"simulated: {self.workers} workers take {self.seconds:.4g} s, busy {self.busy:.0%}; "
            f"{r.nodes:,} nodes\n{r.sparks}"
        )
