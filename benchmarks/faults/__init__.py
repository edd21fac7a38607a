"""Faults at random moments of runs on a cluster: each must end in the right answer or a clear line.

    python -m benchmarks.faults --count 300 --seed 1 --record faults.jsonl --resume

Start with `rounds` (what a round is); `processes` has the cluster, `wires` its network, `planted`
the faults, and `runs` the runs.
"""
