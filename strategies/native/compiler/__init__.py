"""The compiler of rules: the only package that imports numba and llvmlite, loaded when needed."""

from __future__ import annotations
