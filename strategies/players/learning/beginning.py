"""Begins learning with the weights of an earlier run, stage by stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from attrs import evolve

from games.networks.learned import Network
from games.networks.ntuples import NTuples
from games.networks.trainee import Rows
from strategies.players.learned_file import (
    About,
    LearnedFileError,
    check_members,
    check_row,
    map_row,
    network_in,
    read_about,
)

ROWS: Final = "values", "sums", "sizes"
"""The names of the rows of a file, as those of `Rows`."""


def check_begin(path: Path, game: Any, network: Network) -> About:
    """Read the description of the file to begin with; its network may have other stages.

    Raises: LearnedFileError, one line.
    """
    about = read_about(path)
    if about["game"] != repr(game):
        raise LearnedFileError(f"{path} was learned in {about['game']}, not in {game!r}")
    if of_one_stage(network_in(about)) != of_one_stage(network):
        raise LearnedFileError(f"{path} has another network; begin with a file of the same tuples")
    return about


def of_one_stage(network: Network) -> Network:
    """Return a network without its stages.

    >>> of_one_stage(NTuples(3, ((0,),), stages=2)) == NTuples(3, ((0,),))
    True
    """
    return evolve(network, stages=1) if isinstance(network, NTuples) else network


def stages_of(network: Network) -> int:
    """Return the number of stages of a network."""
    return network.stages if isinstance(network, NTuples) else 1


def begin_with(rows: Rows, network: Network, path: Path) -> None:
    """Copy the weights of a file into those of a run; its last stage also begins later ones.

    With coherent rates, the sums of updates are copied, too, if the file has them.
    Raises: LearnedFileError, one line.
    """
    check_members(path)
    other = network_in(read_about(path))
    size = other.size // stages_of(other)
    for name in ROWS:
        given, row = map_row(path, name), getattr(rows, name)
        check_row(path, name, given, other.size if name == "values" or given.size else 0)
        if not (given.size and row.size):
            continue
        for stage in range(stages_of(network)):
            last = min(stage, stages_of(other) - 1)
            row[stage * size : (stage + 1) * size] = given[last * size : (last + 1) * size]
