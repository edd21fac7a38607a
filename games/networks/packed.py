"""Indices of n-tuples for a board in one word: a few shifts and masks, not one for each cell.

Cells that lie side by side in a tuple and in the word are read together.  For each symmetry, the
word is turned once, and all tuples are read from it.

Source: bitboards with isomorphisms, as in TDL2048+ (Guei, Chen and Wu, 2021).
"""

from __future__ import annotations

from collections.abc import Iterable

from games.networks.ntuples import Cells, NTuples

WORD = 64


def fits(network: NTuples) -> bool:
    """Return whether the cells of a network fit in a word: their values are a power of two.

    >>> fits(NTuples(16, ((0, 15),))), fits(NTuples(16, ((0, 16),))), fits(NTuples(3, ((0,),)))
    (True, False, False)
    """
    return network.values & (network.values - 1) == 0 and network.cells * bits(network) <= WORD


def bits(network: NTuples) -> int:
    """Return the number of bits of a cell."""
    return network.values.bit_length() - 1


def gathered(word: str, moves: Iterable[tuple[int, int]], size: int) -> str:
    """Return the text that moves cells of a word: for each, the place that it has, and gets.

    Cells that move equally far move together.

    >>> gathered("w", [(0, 0), (1, 1), (4, 2)], 4)
    '(w & 0xff) | ((w >> 8) & 0xf00)'
    """
    masks: dict[int, int] = {}
    for begin, end in moves:
        far = size * (begin - end)
        masks[far] = masks.get(far, 0) | ((1 << size) - 1) << (size * end)
    shifts = {far: f"({word} >> {far})" if far > 0 else f"({word} << {-far})" for far in masks}
    return " | ".join(f"({shifts[f] if f else word} & {mask:#x})" for f, mask in masks.items())


def words_of(network: NTuples) -> list[str]:
    """Return the lines that turn a board, `w0`, by each symmetry: `w1`, `w2`, …

    Each is made from the earlier one for which the fewest cells move differently far.
    """
    size, group = bits(network), network.group

    def moves(now: Cells, wanted: Cells) -> list[tuple[int, int]]:
        return [(now.index(cell), k) for k, cell in enumerate(wanted)]

    def cost(now: Cells, wanted: Cells) -> int:
        return len({begin - end for begin, end in moves(now, wanted)})

    lines, made, left = [" w0 = self.packed(state)"], [0], list(range(1, len(group)))
    while left:
        old, new = min(
            ((m, k) for m in made for k in left), key=lambda pair: cost(*(group[k] for k in pair))
        )
        found = gathered(f"w{old}", moves(group[old], group[new]), size)
        lines.append(f" w{new} = {found}")
        made.append(new)
        left.remove(new)
    return lines


def looked_up_in_words(network: NTuples) -> list[str]:
    """Return the lines that compute each index, `i0`, `i1`, …, from the word of a board.

    Requires: `base` is the index of the first weight of the stage.
    """
    lines, n, begin = words_of(network), 0, 0
    for cells in network.tuples:
        for k in range(len(network.group)):
            places = [(cell, place) for place, cell in enumerate(cells)]
            found = gathered(f"w{k}", places, bits(network))
            lines.append(f" i{n} = base + {begin} + int({found})")
            n += 1
        begin += network.values ** len(cells)
    return lines
