"""Insight into runs: analysis, pictures, plots, the choice of a strategy, and reports.

It reads finished runs and plans; no search depends on it. It may import `running` and the layers
below. Start with `analysis.work_span`, `pictures.timeline` and `report.page`.
"""
