"""Strategies chosen by measuring: a short probe, and a fixed expression that comes of it."""

from __future__ import annotations
