"""Kinds of numpy's: its arrays, and numbers of its own types."""

from __future__ import annotations

from typing import Any

from attrs import define

from strategies.rules.kinds.atoms import Kind


@define(eq=False, repr=False)
class Scalar(Kind):
    """A number of numpy's own type, such as an element of an array; its form is that of `plain`."""

    type: Any
    plain: Kind

    def spelled(self, above: Any = ()) -> str:
        return f"numpy.{self.type.__name__}"


@define(eq=False, repr=False)
class Array(Kind):
    """A numpy array: the address of its elements, its shape and its strides."""

    item: Scalar
    ndim: int
    written: bool = False
    """Whether rules may write to it."""

    @property
    def element(self) -> Kind:
        """Return the kind of an element: of a row of Python's ints, an int."""
        return self.item.plain if self.item.type is int else self.item

    def spelled(self, above: Any = ()) -> str:
        return f"array of {self.item.type.__name__}"
