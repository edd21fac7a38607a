"""Python as it is read: syntax trees, names and operators, and what is said of a refusal.

Nothing here knows kinds or LLVM. Start with `sources`, then `messages`.
"""
