"""The names that the text of a value strategy may use."""

from __future__ import annotations

from collections.abc import Callable

from strategies.algebra.strategy import Strategy
from strategies.values import basic, sequential
from strategies.values import parallel as containers

NAMES: dict[str, Strategy | Callable[..., object]] = {
    name: getattr(home, name)
    for home, names in (
        (basic, "r0 rseq rdeepseq rpar rpar_with"),
        (
            containers,
            "eval_list_n par_list_n eval_list_nth par_list_nth eval_buffer eval_tuple par_tuple "
            "eval_traversable par_traversable",
        ),
        (sequential, "seq_list seq_list_n seq_list_nth seq_tuple seq_traversable"),
    )
    for name in names.split()
}
