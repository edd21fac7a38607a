"""Rewriting."""

from __future__ import annotations
