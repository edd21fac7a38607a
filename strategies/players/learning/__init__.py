"""Learn the weights of a network by playing, and keep them in files.

Begin with `self_play`; the files are those of `players.learned_file`.
"""
