"""Reads methods and constants of a class by its name: `Board.moved(board, 3)`, `Board.WIDTH`."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba import types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import lower_getattr_generic

from strategies.native.compiler.record_types import class_constant, constant_type_of
from strategies.native.compiler.row_forms import refusal
from strategies.native.compiler.rules import class_of, native_form, plain_function, rule_of


@infer_getattr
class ClassAttributes(AttributeTemplate):
    """Methods, static methods and constants of a class; a method takes its object as first
    argument."""

    key = types.Dispatcher

    def generic_resolve(self, native: Any, name: str) -> Any:
        cls = class_of(native.dispatcher)
        if cls is None:
            return None
        found = rule_of(cls, name)
        if found is None:
            raise refusal(f"{cls.__qualname__} has no rule or constant {name}")
        if isinstance(found, staticmethod):
            found = plain_function(found)
        if isinstance(found, FunctionType):
            return self.context.resolve_value_type(native_form(found))
        return constant_type_of(found)


@lower_getattr_generic(types.Dispatcher)
def _class_getattr(context: Any, builder: Any, native: Any, value: Any, name: str) -> Any:
    found = rule_of(class_of(native.dispatcher), name)
    if isinstance(found, (FunctionType, staticmethod)):
        return context.get_dummy_value()
    return class_constant(context, builder, found)
