"""Strategies as values: in which order and in which task the branches of a node are searched.

A strategy is a partial order on a node's branches. It is plain immutable data that composes, prints
and compares. This subpackage imports nothing else of `strategies`; it is independent of games,
searches and Dask.

Start with `groups` (the partial orders), then `strategy` (the classes that unfold into groups) and
`combinators` (the names that users write). `by_node` has strategies that differ from node to node;
`drivers` has the other values of ``using=``.
"""
