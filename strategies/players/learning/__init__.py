"""Learn the weights of a network by playing, and keep them in files.

Begin with `self_play`; `learned_file` has the form of the files.
"""
