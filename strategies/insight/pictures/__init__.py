"""Pictures of searches as SVG text, which need no other package or program.

Each picture has a module with a function ``draw_…``: `search_tree`, `task_graph`, `overview`,
`timeline`, `speedup_bounds`. They may import `analysis` and the layers below `insight`. Start with
one of these; the other modules lay out and draw their parts, down to `picture`.
"""

from __future__ import annotations

from strategies.insight.pictures.overview import draw_overview
from strategies.insight.pictures.picture import Picture
from strategies.insight.pictures.search_tree import draw_tree
from strategies.insight.pictures.speedup_bounds import draw_bounds
from strategies.insight.pictures.task_graph import draw_plan
from strategies.insight.pictures.timeline import draw_timeline

__all__ = ["Picture", "draw_bounds", "draw_overview", "draw_plan", "draw_timeline", "draw_tree"]
