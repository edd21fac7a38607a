"""Strategies chosen by measuring: a short probe, and a fixed expression that comes of it.

Begin with `auto`, which chooses by a probe, then `tune`, which simulates or measures candidates at
full depth.
"""

from __future__ import annotations
