"""Pictures follow the theme that the user chose in the page or notebook around them."""

import re

import pytest

from games import HANDOUT_SMALL
from strategies import alphabeta, par_list, search
from strategies.insight.pictures.picture import DARK, LIGHT, STYLE, THEMES


def colours(text: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+):([^;}\s]+)", text))


def test_light_and_dark_have_the_same_names() -> None:
    assert colours(LIGHT).keys() == colours(DARK).keys() > {"paper", "ink"}
    assert set(re.findall(r"var\(--([\w-]+)\)", STYLE)) <= colours(LIGHT).keys()


@pytest.mark.parametrize(
    ("host", "chosen"),
    [
        ("[data-theme=light]", LIGHT), ("[data-jp-theme-light=true]", LIGHT),
        (".vscode-light", LIGHT), ("[data-theme=dark]", DARK),
        ("[data-jp-theme-light=false]", DARK), (".vscode-dark", DARK),
    ],
)  # fmt: skip
def test_a_chosen_theme_overrides_that_of_the_desktop(host: str, chosen: str) -> None:
    """A CSS rule for the host and the picture is more specific than one for the picture alone."""
    (rule,) = [
        rule for head, rule in re.findall(r"(.+)\{([^{}]*)\}", THEMES)
        if f"{host} .jam" in head.split(",")
    ]  # fmt: skip
    assert colours(rule) == colours(chosen)


def test_a_result_in_a_notebook_has_both_themes() -> None:
    answer = search(HANDOUT_SMALL, alphabeta(2), using=par_list, engine="interpreted")
    assert THEMES in answer.compute(num_workers=1)._repr_html_()


def test_a_picture_in_a_notebook_has_both_themes() -> None:
    picture = search(HANDOUT_SMALL, alphabeta(2), using=par_list).visualize(None)
    assert THEMES in picture._repr_html_()
    assert picture.svg in picture._repr_html_()
    assert THEMES not in picture._repr_svg_()
