"""Code and the program: one walk over a function finds the kinds, or emits what it does in LLVM.

The layers above add to the tables of `walk` what is done with each node of a syntax tree. It may
import `machine` and what is below. Start with `emission`, then `program`, `variables` and `walk`.
"""
