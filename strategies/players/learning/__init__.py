"""Train a network by self-play, and save its weights in files.

It may import `players` and the layers below. Start with `self_play`; `players.learned_file` defines
the format of the files.
"""
