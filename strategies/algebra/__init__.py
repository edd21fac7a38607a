"""Strategies as values: which branches of a node are searched before which, and in which task.

A strategy is a partial order on a node's branches. It knows no game, no search and no Dask: it is
plain immutable data that composes, prints and compares. This room uses nothing of the package.

Begin with `groups` (the partial orders), then `strategy` (the classes that unfold into groups) and
`combinators` (the names that people write). `by_node` has strategies that differ from node to node,
`drivers` and `auto` what else ``using=`` takes.
"""
