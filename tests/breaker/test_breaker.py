"""A short round of each property, and hours of all attacks behind ``-m long``."""

import os

import pytest

from tests.breaker import properties
from tests.breaker.rounds import KINDS, attack, round_of, rounds, table

HOURS = float(os.environ.get("JAMBOREE_BREAKER_HOURS", "2"))


def test_a_fault_is_counted_and_reported_and_the_next_round_goes_on(monkeypatch):
    def wrong() -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setitem(properties.PROPERTIES, "searches", wrong)
    found = attack("searches", 0, 1)
    assert "planted" in found["fault"]
    assert table([{"kind": "searches", "seconds": 1.0, **found}]).endswith("| 1 | 1.0 s |")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_round_of_each_kind_finds_no_fault(kind):
    found = round_of(kind, 0, 5)
    assert found["ended"]
    assert not found["fault"], found["fault"]


@pytest.mark.long
@pytest.mark.timeout(HOURS * 3600 + 600)
def test_hours_of_attacks_find_no_fault():
    done = list(rounds(KINDS, 1, HOURS * 3600))
    print(table(done))
    assert [one for one in done if one["fault"]] == []
