"""Write tables for publication, in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

LATEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "…": r"\ldots{}",
})  # fmt: skip


def in_seconds(time: float) -> str:
    """Write a time to the millisecond, or to three digits below 0.1 s.

    >>> in_seconds(12.5), in_seconds(0.116), in_seconds(0.0735), in_seconds(0.000481), in_seconds(0)
    ('12.500', '0.116', '0.0735', '0.000481', '0.000')
    """
    return f"{time:.{max(3, 2 - floor(log10(time))) if time > 0 else 3}f}"


def markdown(cells: Sequence[Sequence[str]]) -> str:
    """Write rows of cells, the head first, as a Markdown table with numbers aligned right.

    >>> print(markdown([["strategy", "time"], ["a|b", "0.5"]]))
    | strategy | time |
    |---|---:|
    | a\\|b | 0.5 |
    """
    head, *rows = [[cell.replace("|", r"\|") for cell in row] for row in cells]
    rule = "|" + "|".join(["---", *["---:"] * (len(head) - 1)]) + "|"
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head]] + [rule]
                     + ["| " + " | ".join(row) + " |" for row in rows])  # fmt: skip


def latex(cells: Sequence[Sequence[str]]) -> str:
    """Write rows of cells, the head first, as a LaTeX `tabular` with the rules of booktabs.

    >>> print(latex([["share", "time"], ["54%", "0.5"]]))
    \\begin{tabular}{lr}
    \\toprule
    share & time \\\\
    \\midrule
    54\\% & 0.5 \\\\
    \\bottomrule
    \\end{tabular}
    """
    head, *rows = ["".join(f" & {c.translate(LATEX)}" for c in row)[3:] + r" \\" for row in cells]
    columns = "l" + "r" * (len(cells[0]) - 1)
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *rows,
                      r"\bottomrule", r"\end{tabular}"])  # fmt: skip
