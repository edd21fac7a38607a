"""The machine below the code: LLVM, the memory of a thread, and questions asked of Python.

It may import `kinds` and `language`. Start with `memory`, then `compilation`.
"""
