"""The rules of dense networks: the sum for a position, and the update of its weights.

The units are summed one at a time, so that no memory is needed besides the weights.
"""

from __future__ import annotations

from games.networks.dense import Dense
from games.networks.writing import values_of_cells


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
