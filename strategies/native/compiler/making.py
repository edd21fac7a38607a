"""Whether compiled rules can make an object of a class as Python does."""

from __future__ import annotations

from typing import Any

import attrs

from strategies.native.digest import MADE

MISSING = "not given"
"""The default of arguments that must be given by name, and of the one that ends those by place."""


def misnamed(cls: type, given: Any, more: Any) -> str:
    """Describe which argument for a new record should have a name, or is missing; empty if none."""

    def missing(native: Any) -> bool:
        return MISSING in (getattr(native, "value", None), getattr(native, "literal_value", None))

    fields = attrs.fields(cls)
    if not missing(more):
        by_place = sum(not field.kw_only for field in fields)
        return f"{cls.__qualname__}(…) is given more than {by_place} arguments without a name"
    for field, native in zip(fields, given, strict=True):
        if missing(native):
            return f"{cls.__qualname__}(…) is not given {field.alias}: write {field.alias}=…"
    return ""


def unbuildable(cls: type) -> str:
    """Describe why compiled rules cannot create records of a class; empty if they can."""
    name = cls.__qualname__
    if own := _own_making(cls):
        return f"{own}, which compiled rules cannot run: use a function"
    for field in attrs.fields(cls):
        for part in ("converter", "validator"):
            if getattr(field, part) is not None:
                part = f"{name}.{field.name} has a {part}"
                return f"{part}, which compiled rules cannot run: use a function"
        if not field.init:
            return f"{name}.{field.name} is not a plain argument of {name}(…): remove init=False"
        if isinstance(field.default, attrs.Factory):  # type: ignore[arg-type]
            return f"{name}.{field.name} is not a plain argument of {name}(…): use a plain default"
    return ""


def _own_making(cls: type) -> str:
    """Describe what Python runs to make an object of a class besides what attrs generates; empty if
    nothing."""
    name = cls.__qualname__
    for hook in ("__attrs_pre_init__", "__attrs_post_init__"):
        if hasattr(cls, hook):
            return f"{name} has {hook}"
    code = getattr(cls.__init__, "__code__", None)  # type: ignore[misc]
    if code is None or not code.co_filename.startswith(MADE):
        return f"{name} has its own __init__"
    if getattr(cls, "__new__") is not object.__new__:  # noqa: B009 - mypy knows its type
        return f"{name} has its own __new__"
    if type(cls).__call__ is not type.__call__:
        return f"the metaclass of {name} has its own __call__"
    return ""
