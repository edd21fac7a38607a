"""What a message repeats is one short line, which cannot steer a terminal."""

from hypothesis import example, given
from hypothesis import strategies as st

from graphs.arguments import QUOTED, excerpt, shown
from graphs.errors import printable


class Odd:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@given(st.text(st.characters(exclude_categories=())))
@example("\x1b[2J" * 100)
@example("array([1,\n       2])\r\u2028\u202e\ud800")
def test_an_excerpt_is_one_line_without_control_characters(text: str) -> None:
    for line in (excerpt(text), shown(text), shown(Odd(text)), shown([text])):
        assert len(line) <= QUOTED
        assert "\n" not in line
        assert printable(line) == line
