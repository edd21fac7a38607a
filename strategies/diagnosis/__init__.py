"""Diagnosis: what kept a run from being faster, in words, with what to try."""

from strategies.diagnosis.diagnosing import Diagnosis, diagnose, diagnosed
from strategies.diagnosis.faults import Finding

__all__ = ["Diagnosis", "Finding", "diagnose", "diagnosed"]
