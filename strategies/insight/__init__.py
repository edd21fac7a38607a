"""Insight."""
