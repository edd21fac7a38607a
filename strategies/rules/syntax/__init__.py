"""Syntax: what each statement and each expression does, calls and new records included.

A walk looks its nodes up in tables that these modules fill. It may import `builtins` and what is
below. Start with `bodies`.
"""
