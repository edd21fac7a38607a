"""Insight into runs: analysis, pictures, the choice of a strategy, and the report.

This room reads finished runs and plans; no search depends on it. It uses `running` and the rooms
below. Begin with `analysis.work_span`, `pictures.timeline` and `report.page`.
"""
