"""Maps of Riskless: those included, and malformed ones, which are refused."""

import pytest

from games.riskless import Map, map_names
from graphs import from_edge_seq

GOOD = """\
cap 5
target 8
plies 20
territory a maxie 2
territory b empty
territory c minnie 3
road a b
road b c
"""


@pytest.mark.parametrize("name", map_names())
def test_maps_read_back(name: str) -> None:
    map_ = Map.load(name)
    assert Map.from_text(map_.to_text()) == map_
    armies = [
        sum(n for n, o in zip(map_.armies, map_.owners, strict=True) if o == p) for p in (0, 1)
    ]
    assert armies[1] == armies[0] + 1, "Minnie, who moves second, has one army more"


def test_sizes() -> None:
    sizes = {name: len(Map.load(name).names) for name in map_names()}
    assert sizes == {
        "duel": 2,
        "square": 4,
        "isthmus": 6,
        "islands": 8,
        "continents": 12,
        "earth": 42,
    }


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("cap 5", "cap five", "line 1, column 1: expected 'cap 10'"),
        ("cap 5", "cap 0", "line 1, column 5: cap is 1 or more"),
        ("cap 5", "cap 32", "line 1, column 5: cap must be 1 to 31 armies"),
        ("cap 5\n", "", "line 7, column 9: the map has no line 'cap …'"),
        ("target 8", "target 16", "line 2, column 8: never reached: the map holds 15 armies"),
        ("plies 20", "plies 20\nplies 30", "line 4, column 1: plies is given twice"),
        ("a maxie 2", "a maxie 6", "line 4, column 19: 6 armies, above the cap 5"),
        ("a maxie 2", "a maxie -2", "line 4, column 1: expected"),
        ("b empty", "a empty", "line 5, column 11: there are two territories a"),
        ("b empty", "b empty 3", "line 5, column 1: expected"),
        ("road a b", "road a z", "line 7, column 8: there is no territory z above"),
        ("road a b", "road a a", "line 7, column 8: a road leads from a to itself"),
        ("road b c", "road b a", "line 8, column 1: there is a road from b to a already"),
        ("road b c\n", "", "line 6, column 11: no roads lead from a to c"),
        ("road b c", "bridge b c", "line 8, column 1: expected"),
        (
            "road a b",
            "".join(f"territory t{k} empty\n" for k in range(62)),
            "line 68, column 11: a map has",
        ),
    ],
)
def test_malformed_maps_are_refused_with_their_line(old: str, new: str, complaint: str) -> None:
    Map.from_text(GOOD)
    with pytest.raises(ValueError, match=complaint) as caught:
        Map.from_text(GOOD.replace(old, new))
    assert "\n" not in str(caught.value)


def test_each_territory_has_an_owner() -> None:
    text = GOOD.replace("maxie 2", "empty").replace("minnie 3", "empty")
    with pytest.raises(ValueError, match="line 8, column 9: nobody owns a territory"):
        Map.from_text(text)


def test_roads_lead_both_ways() -> None:
    one_way = from_edge_seq([(0, 1)], 2)
    with pytest.raises(ValueError, match="roads lead both ways"):
        Map(("a", "b"), (0, 1), (1, 2), one_way, 5, 8, 20)


def test_an_unknown_map_lists_the_known() -> None:
    with pytest.raises(ValueError, match="maps: continents duel earth islands isthmus square"):
        Map.load("atlantis")
