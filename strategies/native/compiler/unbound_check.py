"""The check of a local name that may not be bound."""

from __future__ import annotations

from typing import Any

from numba import types

from strategies.native.compiler.parts import instruction
from strategies.native.compiler.unbound import check_bound


@instruction(check_bound)
def _instruction_check_bound(typing: Any, bound: Any, name: Any) -> Any:
    """Raise what Python raises, with the same message."""
    if not isinstance(name, types.StringLiteral):
        return None  # Numba tries again with the literal text
    named = repr(name.literal_value)
    text = f"cannot access local variable {named} where it is not associated with a value"

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        unbound = builder.not_(context.is_true(builder, signature.args[0], args[0]))
        with builder.if_then(unbound, likely=False):
            context.call_conv.return_user_exc(builder, UnboundLocalError, (text,))
        return context.get_dummy_value()

    return types.none(bound, name), build
