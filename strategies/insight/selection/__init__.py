"""The choice of a strategy by measurement, as a fixed expression.

It may import `analysis` and the layers below `insight`. Start with `auto`, which chooses by a short
probe, then `tune`, which simulates or measures candidates at full depth.
"""

from __future__ import annotations
