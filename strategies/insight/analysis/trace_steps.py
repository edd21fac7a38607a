"""The steps of a search as values, and the lines of the handout that tell them.

The wording is that of the handout from which Jamboree(p) comes.
"""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import field, frozen

from games import Estimate, Game
from games.game import player_name
from strategies.algorithms.positions import kind_of
from strategies.running.records.wording import bound

Path = tuple[int, ...]
"""Branch numbers from the root."""
WHO = {"max": ("F", "Maxie"), "min": ("G", "Minnie"), "chance": ("H", "Chance")}


@frozen
class Candidate:
    """A candidate value, with the number of the branch that reaches it, if there is one.

    >>> str(Candidate(3)), str(Candidate(3, 0))
    ('Leaf(Guess: 3)', 'Step(0, Guess: 3)')
    """

    value: Any
    move: int | None = None
    at: Path | None = field(default=None, eq=False)
    """The node of that branch; None if the value is a bare bound."""
    shown: str = field(default="", eq=False)
    """The value as text, if that is not the number itself."""

    def __str__(self) -> str:
        text = bound(self.value) if isinstance(self.value, tuple) else self.shown
        guess = f"Guess: {text}" if text else Estimate(self.value)
        return f"Leaf({guess})" if self.move is None else f"Step({self.move}, {guess})"


Windows = tuple[Candidate, Candidate]
OPEN: Windows = (Candidate(-inf), Candidate(inf))


@frozen
class Place:
    """A node as the lines name it: its path, who moves there, its label in the game."""

    path: Path
    letter: str
    who: str
    label: str

    def __str__(self) -> str:
        return f"({self.who},{self.label})"


@frozen
class Entered:
    """The search enters a node with a window; without one if values are those of many players."""

    kind = "enter"
    place: Place
    ab: Windows | None

    @property
    def line(self) -> str:
        window = "" if self.ab is None else f" with ab=({self.ab[0]},{self.ab[1]})"
        return f"{self.place.letter}: state {self.place}{window}"


@frozen
class Estimated:
    """The search reads the value of a leaf."""

    kind = "leaf"
    place: Place
    game: Game[Any, Any]
    state: Any
    value: Any

    @property
    def line(self) -> str:
        return f"Estimating state {self.game.show(self.state)}"


@frozen
class Returned:
    """The search leaves a node with a result."""

    kind = "return"
    place: Place
    best: Candidate
    pruned: bool
    """Whether the window closed before all branches were searched."""

    @property
    def line(self) -> str:
        return f"Result of {self.place} is {self.best}" + (" (* Pruned *)" if self.pruned else "")


@frozen
class Led:
    """A branch of a node becomes the best so far; at a chance node, the mean so far."""

    kind = "lead"
    place: Place
    best: Candidate
    between: tuple[float, float] | None = None
    """The bounds of a mean, whatever its other outcomes are worth, if values have bounds."""

    @property
    def branches(self) -> tuple[int, ...]:
        return () if self.best.move is None else (self.best.move,)


@frozen
class Cut:
    """Branches of a node are left out, because its window is closed."""

    kind = "cut"
    place: Place
    branches: tuple[int, ...]
    best: Candidate | None
    """What the node is sure of; None where the bounds of a mean closed the window."""
    by: Candidate | None
    """The bound of an ancestor that it meets; None if none is known."""
    bounded: bool = False
    """Whether an upper bound of the branches is no better than `best`, which is known."""


@frozen
class Inlined:
    """Sparks that are searched inside a task: those of one node."""

    kind = "inlined"
    place: Place
    branches: tuple[int, ...]
    count: int


Step = Entered | Estimated | Returned | Led | Cut | Inlined
Told = (Entered, Estimated, Returned)
"""The kinds of steps that have a line in a trace."""


def place_of(game: Game[Any, Any], path: Path, state: Any, many: bool) -> Place:
    """Return a node as lines name it; `many` says that each player has a value of its own.

    >>> from games import HANDOUT_BIG
    >>> [str(place_of(HANDOUT_BIG, (), HANDOUT_BIG.start(), many)) for many in (False, True)]
    ['(Maxie,a)', '(Maxie,a)']
    """
    kind = kind_of(game, state)
    letter, who = WHO[kind]
    if many and kind != "chance":
        letter, who = "F", player_name(game.player(state))
    return Place(path, letter, who, game.label(state))
