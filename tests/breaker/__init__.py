"""A long random attack: searches, rewards, games, files, commands and processes, until time is up.

    ./run python -m tests.breaker --seconds 7200 --record breaker.jsonl --resume

A round attacks in one way (`KINDS`) for some seconds, in a process of its own, so that a crash or a
hang is a fault like any other.  Every case must end right, or with one sentence.  Start with
`rounds`; `properties` has the attacks in which Hypothesis draws the input, and `processes` those
on processes of the command line.
"""
