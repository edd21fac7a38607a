"""The page of a replay in a real browser: keys, one clock for two sides, no requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import HANDOUT_BIG, HANDOUT_SMALL, STOPPED_SHORT, ConnectFour, TicTacToe
from graphs.errors import ArgumentError
from strategies import alphabeta, jamboree, mcts, minimax, par_list, pvs, scout, search, seq
from strategies.insight.analysis.replays.replayed import replayed
from strategies.insight.pictures.fates import FATES
from strategies.insight.report.replay import page as pages
from strategies.insight.report.replay.rows import Words
from tests.browser import Browser, Page

KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, " ": 32}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    """Yield one page for all tests, because to make one takes longer than to open a file in it."""
    with browser.page() as page:
        yield page


@pytest.fixture
def page(window: Page) -> Page:
    window.sized(1200)
    window.prefers("light")
    window.hover(0, 0)
    return window


def press(page: Page, key: str, times: int = 1, shift: bool = False) -> None:
    """Press a key of the keyboard."""
    told: dict[str, Any] = {"key": key.upper() if shift else key, "modifiers": 8 if shift else 0}
    if key in KEYS:
        told["windowsVirtualKeyCode"] = KEYS[key]
    for _ in range(times):
        page.send("Input.dispatchKeyEvent", type="keyDown", **told)
        page.send("Input.dispatchKeyEvent", type="keyUp", **told)


def says(page: Page, side: int = 0) -> str:
    return str(page.run(f"document.querySelector('#side-{side} .says').textContent"))


def counts(page: Page, side: int = 0) -> dict[str, str]:
    shown = f"#side-{side} .counts div:not([hidden])"
    found: dict[str, str] = page.run(
        f"Object.fromEntries([...document.querySelectorAll('{shown}')]"
        ".map((pair) => [...pair.children].map((e) => e.textContent)))"
    )
    return found


@pytest.fixture(scope="module")
def one(folder: Path) -> Path:
    return search(HANDOUT_BIG, alphabeta(4)).replay(folder / "one.html")


@pytest.fixture(scope="module")
def two(folder: Path) -> Path:
    return search(HANDOUT_SMALL, alphabeta(2)).replay(folder / "two.html", other=jamboree(0.5))


@pytest.fixture(scope="module")
def live(folder: Path) -> Path:
    answer = search(STOPPED_SHORT, alphabeta(4), using=par_list.live().to_ply(2))
    return answer.replay(folder / "live.html")


def test_it_loads_without_errors_and_requests_nothing(page: Page, one: Path) -> None:
    page.open(one)
    press(page, "ArrowRight", 5)
    assert page.events_of("Runtime.exceptionThrown", "Log.entryAdded") == []
    requested = [e["request"]["url"] for e in page.events_of("Network.requestWillBeSent")]
    assert requested == [one.as_uri()]


def test_keys_step_through_the_lines_of_the_trace(page: Page, one: Path) -> None:
    page.open(one)
    lines = []
    while page.run("player.step < player.steps.length - 1"):
        press(page, "ArrowRight")
        if page.run("document.querySelector('#side-0 .says').classList.contains('line')"):
            lines.append(says(page))
    told = search(HANDOUT_BIG, alphabeta(4)).trace()
    assert lines + says(page).splitlines() == told
    press(page, "ArrowLeft", 2)
    assert says(page) == told[-4]
    press(page, "Home")
    assert says(page) == "Worker 1 starts (Maxie,a)"
    press(page, "End")
    assert page.run("slider.value === slider.max")


def test_it_jumps_to_cutoffs_and_to_the_best_move(page: Page, one: Path) -> None:
    page.open(one)
    press(page, "c")
    cut = "Cut: (Maxie,i). (Minnie,g) is worth at most 2, but (Maxie,c) has 3 already, by move 0"
    assert says(page) == cut
    assert page.run("document.querySelector('.window').textContent") == (
        "\N{GREEK SMALL LETTER ALPHA} = 3, from (Maxie,c), move 0; "
        "β = 2, from (Minnie,g), move 0: closed"
    )
    assert page.run("document.querySelector('.band.shut') !== null")
    press(page, "c")
    press(page, "c", shift=True)
    assert says(page) == cut
    press(page, "b")
    assert says(page) == "Best of (Maxie,a) so far: 3, by move 0"
    assert page.run("document.querySelector('[data-jump=aborted]').disabled")


def test_it_draws_the_board_of_the_position_where_a_step_happens(page: Page, folder: Path) -> None:
    game, using = ConnectFour(4, 4), par_list.to_ply(1)
    path = search(game, alphabeta(2), using=using).replay(folder / "boards.html")
    page.open(path)
    text = "document.querySelector('.board svg').getAttribute('aria-label')"
    assert page.run(text) == game.show(game.start())
    for _ in range(40):
        press(page, "ArrowRight")
        if says(page).startswith("Estimating state"):
            break
    assert (page.run(text).count("X"), page.run(text).count("O")) == (1, 1)
    drawn = "document.querySelectorAll('.board svg path').length"
    assert page.run(drawn) == 4, "the grid, discs of two colours, the dot in one of them"


def test_work_grows_with_the_positions_of_running_tasks(page: Page, live: Path) -> None:
    page.open(live)
    for step in range(page.run("player.steps.length")):
        page.run(f"player.to({step})")
        work, nodes, time, workers = page.run(
            "((s) => [s.spent.work, s.counts.nodes, s.time, s.workers])(player.sides[0])"
        )
        assert nodes - workers <= work <= min(nodes, workers * time)


def test_it_plays_and_stops(page: Page, one: Path) -> None:
    page.open(one)
    press(page, " ")
    assert page.run("document.querySelector('[data-do=play]').textContent") == "stop"
    page.run("new Promise((done) => setTimeout(done, 1100))")
    press(page, " ")
    step = page.run("player.step")
    assert step >= 1
    page.run("new Promise((done) => setTimeout(done, 600))")
    assert page.run("player.step") == step


def test_two_sides_have_one_clock(page: Page, two: Path) -> None:
    page.open(two)
    for step in range(page.run("player.steps.length")):
        time = page.run(f"player.to({step}), player.steps[{step}].time")
        assert f"time {time:g}" in page.run("clock.textContent")
        for side in (0, 1):
            reached, after = page.run(
                f"(({{row, rows, at}}) => [row.t, rows[at + 1]?.t])(player.sides[{side}])"
            )
            assert reached <= time
            assert after is None or after > time
    assert [counts(page, side)["leaves"] for side in (0, 1)] == ["7", "9"]
    assert [counts(page, side)["span"] for side in (0, 1)] == ["11", "9"]


@pytest.mark.parametrize("strategy", [seq, jamboree(0.5).to_ply(2)], ids=repr)
def test_the_last_step_counts_what_the_result_counts(
    page: Page, folder: Path, strategy: Any
) -> None:
    result = search(TicTacToe(), alphabeta(3), using=strategy).compute(num_workers=2)
    page.open(result.replay(folder / "run.html"))
    press(page, "End")
    found = counts(page)
    assert found["leaves"] == f"{result.leaves:,}"
    assert found["positions"] == f"{result.nodes:,}"
    assert found["sparks"] == f"{result.sparks.asked:,}"
    for name in ("converted", "fizzled", "pruned"):
        assert found.get(name, "0") == f"{getattr(result.sparks, name):,}"


def test_the_fate_of_a_spark_is_painted_when_it_is_decided(page: Page, live: Path) -> None:
    page.open(live)
    seen = "document.querySelectorAll('.mark.fate-aborted').length"
    press(page, "a")
    assert says(page).startswith("Spark (Maxie,m) aborted: its window was closed half-way")
    assert "(Minnie,i) is worth at most 2, but (Maxie,a) has 6 already" in says(page)
    assert page.run(seen) == 1
    assert page.run("document.querySelector('.mark.fate-aborted .sign').textContent") == "⊘"
    press(page, "ArrowLeft")
    assert page.run(seen) == 0
    press(page, "End")
    bars = page.run("[...document.querySelectorAll('.bar')].map((e) => e.getAttribute('class'))")
    assert sorted(bars) == ["bar aborted", *["bar converted"] * 3, "bar fizzled"]


def test_a_lane_shows_its_positions_and_a_position_its_lanes(page: Page, live: Path) -> None:
    page.open(live)
    press(page, "End")
    x, y = page.run(
        "(() => { const box = document.querySelector('.task').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    page.hover(x, y)
    page.frame()
    assert page.run("document.querySelectorAll('.mark.lit').length") == 1
    x, y = page.run(
        "(() => { const box = document.querySelector('.mark.fate-aborted').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    page.hover(x, y)
    page.frame()
    assert page.run("document.querySelectorAll('.task.lit .bar.aborted').length") == 1


def test_the_steps_are_an_ordered_list_and_a_click_goes_there(page: Page, one: Path) -> None:
    page.open(one)
    steps = len(page.run("player.sides[0].rows"))
    assert page.run("document.querySelectorAll('ol.trace > li').length") == steps
    page.run("document.querySelectorAll('ol.trace > li')[11].click()")
    assert page.run("player.step") == 11
    assert page.run("[...document.querySelectorAll('[aria-current=step]')].length") == 1
    assert page.run("told.textContent") == says(page)


@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_width_scrolls_sideways(page: Page, two: Path, width: int, theme: str) -> None:
    page.sized(width)
    page.prefers(theme)
    page.open(two)
    press(page, "ArrowRight", 4)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


MARKS = (
    "[...document.querySelectorAll('.tree .mark')].map((mark) => [mark.getAttribute('class'),"
    "(mark.querySelector('.value')?.textContent ?? '').trim()])"
)
STATES = {"pruned", *(f"fate-{fate}" for fate in FATES)}


@pytest.mark.parametrize(
    ("game", "depth", "using", "most"),
    [
        (STOPPED_SHORT, 4, par_list.live().to_ply(2), 2000),
        (HANDOUT_BIG, 4, scout.everywhere, 2000),
        (ConnectFour(4, 4), 3, jamboree(0.5).everywhere, 2000),
        (ConnectFour(4, 4), 3, scout.everywhere, 40),
        (TicTacToe(), 3, jamboree(0.5).to_ply(2), 90),
    ],
)
def test_the_page_and_the_picture_agree_at_the_end(
    page: Page, folder: Path, game: Any, depth: int, using: Any, most: int
) -> None:
    """The script paints step by step what the picture paints at once, in a folded tree, too."""
    answer = search(game, alphabeta(depth), using=using, engine="interpreted")
    page.open(answer.replay(folder / "agree.html", most=most))
    press(page, "End")
    drawn = ElementTree.fromstring(pages.replay_picture(answer, most=most).svg)
    marks = [e for e in drawn.iter() if (e.get("class") or "").startswith("mark ")]
    values = [[t.text or "" for t in e if "value" in (t.get("class") or "")] for e in marks]
    shown = page.run(MARKS)
    assert len(shown) == len(marks) > 9
    for (kind, value), mark, text in zip(shown, marks, values, strict=True):
        assert set(kind.split()) & STATES == set(mark.attrib["class"].split()) & STATES
        assert value == "".join(text).strip()


def test_a_large_tree_is_folded_and_says_so(folder: Path) -> None:
    answer = search(ConnectFour(5, 4), alphabeta(6), using=jamboree(0.5).to_ply(2))
    text = answer.replay(folder / "folded.html", most=300).read_text(encoding="utf-8")
    assert "The tree is too large to draw" in text
    assert text.count('class="mark ') <= 300


def test_long_labels_give_way_to_moves(page: Page, folder: Path) -> None:
    page.open(search(ConnectFour(), alphabeta(2)).replay(folder / "moves.html"))
    press(page, "c")
    assert says(page).startswith("Cut: (Maxie,2 2)")
    lines = page.run("[...document.querySelectorAll('.trace li')].map((e) => e.textContent)")
    assert "Estimating state (Maxie,1 1)" in lines
    assert lines[-1].startswith("Therefore value of (Maxie,start) is")
    assert not any("/" in line for line in lines)


def test_a_large_tree_is_seen_whole(page: Page, folder: Path) -> None:
    page.sized(1400, 1000)
    page.open(search(ConnectFour(), alphabeta(3)).replay(folder / "large.html"))
    wide, high, room, tall = page.run(
        "(({clientWidth, clientHeight, scrollWidth, scrollHeight}) => "
        "[scrollWidth, scrollHeight, clientWidth, clientHeight])(document.querySelector('.stage'))"
    )
    assert (wide, high) == (room, tall)
    assert tall > 200


@pytest.mark.parametrize("workers", [1, 8, 24])
def test_each_worker_has_a_lane_in_view(page: Page, folder: Path, workers: int) -> None:
    page.sized(1400, 1000)
    answer = search(ConnectFour(), alphabeta(3), using=par_list.to_ply(2))
    page.open(answer.replay(folder / "lanes.html", workers=workers, other=seq))
    assert page.run("(({scrollHeight, clientHeight}) => scrollHeight === clientHeight)"
                    "(document.querySelector('.workers'))")  # fmt: skip
    assert page.run("player.sides[0].workers") == workers


@pytest.mark.parametrize("asked", ["abc", "-5", "1e9", "2.5"])
def test_any_anchor_is_a_step(page: Page, one: Path, asked: str) -> None:
    page.open(one)
    page.run(f"location.hash = '{asked}'")
    page.frame()
    assert page.run("player.steps[player.step] !== undefined")
    press(page, "End")
    press(page, " ")
    assert page.run("player.step") == 0
    assert page.events_of("Runtime.exceptionThrown") == []


def test_two_results_of_one_search(folder: Path) -> None:
    first = search(HANDOUT_SMALL, alphabeta(2)).compute()
    other = search(HANDOUT_SMALL, minimax(2), using=par_list).compute()
    text = first.replay(folder / "both.html", other=other).read_text(encoding="utf-8")
    assert "alphabeta(depth=2) and minimax(depth=2) of HANDOUT_SMALL" in text
    assert "<h2>par_list, minimax(depth=2)</h2>" in text


def test_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = search(HANDOUT_SMALL, alphabeta(2))
    sampled = search(TicTacToe(), mcts(20), engine="interpreted")
    refused: list[tuple[Any, Any, str]] = [
        (answer, search(HANDOUT_BIG, alphabeta(4)), "the same game"),
        (answer, answer.compute(), r"compute\(\) on both"),
        (answer, 3, "a strategy, or another search or result"),
        (search(TicTacToe(), pvs(3)), None, "one depth after another"),
        (sampled, None, "plan"),
        (sampled.compute(), None, "a search, or its result"),
    ]
    for first, other, words in refused:
        with pytest.raises((ValueError, TypeError, AttributeError), match=words):
            pages.replay_page(first, other)
    large = search(TicTacToe(), alphabeta(4)).compute()
    monkeypatch.setattr(pages, "WALKED", 50)
    monkeypatch.setattr("strategies.insight.analysis.replays.replayed.WALKED", 50)
    assert not replayed(large).whole
    for searched in (large, search(TicTacToe(), alphabeta(4))):
        with pytest.raises(ArgumentError, match=r"search fewer plies, or replay the result"):
            pages.replay_page(searched)
    with pytest.raises(ArgumentError, match="a strategy"):
        answer.replay(folder / "refused.html", other=3)
    assert not (folder / "refused.html").exists()


@given(st.sets(st.integers(0, 9)), st.lists(st.integers(0, 9), min_size=1, unique=True))
def test_a_sentence_names_each_branch_once(drawn: set[int], branches: list[int]) -> None:
    """Branches that the picture folds have one name, so they are counted."""
    words = Words({(): "(Maxie,start)", **{(i,): f"(Minnie,{i})" for i in drawn}}, {})
    said = words.listed((), tuple(branches)).split(" and ")
    assert len(set(said)) == len(said)
    counts = [re.match(r"\d+", part) for part in said]
    assert sum(int(found[0]) if found else 1 for found in counts) == len(branches)
