"""Diagnosis of a run: what limited its speed, and what to try.

It may import the rest of `analysis`. Start with `diagnose`; `facts` computes the figures of a run,
and says from which size on they matter; `faults` turns them into findings; `advice` finds the
strategies that these name.
"""
