"""Dense networks: a layer of hidden units evaluates all cells of a position together.

The units replace tuples that somebody would have to choose.  Each unit has a weight for each value
of each cell; if their sum is above 0, it contributes to the value by one more weight.

The units are summed one at a time, so that no memory is needed besides the weights.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

import numpy as np
from attrs import field, frozen

from games.networks.weights import Row
from games.networks.writing import values_of_cells
from graphs.arguments import check_integers, check_positive, shown
from graphs.errors import MalformedError
from graphs.limits import MOST_WEIGHTS

GRAIN: Final = 1024
"""Settled weights are multiples of 1 / GRAIN."""
GREATEST: Final = 16.0
"""The upper bound of settled weights."""
MOST_CELLS: Final = 1000
PAYS: Final = 32
"""The number of hidden units from which searches evaluate leaves in batches."""
AT_ONCE: Final = 1024
"""The number of positions evaluated together, so that their data stays in the cache."""


def _scale(scale: Any) -> float:
    """Check a scale, and return it as a float."""
    check_positive(scale=scale)
    return float(scale)


@frozen
class Dense:
    """A dense network with one layer of hidden units (ReLU) over all cells of a board.

    Its values are `scale` times the sum of the network; `scale` is about the largest value.

    Learned weights are rounded to multiples of 1/1024 below 16, so that all sums are exact: they
    are equal to the last bit in any order, for one position at a time or many.

    Requires: two values or more, 1 to 1,000 cells, one unit or more, a scale above 0; or
    ValueError.

    >>> Dense(values=3, cells=9, hidden=16).size
    465
    """

    values: int
    cells: int
    hidden: int = 32
    scale: float = field(default=1.0, converter=_scale)

    def __attrs_post_init__(self) -> None:
        check_integers(2, values=self.values)
        check_integers(1, MOST_CELLS, cells=self.cells)
        check_integers(1, hidden=self.hidden)
        if self.size > MOST_WEIGHTS:
            raise MalformedError(f"{shown(self.size)} weights are too many; use fewer hidden units")

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the symmetries that its weights share: none."""
        return ()

    @property
    def seen(self) -> tuple[int, ...]:
        """Return the cells that the network reads."""
        return tuple(range(self.cells))

    @property
    def rows(self) -> int:
        """Return the number of values of all cells; each unit has a weight for each."""
        return self.values * self.cells

    @property
    def size(self) -> int:
        """Return the number of weights: of cell values, biases, units, and the bias of the sum."""
        return self.rows * self.hidden + 2 * self.hidden + 1

    def begun(self, start: float) -> Row:
        """Return the initial weights, always the same; they evaluate positions to about `start`."""
        drawn = np.random.default_rng(0)
        size = self.rows * self.hidden
        weights = np.zeros(self.size, np.float32)
        weights[:size] = drawn.normal(0, 1 / sqrt(self.cells), size)
        signs = np.where(np.arange(self.hidden) % 2, -1, 1)  # so that their sum is small at first
        weights[size + self.hidden : -1] = signs * 0.1 / sqrt(self.hidden)
        weights[-1] = start / self.scale
        return weights

    def settled(self, weights: Row) -> Row:
        """Return learned weights, rounded so that sums are exact."""
        near = np.clip(weights, -GREATEST + 1 / GRAIN, GREATEST - 1 / GRAIN)
        return np.asarray(np.round(near * GRAIN) / GRAIN, np.float32)

    def check(self, weights: Row) -> None:
        """Check that weights are settled, so that all sums of them are exact.

        Raises: MalformedError.
        """
        if not np.array_equal(self.settled(weights), weights):
            raise MalformedError("the weights are not rounded; use network.settled(row)")

    def sums(self, weights: Row, cells: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the sums of the network for positions, given a row of cells for each.

        Requires: settled weights.
        """
        own, out = self.rows * self.hidden, self.rows * self.hidden + self.hidden
        first = weights[:own].reshape(self.rows, self.hidden)
        begins = np.arange(self.cells) * self.values
        found = np.empty(len(cells))
        for k in range(0, len(cells), AT_ONCE):
            chosen = cells[k : k + AT_ONCE] + begins
            ones = np.zeros((len(chosen), self.rows), np.float32)
            np.put_along_axis(ones, chosen, 1, axis=1)
            units = np.maximum(ones @ first + weights[own:out], 0).astype(np.float64)
            found[k : k + AT_ONCE] = units @ weights[out:-1].astype(np.float64)
        found += float(weights[-1])
        return found * self.scale


def summed(network: Dense, learning: bool = False) -> list[str]:
    """Return the lines that compute the sum for a position, `total`.

    For learning, `norm` is the sum of the squared derivatives by each weight.
    """
    own = network.rows * network.hidden
    out = own + network.hidden
    lines = values_of_cells(network.seen)
    lines += [
        f" i{k} = ({k * network.values} + c{k}) * {network.hidden}" for k in range(network.cells)
    ]
    lines += [
        " row = self.net_weights.values",
        f" total = float(row[{network.size - 1}])",
        " norm = 1.0",
        f" for j in range({network.hidden}):",
        *unit(network),
        "  if unit > 0.0:",
        f"   weight = float(row[{out} + j])",
        "   total += unit * weight",
    ]
    if learning:
        lines.append(f"   norm += unit * unit + {network.cells + 1.0} * weight * weight")
    return [*lines, f" total = total * {network.scale!r}"]


def unit(network: Dense) -> list[str]:
    """Return the lines that sum the weights of unit j."""
    own = network.rows * network.hidden
    return [
        f"  unit = float(row[{own} + j])",
        *(f"  unit += float(row[i{k} + j])" for k in range(network.cells)),
    ]


def stepped(network: Dense) -> str:
    """Return the line for the step that removes `rate` times the error, to first order."""
    return f" step = sign * rate * error / ({network.scale!r} * norm)"


def revised(network: Dense, revise: str) -> list[str]:
    """Return the lines that change each weight by its gradient times the step."""
    own = network.rows * network.hidden
    out = own + network.hidden

    def change(index: str, step: str) -> str:
        return revise.format(index=index, step=step)

    return [
        f" {change(str(network.size - 1), 'step')}",
        f" for j in range({network.hidden}):",
        *unit(network),
        "  if unit > 0.0:",
        f"   back = step * float(row[{out} + j])",
        f"   {change(f'{out} + j', 'step * unit')}",
        f"   {change(f'{own} + j', 'back')}",
        *(f"   {change(f'i{k} + j', 'back')}" for k in range(network.cells)),
    ]
