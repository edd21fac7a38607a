"""Bodies of functions: one walk over an instance, from its parameters to its end."""

from __future__ import annotations

import ast

from strategies.rules.boundary import held  # noqa: F401 - each adds to the tables of what a walk does
from strategies.rules.code.polling import poll
from strategies.rules.code.program import Program
from strategies.rules.code.val import NOTHING, Val, c64
from strategies.rules.code.walk import Walk
from strategies.rules.iteration.generators import entered
from strategies.rules.kinds.forms import form
from strategies.rules.kinds.kind import Instance
from strategies.rules.language.messages import Refusal
from strategies.rules.language.names import names_of
from strategies.rules.language.sources import parameters
from strategies.rules.syntax import calls, expressions, statements  # noqa: F401 - each adds to the tables of what a walk does
from strategies.rules.syntax.comprehensions import generate


def walk(program: Program, instance: Instance, emitting: bool) -> None:
    """Walk over an instance once."""
    w = Walk(program, instance, emitting)
    if emitting:
        instance.effects = w.effects[0]
    try:
        _begin(w)
        node = instance.node
        if isinstance(node, ast.Lambda):
            w.give(w.eval(node.body))
        elif isinstance(node, ast.GeneratorExp):
            generate(w, node)
        else:
            w.run(node.body)
    except Refusal as refusal:
        raise w.refused(node, refusal) from None
    if w.env is not None:
        if instance.is_generator:
            w.finish()
        else:
            w.give(program.constants.value(None))
    if emitting and instance.is_generator:
        instance.frame_size.initializer = c64(w.frame_end)
    w.close()


def _begin(w: Walk) -> None:
    """Bind the parameters and what the function captured."""
    instance = w.instance
    names, closure = parameters(instance.node), instance.closure
    captured = list(zip(closure.names, closure.kinds, strict=True)) if closure else []
    given = [*captured, *zip(names, instance.kinds, strict=True)]
    if instance.is_generator:
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
    shared = names_of(instance.node).shared
    for (n, _), a in zip(given, values, strict=True):
        if n in shared:
            w.share(n, instance.node)
        w.assign(n, a) if n in shared else w.bind(n, a)
    for n in sorted(shared - set(names)):
        w.share(n, instance.node)
