"""Laws of purity: the result of a rule depends only on the position."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from copy import deepcopy
from enum import Enum
from time import perf_counter
from typing import Any, Final

from games.answers import OF_PLAY, RULES, Answer, answers, answers_at_start
from games.laws import rules
from games.laws.law import AnyGame, NotMet, law_of_positions, law_of_states
from games.laws.of_states import parts
from games.laws.rules import Broken, Hung, TooLong, limit_here, within_limit
from games.laws.trace import Trace

ASKED_AGAIN: Final = 200
"""The number of positions tested again in another order, and in another process."""
HASHES: Final = 4
"""The number of processes with different hashes tested if moves or positions hold texts."""
TEXTS: Final = str, bytes, Enum
"""The parts of positions whose hashes differ from process to process."""

SHOWN = ("status", "player", *(rule for rule in RULES if rule not in OF_PLAY))
"""The rules that no other law calls twice."""


@law_of_states()
def answers_are_fixed(game: AnyGame, state: Any) -> None:
    """Called again, every rule returns the same: it uses no random numbers, clock or memory."""
    for _ in range(2):
        first = asked(game, state, SHOWN)
        compare(first, asked(game, state, SHOWN[::-1]), "", None)


@law_of_positions()
def answers_keep_in_any_order(game: AnyGame, traces: Sequence[Trace]) -> int:
    """A rule returns the same, whatever positions it was called for before."""
    chosen = sample(traces)
    first = [asked(game, copy, RULES) for _, copy in chosen]
    for (trace, copy), before in reversed(list(zip(chosen, first, strict=True))):
        compare(before, asked(game, copy, RULES), ", asked after other positions", trace)
    return len(chosen)


@law_of_positions()
def answers_keep_in_a_fresh_process(game: AnyGame, traces: Sequence[Trace]) -> int:
    """In another process, where texts and objects have other hashes, rules return the same."""
    chosen = sample(traces)
    began = perf_counter()
    here = [asked(game, copy, RULES) for _, copy in chosen]
    seconds = 30 + 20 * (perf_counter() - began)
    start = answers_at_start(game)
    texts = any(holds_text(said["moves"].plain) for said in here if "moves" in said)
    texts = texts or any(isinstance(p, TEXTS) for _, copy in chosen for _, p in parts(copy, ""))
    for there_at_start, there in in_fresh_processes(game, chosen, HASHES if texts else 1, seconds):
        if there_at_start.plain != start.plain:
            raise Broken(f"start to be {start.text}, as here", there_at_start.text)
        for (trace, _), before, again in zip(chosen, here, there, strict=True):
            compare(before, again, " in a fresh process", trace)
    return len(chosen)


# What the laws share ------------------------------------------------------------------------------


def asked(game: AnyGame, state: Any, which: Sequence[str]) -> dict[str, Answer]:
    """Return the answers of these rules, within the current time limit.

    Raises: `Hung` if they do not return in time.
    """
    try:
        return within_limit(lambda: answers(game, state, which), ("any rule", (state,)))
    except TooLong:
        raise Hung(f"every rule to answer within {limit_here():g} s", "no answer") from None
    except KeyboardInterrupt as stop:
        rules.noted(stop, "all rules", state)
        raise


def compare(
    before: dict[str, Answer], again: dict[str, Answer], how: str, trace: Trace | None
) -> None:
    for rule, answer in before.items():
        other = again.get(rule)
        if other is not None and other.plain == answer.plain:
            continue
        got = "no answer" if other is None else other.text
        broken = Broken(f"{rule} to answer {answer.text} again{how}", got)
        broken.trace = trace
        raise broken


def sample(traces: Sequence[Trace]) -> list[tuple[Trace, Any]]:
    """Return some of the positions, evenly chosen, each with a copy that no rule has seen."""
    step = max(1, -(-len(traces) // ASKED_AGAIN))
    return [(trace, deepcopy(trace.state)) for trace in traces[::step]]


def holds_text(value: Any) -> bool:
    """Return whether plain data contains a text; sets of texts change their order with hashes."""
    if isinstance(value, tuple):
        return any(map(holds_text, value))
    return isinstance(value, (str, bytes))


Said = tuple[Answer, list[dict[str, Answer]]]


def in_fresh_processes(
    game: AnyGame, chosen: Sequence[tuple[Trace, Any]], many: int, seconds: float
) -> list[Said]:
    """Return the answers of `many` other processes for the start and the positions.

    Raises: `NotMet` if the game cannot be sent there; `Hung` if there is no answer in time.
    """
    import cloudpickle

    try:
        states = [cloudpickle.dumps(state) for _, state in chosen]
        asked = cloudpickle.dumps((game, states))
    except Exception as error:
        raise NotMet(f"the game cannot be pickled: {type(error).__name__}: {error}") from error
    classes = {*type(game).__mro__, *(type(state) for _, state in chosen)}
    names = {cls.__module__ for cls in classes}
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in names}
    files = {name: file for name, file in files.items() if file and name != "__main__"}
    given = pickle.dumps(sys.path) + pickle.dumps((files, asked))
    program = (
        "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer);"
        "from games.answers import main; main()"
    )
    here = os.environ.get("PYTHONHASHSEED")
    seeds = [str(seed) for seed in range(1, many + 2) if str(seed) != here][:many]
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", program],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in seeds
    ]  # fmt: skip
    try:
        return [_said(process, given, seconds) for process in running]
    finally:
        for process in running:
            process.kill()
            process.communicate()


def _said(process: subprocess.Popen[bytes], given: bytes, seconds: float) -> Said:
    try:
        out, errors = process.communicate(given, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Hung(f"rules to answer in a fresh process in {seconds:.0f} s", "no answer") from None
    if process.returncode != 0:
        last = errors.decode(errors="replace").strip().splitlines()[-1:] or ["no word"]
        raise NotMet(f"the game cannot be brought to another process: {last[0]}")
    said: Said = pickle.loads(out)
    return said
