"""What is asked of the C library, or of Python where the library differs or fails."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.kinds.kind import F64, I64
from strategies.rules.machine import questions


def fabs(c: Code, v: Any) -> Any:
    return c.intrinsic("llvm.fabs.f64", F64, [v])


def asked(c: Code, name: str, how: str, args: list[Any], result: Any = F64) -> Any:
    """Return what a function of Python gives; `how` says which words are floats."""
    words = [c.b.bitcast(v, I64) if h == "f" else v for h, v in zip(how, args, strict=True)]
    status, word = c.ask(questions.NUMBERS[name, how], *words)
    c.checked(status)
    return c.b.bitcast(word, F64) if result is F64 else word


def libm(c: Code, name: str, args: list[Any], question: str = "") -> Any:
    """Return what a function of the C library gives, or Python where that is not finite.

    Args:
        question: what Python is asked, unless it is the function of the same name.
    """

    def build(r: Code, given: Any) -> Any:
        made = r.intrinsic(f"jam.libm.{name}", F64, list(given))
        out = r.temp(F64)
        r.store(made, out)
        with r.when(r.b.not_(is_finite(r, made)), rare=True):
            r.store(asked(r, question or name, "f" * len(args), list(given)), out)
        return r.load(out, F64)

    return c.risky(f"jam.{question or name}", F64, args, build)


def is_finite(c: Code, v: Any) -> Any:
    return c.b.fcmp_ordered("<", fabs(c, v), F64(float("inf")))
