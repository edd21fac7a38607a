"""Functions that exist only in compiled code, where they have native forms."""

from __future__ import annotations

from typing import Any


def stub(name: str) -> Any:
    """Return a function to which an overload or an instruction gives a native form."""

    def compiled_only(*_: Any) -> Any:
        raise NotImplementedError(f"{name} is for compiled code only")

    compiled_only.has_native_form = True  # type: ignore[attr-defined]
    compiled_only.__name__ = compiled_only.__qualname__ = name
    return compiled_only
