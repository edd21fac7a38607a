"""Diagnosis: what kept a run from being faster, and what to try."""

from __future__ import annotations

from strategies.insight.analysis.diagnosis.diagnose import Diagnosis, diagnose, diagnosed
from strategies.insight.analysis.diagnosis.faults import Finding

__all__ = ["Diagnosis", "Finding", "diagnose", "diagnosed"]
