"""Syntax: what each statement and each expression does, calls and new records included.

A walk looks its nodes up in tables that these modules fill. Start with `bodies`.
"""
