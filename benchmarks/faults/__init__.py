"""Faults at random moments of runs on a cluster: each ends in the right answer or one clear line.

    python -m benchmarks.faults --count 300 --seed 1 --record faults.jsonl --resume

Begin with `rounds` (what a round is); `processes` has the cluster, `wires` its network, `planted`
the faults, `runs` what is run.
"""
