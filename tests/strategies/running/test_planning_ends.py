"""A search can be stopped during planning, too."""

import pytest

from games import Pig
from strategies import expectimax, par_list, plan
from strategies.algorithms.algorithm import Algorithm
from strategies.native.memory.cells import Stop, Stopped
from strategies.running.plans.lowering import lower
from strategies.running.runtime import cancellation
from strategies.running.runtime.cancellation import polling


@pytest.fixture
def stop(monkeypatch):
    """Return a stop flag that this thread reads through its scope."""
    above = Stop()
    monkeypatch.setattr(cancellation._here, "stop", Stop(above), raising=False)
    return above


def test_planning_stops_at_the_next_node(stop, monkeypatch):
    opened = []
    cuts = Algorithm.cuts

    def counted(*args):
        opened.append(args)
        if len(opened) == 5:
            stop.set()
        return cuts(*args)

    monkeypatch.setattr(Algorithm, "cuts", counted)
    with pytest.raises(Stopped, match="the plan was stopped"):
        plan(Pig(), expectimax(12), par_list.everywhere, engine="interpreted")
    assert len(opened) == 5


def test_a_stopped_plan_creates_no_tasks(stop):
    made = plan(Pig(), expectimax(3), par_list.everywhere, engine="interpreted")
    stop.set()
    with pytest.raises(Stopped):
        lower(made, "token")


def test_polling_raises_after_a_stop(stop):
    with polling("the count") as poll:
        poll()
        stop.set()
        with pytest.raises(Stopped, match="the count was stopped"):
            poll()
