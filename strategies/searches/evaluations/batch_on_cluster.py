"""A batch on a cluster: calls that wait for nothing are sent in bundles, and put together here.

A task of a cluster costs milliseconds, as much as a short search.  How many calls make a bundle is
told by what those before took; towards the end bundles get smaller, so that all workers end
together.
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
    """Return the tasks that an evaluation's last one puts together, if they are a batch.

    Ensures: none waits for anything, has annotations, or is known to the client's cluster.  Else
    there are none: Dask has more to heed than a bundle can.
    """
    graph = answer.__dask_graph__()
    annotated = any(layer.annotations for layer in graph.layers.values())
    if client.asynchronous or annotated or dask.get_annotations():
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
    Ensures: the value is the one that Dask computes.  When this ends, however it ends, workers give
    up what they do for it.
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
    """Find a game of each class that tasks search: it is sent once, and its rules are checked."""
    found: dict[type, Game[Any, Any]] = {}
    for task in tasks:
        steps = [node for _, node in task.args[0]] if task.func is make_calls else [task]
        for given in (given for step in steps for given in step.args):
            game = getattr(given, "game", given)
            if isinstance(game, Game):
                found.setdefault(type(game), game)
    return tuple(found.values())
