"""Failing: `raise`, `assert` and `try`.

An exception is a status, whose class is known where it is raised; its arguments are not kept.
Errors of the compiler's own limits are never caught: ints beyond 64 bits, memory, depth, a stop.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from strategies.rules.code.coercion import fail
from strategies.rules.code.val import NOTHING, Val
from strategies.rules.code.walk import Handler, Merge, Walk
from strategies.rules.kinds.kind import I32, NEVER, Static
from strategies.rules.language.messages import LIMITS, Refusal
from strategies.rules.language.names import names_of
from strategies.rules.language.sources import yields
from strategies.rules.syntax.conditions import branch_on

UNKEPT = (
    "what the exception {0} holds is not kept, and {0} may only be raised again: "
    "put it into a variable before the `raise`"
)

# Raising


def raise_(w: Walk, s: ast.Raise) -> None:
    if s.exc is None:
        return _again(w, w.caught[-1] if w.caught else None)
    if isinstance(s.exc, ast.Name) and s.exc.id in w.exceptions:
        if s.cause is not None:
            cause(w, s.cause)
        return _again(w, w.exceptions[s.exc.id])
    if isinstance(s.exc, ast.IfExp):
        return _one_of(w, s, s.exc)
    made, message = _exception(w, s.exc), _message(s.exc)
    if s.cause is not None:
        cause(w, s.cause)
    if made.kind is NEVER:
        return w.stop()
    error = _known(made, "can be raised")
    _plain(error)
    fail(w, error, message)
    w.env = None
    return None


def _message(node: ast.expr) -> str:
    """Return the message of an exception as far as it is known before: what is in braces stands
    for its value."""
    return ", ".join(map(_text, node.args)) if isinstance(node, ast.Call) else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node)[2:-1] if isinstance(node, ast.JoinedStr) else ast.unparse(node)


def _one_of(w: Walk, s: ast.Raise, node: ast.IfExp) -> None:
    """Raise one of two exceptions."""
    yes, no = Merge(w, node, "this"), Merge(w, node, "that")
    branch_on(w, node.test, yes, no)
    for merge, exception in ((yes, node.body), (no, node.orelse)):
        merge.land()
        if w.env is not None:
            raise_(w, ast.copy_location(ast.Raise(exception, s.cause), s))


def _again(w: Walk, status: Any) -> None:
    """Raise what was caught."""
    if status is None:
        raise Refusal("`raise` without an exception is compiled only directly in an `except`")
    with w.noted():
        w.fail(w.load(status, I32))
    w.unreachable() if w.handler() is None else None
    w.env = None


def _exception(w: Walk, node: ast.expr) -> Val:
    """Evaluate an exception and its arguments, which are not kept."""
    if not isinstance(node, ast.Call):
        return w.eval(node)
    made = w.eval(node.func)
    if node.keywords:
        raise Refusal("keywords of an exception are not compiled; give its arguments by place")
    for a in node.args:
        if not evaluated(w, a):
            return w.never
    return made


def evaluated(w: Walk, node: ast.expr) -> bool:
    """Evaluate an argument of an exception; of a text that is built, only its parts."""
    if isinstance(node, ast.Starred):
        raise Refusal("a star in the arguments of an exception is not compiled")
    if isinstance(node, ast.JoinedStr):
        parts = [v for v in node.values if isinstance(v, ast.FormattedValue)]
        for v in parts:
            if not evaluated(w, v.value):
                return False
            if v.format_spec is not None and not evaluated(w, v.format_spec):
                return False
        return True
    return w.eval(node).kind is not NEVER


def cause(w: Walk, node: ast.expr) -> None:
    """Evaluate what stands after `from`, which only a traceback shows."""
    if isinstance(node, ast.Name) and node.id in w.exceptions:
        return
    if isinstance(node, ast.Constant) and node.value is None:
        return
    _known(_exception(w, node), "can be a cause")


def _known(a: Val, what: str) -> type[BaseException]:
    """Return the class of an exception, or refuse one that is not known before."""
    value = a.kind.value if isinstance(a.kind, Static) else None
    cls = type(value) if isinstance(value, BaseException) else value
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise Refusal(f"only an exception that is known before {what}")
    return cls


def _plain(error: type[BaseException]) -> None:
    """Refuse an exception that is more than its class and a message."""
    if issubclass(error, LIMITS):
        raise Refusal(f"{error.__name__} is kept for the limits of rules; raise another exception")
    try:
        made = error("")
    except Exception:
        raise Refusal(
            f"{error.__name__} cannot be made of one message, which is not compiled; give the "
            "other parameters of its __init__ defaults, or raise ValueError(…)"
        ) from None
    if type(made) is not error:
        raise Refusal(f"{error.__name__} makes another exception, which is not compiled")


def assert_(w: Walk, s: ast.Assert) -> None:
    yes, no = Merge(w, s, "holds"), Merge(w, s, "fails")
    branch_on(w, s.test, yes, no)
    no.land()
    if w.env is not None and (s.msg is None or evaluated(w, s.msg)):
        fail(w, AssertionError, ast.unparse(s.test) if s.msg is None else _text(s.msg))
    w.env = None
    yes.land()


# Catching


def try_(w: Walk, s: ast.Try) -> None:
    """Run the body, then one of the handlers or `else`, and `finally` in any case."""
    if w.source.is_generator:
        _refuse_yields(s)
    after = Merge(w, s, "after try")
    if not s.finalbody:
        _handled(w, s, after)
        after.land()
        return
    failed, frame = _guard(w, s, "finally", s.finalbody)
    done = Merge(w, s, "done")
    _handled(w, s, done)
    w.frames.pop()
    done.land()
    _finally(w, s.finalbody, "done")
    after.arrive()
    failed.land()
    if w.env is not None:
        with_limits(w, frame.status)
        _finally(w, s.finalbody, "failed")
        if w.env is not None:
            _again(w, frame.status)
    after.land()


def _guard(w: Walk, s: ast.Try, what: str, finally_: list[ast.stmt]) -> tuple[Merge, Handler]:
    """Let failures go to a place from here on."""
    status = w.slot((*w.place(s, what), "status"), I32)
    caught = Merge(w, s, what)
    if w.infer and w.env is not None:
        caught.envs.append(dict(w.env))  # so that the place is known to be reached
    frame = Handler(caught, status, finally_)
    w.frames.append(frame)
    return caught, frame


def _finally(w: Walk, body: Sequence[ast.stmt], what: str) -> None:
    """Run a `finally`, which is walked once for each way into it."""
    caught, w.caught = w.caught, [*w.caught, None]
    with w.apart("finally", what):
        w.run(body)
    w.caught = caught


def with_limits(w: Walk, status: Any) -> None:
    """Pass on an error of the compiler's own limits."""
    found = w.load(status, I32)
    with w.noted():
        w.fail_if(w.b.call(w.program.matcher(()), [found]) if w.emitting else NOTHING, found)


def _handled(w: Walk, s: ast.Try, after: Merge) -> None:
    """Run the body, the handlers and `else`, and arrive after them."""
    if not s.handlers:
        w.run(s.body)
        after.arrive()
        return
    caught, frame = _guard(w, s, "caught", [])
    w.run(s.body)
    w.frames.pop()
    w.run(s.orelse)
    after.arrive()
    caught.land()
    if w.env is None:
        return
    with_limits(w, frame.status)
    for h in s.handlers:
        _handler(w, h, frame.status, after)
        if w.env is None:
            return
    _again(w, frame.status)


def _handler(w: Walk, h: ast.ExceptHandler, status: Any, after: Merge) -> None:
    """Run a handler if it is for the status; else go on to the next."""
    classes = _classes(w, h)
    if classes is None:
        return w.stop()
    other = Merge(w, h, "not caught")
    if BaseException not in classes:
        matched = NOTHING
        if w.emitting:
            matched = w.b.call(w.program.matcher(classes), [w.load(status, I32)])
        w.go_on(matched, other.arrive)
    known = dict(w.exceptions)
    if h.name is not None:
        _only_raised(w, h)
        w.exceptions[h.name] = status
        assert w.env is not None
        w.env.pop(w.full(h.name), None)
    w.caught.append(status)
    w.run(h.body)
    w.caught.pop()
    w.exceptions = known
    after.arrive()
    other.land()
    return None


def _classes(w: Walk, h: ast.ExceptHandler) -> tuple[type[BaseException], ...] | None:
    """Return the exceptions that a handler is for; None where Python raises TypeError."""
    if h.type is None:
        return (BaseException,)
    nodes = h.type.elts if isinstance(h.type, ast.Tuple) else [h.type]
    found: list[type[BaseException]] = []
    for node in nodes:
        a = w.eval(node)
        value = a.kind.value if isinstance(a.kind, Static) else None
        if not (isinstance(value, type) and issubclass(value, BaseException)):
            raise Refusal("only exceptions that are known before can be caught; name their classes")
        if issubclass(value, LIMITS):
            raise Refusal(f"{value.__name__} is of the limits of rules, which cannot be caught")
        found.append(value)
    return tuple(found)


def _only_raised(w: Walk, h: ast.ExceptHandler) -> None:
    """Refuse a use of a caught exception other than to raise it, or as a cause."""
    if h.name in names_of(w.source.node).shared:
        raise Refusal(f"{h.name} is used by an inner function, which is not compiled")
    raised = [
        x for s in h.body for n in ast.walk(s) if isinstance(n, ast.Raise) for x in (n.exc, n.cause)
    ]
    for s in h.body:
        for n in ast.walk(s):
            if isinstance(n, ast.Name) and n.id == h.name and not any(n is x for x in raised):
                raise w.refused(n, Refusal(UNKEPT.format(h.name)))
            if isinstance(n, ast.FunctionDef | ast.Lambda) and any(
                isinstance(x, ast.Name) and x.id == h.name for x in ast.walk(n)
            ):
                raise Refusal(f"{h.name} is used by an inner function, which is not compiled")


def _refuse_yields(s: ast.Try) -> None:
    """Refuse a generator that would do something when it is left early."""
    inside = [n for part in (*s.body, *s.orelse) for n in ast.walk(part)]
    handlers = [n for h in s.handlers for n in ast.walk(h)]
    if s.finalbody and yields((*inside, *handlers)):
        raise Refusal("`yield` inside of `try` with `finally` is not compiled; yield after it")
    caught = [ast.unparse(h.type) if h.type is not None else "BaseException" for h in s.handlers]
    broad = [name for name in caught if "BaseException" in name or "GeneratorExit" in name]
    if broad and yields(n for part in s.body for n in ast.walk(part)):
        raise Refusal(
            f"`yield` inside of `try` that catches {broad[0]} is not compiled, because it would "
            "catch the end of the generator; name other exceptions, such as Exception"
        )
