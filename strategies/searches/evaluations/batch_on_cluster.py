"""Run a batch on a cluster: independent calls are sent in bundles, and their results combined here.

A task of a cluster costs milliseconds, as much as a short search.  The size of a bundle follows
from the times of earlier calls; towards the end bundles get smaller, so that all workers finish at
the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dask
from dask.task_spec import GraphNode, Task

from games import Game
from strategies.running.runtime.cluster_batch import run_on
from strategies.values.evaluated import EvaluatedGraph
from strategies.values.lowering import make_calls

Key = Any


def calls_of(client: Any, answer: EvaluatedGraph) -> Mapping[Key, Task]:
    """Return the tasks that the last task of an evaluation combines, if they form a batch.

    Ensures: none waits for another, has annotations, or is known to the client's cluster.
    Otherwise the result is empty, because a bundle cannot represent such tasks.
    """
    graph = answer.__dask_graph__()
    annotated = any(layer.annotations for layer in graph.layers.values())
    if annotated or dask.get_annotations():
        return {}
    calls = dict(graph)
    last = calls.pop(answer.key)
    alone = all(isinstance(t, Task) and not t.dependencies for t in calls.values())
    known = any(key in client.futures for key in (*calls, answer.key))
    whole = isinstance(last, GraphNode) and last.dependencies == calls.keys()
    return calls if alone and whole and not known else {}


def computed(client: Any, answer: EvaluatedGraph, calls: Mapping[Key, Task]) -> Any:
    """Compute a batch on a client's cluster.

    Requires: `calls` are those of `calls_of`.
    Ensures: the same value as by Dask.  When the call ends for any reason, workers abandon its
    tasks.
    Raises: ClusterError, one line; what a call raises.
    """
    found: dict[Key, Any] = {}
    todo = ((key, (task,)) for key, task in calls.items())
    games = games_in(calls.values())
    run_on(client, called, todo, found.__setitem__, shared=games, many=len(calls))
    return answer.__dask_graph__()[answer.key](found)


def called(task: Task) -> Any:
    """Call a task that waits for nothing."""
    return task({})


def games_in(tasks: Iterable[Task]) -> tuple[Game[Any, Any], ...]:
    """Return a game of each class that tasks search; it is sent once, and its rules are checked."""
    found: dict[type, Game[Any, Any]] = {}
    for task in tasks:
        steps = [node for _, node in task.args[0]] if task.func is make_calls else [task]
        for given in (given for step in steps for given in step.args):
            game = getattr(given, "game", given)
            if isinstance(game, Game):
                found.setdefault(type(game), game)
    return tuple(found.values())
