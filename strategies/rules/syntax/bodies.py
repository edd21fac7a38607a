"""Bodies of functions: their statements, and the walk over an instance of one.

It goes from the parameters to the end.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable

from strategies.rules.boundary import held  # noqa: F401 - each adds to the tables of a walk
from strategies.rules.calls.invoking import make_closure
from strategies.rules.code.polling import poll
from strategies.rules.code.program import Program
from strategies.rules.code.val import NOTHING, Arguments, Val, c64
from strategies.rules.code.walk import STATEMENTS, TARGETS, Handler, Loop, Merge, Walk
from strategies.rules.iteration import generators
from strategies.rules.iteration.generators import entered
from strategies.rules.iteration.lazy import used_up
from strategies.rules.iteration.orderless_loops import stepping
from strategies.rules.iteration.shift_counts import asked
from strategies.rules.iteration.steps import for_each
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import NEVER, Instance, Static
from strategies.rules.language.messages import FIXED_FIELD, TOO_DEEP, Refusal, unlike
from strategies.rules.language.names import names_of
from strategies.rules.language.sources import parameters, yields
from strategies.rules.operations import items, operators
from strategies.rules.operations.unpacking import unpack
from strategies.rules.syntax import calls, expressions  # noqa: F401 - each adds to the tables of a walk
from strategies.rules.syntax.comprehensions import generate
from strategies.rules.syntax.conditions import branch_on
from strategies.rules.syntax.failing import assert_, raise_, try_
from strategies.rules.syntax.matching import match_


def expression(w: Walk, s: ast.Expr) -> None:
    if not isinstance(s.value, ast.Constant):
        whole(w, s.value, wanted=False)


def whole(w: Walk, node: ast.expr, wanted: bool = True) -> Val:
    """Evaluate an expression of a statement, which may be a `yield`: nothing is held meanwhile."""
    if isinstance(node, ast.Yield):
        none = w.constant(None)
        w.yields(w.eval(node.value) if node.value else none)
        return none  # because nothing is sent
    if isinstance(node, ast.YieldFrom):
        return generators.yield_from(w, node, wanted)
    return w.eval(node)


def unwind(w: Walk, keep: int) -> None:
    """Run the `finally` of every `try` that control leaves, down to a number of frames."""
    frames = w.frames
    for i in range(len(frames) - 1, keep - 1, -1):
        frame = frames[i]
        if isinstance(frame, Handler) and frame.finally_ and w.env is not None:
            w.frames, caught, w.caught = frames[:i], w.caught, [*w.caught, None]
            small, w.small = w.small, {}  # it may bind the variables of loops that are left
            with w.apart("leaving", i, id(w.here)):
                w.run(frame.finally_)
            w.caught, w.small = caught, small
    w.frames = frames


def return_(w: Walk, s: ast.Return) -> None:
    a = whole(w, s.value) if s.value else w.constant(None)
    if a.kind is NEVER:
        return w.stop()
    unwind(w, 0)
    if w.source.is_generator:
        w.finish(a)
    else:
        w.give(a)
    return None


def _leave(w: Walk, choose: Callable[[Loop], Merge]) -> None:
    at = max(i for i, f in enumerate(w.frames) if isinstance(f, Loop))
    loop = w.frames[at]
    assert isinstance(loop, Loop)
    unwind(w, at + 1)
    choose(loop).arrive()


def if_(w: Walk, s: ast.If) -> None:
    yes, no, after = Merge(w, s, "then"), Merge(w, s, "else"), Merge(w, s, "endif")
    branch_on(w, s.test, yes, no)
    for merge, body in ((yes, s.body), (no, s.orelse)):
        merge.land()
        w.run(body)
        after.arrive()
    after.land()


def while_(w: Walk, s: ast.While) -> None:
    def step(done: Merge) -> None:
        body = Merge(w, s, "body")
        branch_on(w, s.test, body, done)
        body.land()

    # Who asks a generator for the next value asks whether to stop.
    yields = any(isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield) for one in s.body)
    w.loop(s, "while", step, lambda: w.run(s.body), s.orelse, polls=not yields)


def for_(w: Walk, s: ast.For) -> None:
    def each(x: Val) -> None:
        w.bind_target(s.target, x)
        before, w.small = w.small, w.small | small
        w.run(s.body)
        w.small = before

    lasting = w.source.is_generator and yields(n for b in s.body for n in ast.walk(b))
    over = used_up(w, s.iter, lasting)
    small = {} if lasting else asked(w, s, over)
    with stepping(w, s):
        for_each(w, s, over, each, s.orelse, lasting=lasting)


# Binding


def assign(w: Walk, s: ast.Assign) -> None:
    # An iterator that is only unpacked is used up.
    plain = len(s.targets) > 1 or not isinstance(s.targets[0], ast.Tuple | ast.List)
    a = whole(w, s.value) if plain else used_up(w, s.value)
    for target in s.targets:
        w.bind_target(target, a)


def annotated(w: Walk, s: ast.AnnAssign) -> None:
    if s.value is not None:
        w.bind_target(s.target, whole(w, s.value))


def augmented(w: Walk, s: ast.AugAssign) -> None:
    """Evaluate the target once, then the value, then store."""
    match s.target:
        case ast.Name(id=name):
            old = w.name(name)
            w.assign(name, operators.in_place(w, type(s.op), old, w.eval(s.value), s))
        case ast.Subscript(value=container, slice=index):
            a, i = w.eval(container), items.index_of(w, index)
            old = items.get(w, a, i, s)
            items.put(w, a, i, operators.in_place(w, type(s.op), old, w.eval(s.value), s))
        case _:
            raise Refusal(FIXED_FIELD)


def store_item(w: Walk, target: ast.Subscript, a: Val) -> None:
    c = w.eval(target.value)
    items.put(w, c, items.index_of(w, target.slice), a)


def delete(w: Walk, s: ast.Delete) -> None:
    for target in s.targets:
        match target:
            case ast.Subscript(value=container, slice=index):
                c = w.eval(container)
                items.delete(w, c, items.index_of(w, index))
            case _:
                raise unlike(s)


def function(w: Walk, s: ast.FunctionDef) -> None:
    decorators = w.eval_all(s.decorator_list)
    made = make_closure(w, s)
    for node, f in zip(reversed(s.decorator_list), reversed(decorators), strict=True):
        if NEVER in (made.kind, f.kind):
            return w.assign(s.name, w.never)
        made = w.call_value(f, Arguments([made], {}), node)
    w.assign(s.name, made)
    return None


def import_(w: Walk, s: ast.Import | ast.ImportFrom) -> None:
    for name in s.names:
        if isinstance(s, ast.Import):
            module = importlib.import_module(name.name)
            bound = module if name.asname else importlib.import_module(name.name.partition(".")[0])
            w.assign(name.asname or name.name.partition(".")[0], Val(Static(bound)))
        else:
            module = importlib.import_module(
                "." * s.level + (s.module or ""), w.source.globals.get("__package__")
            )
            w.assign(name.asname or name.name, w.constant(getattr(module, name.name)))


def nonlocal_(w: Walk, s: ast.Nonlocal) -> None:
    """The name has a cell of the function around."""
    for name in s.names:
        if w.env is not None and name not in w.env:
            raise Refusal(f"{name} lasts from call to call, which is not compiled; pass it on")


TARGETS.update(
    {
        ast.Name: lambda w, target, a: w.assign(target.id, a),
        ast.Tuple: unpack,
        ast.List: unpack,
        ast.Subscript: store_item,
    }
)
STATEMENTS.update(
    {
        ast.Pass: lambda w, s: None,
        ast.Expr: expression,
        ast.Return: return_,
        ast.Break: lambda w, s: _leave(w, lambda loop: loop.after),
        ast.Continue: lambda w, s: _leave(w, lambda loop: loop.again),
        ast.If: if_,
        ast.While: while_,
        ast.For: for_,
        ast.Assign: assign,
        ast.AnnAssign: annotated,
        ast.AugAssign: augmented,
        ast.Delete: delete,
        ast.FunctionDef: function,
        ast.Import: import_,
        ast.ImportFrom: import_,
        ast.Raise: raise_,
        ast.Assert: assert_,
        ast.Try: try_,
        ast.Match: match_,
        ast.Nonlocal: nonlocal_,
    }
)


# The walk


def walk(program: Program, instance: Instance, emitting: bool) -> None:
    """Walk over an instance once."""
    w = Walk(program, instance, emitting)
    if emitting:
        instance.effects = w.effects[0]
    try:
        _begin(w)
        node = instance.source.node
        if isinstance(node, ast.Lambda):
            w.give(w.eval(node.body))
        elif isinstance(node, ast.GeneratorExp):
            generate(w, node)
        else:
            w.run(node.body)
    except Refusal as refusal:
        raise w.refused(node, refusal) from None
    except RecursionError:  # the compiler's own: it is no error of the rules
        raise w.refused(w.here, Refusal(TOO_DEEP)) from None
    if w.env is not None:
        if instance.source.is_generator:
            w.finish()
        else:
            w.give(w.constant(None))
    if emitting and instance.source.is_generator:
        instance.frame_size.initializer = c64(w.frame_end)
    w.close()


def _begin(w: Walk) -> None:
    """Bind the parameters and what the function captured."""
    instance = w.instance
    names, closure = parameters(instance.source.node), instance.closure
    captured = closure.names if closure else ()
    given = list(zip((*captured, *names), instance.given, strict=True))
    if instance.source.is_generator:
        entered(w)
        places = [w.room(form(k)) if w.emitting else NOTHING for _, k in given]
        w.result = w.room(form(instance.returned)) if w.emitting else NOTHING
        values = [Val(k, w.load(p, form(k))) for (_, k), p in zip(given, places, strict=True)]
    else:
        args = list(w.function.args[2:]) if w.emitting else []
        if w.emitting and closure:
            args = [*(w.part(args[0], i) for i in range(len(captured))), *args[1:]]
        values = [Val(k, args[i] if w.emitting else NOTHING) for i, (_, k) in enumerate(given)]
        if instance.recursive():
            w.check_stack()
            poll(w)
    shared = names_of(instance.source.node).shared
    for (n, _), a in zip(given, values, strict=True):
        if n in shared:
            w.share(n, instance.source.node)
        w.assign(n, a) if n in shared else w.bind(n, a)
    for n in sorted(shared - set(names)):
        w.share(n, instance.source.node)
