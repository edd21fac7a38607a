"""Pictures of searches, as SVG text: no program or package is needed to make or to see them."""

from strategies.draw.bounds import draw_bounds
from strategies.draw.picture import Picture
from strategies.draw.plans import draw_plan
from strategies.draw.timeline import draw_timeline
from strategies.draw.trees import draw_tree

__all__ = ["Picture", "draw_bounds", "draw_plan", "draw_timeline", "draw_tree"]
