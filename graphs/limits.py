"""Named limits: of what is accepted, kept, tried and shown, each with its unit.

Limits of a kernel's memory, and of the compiler of rules, stand where their reason does.
"""

from __future__ import annotations

from typing import Final

# What games, graphs and texts may have

MOST_VERTICES: Final = 2**31
"""The most vertices of a graph, so that an edge fits into 64 bits."""
MOST_HEAPS: Final = 64
"""The most heaps of nim, and the most objects in one."""
MOST_ROWS: Final = 10**7
"""The most rows of a board of queens."""
MOST_COLORED: Final = 10**7
"""The most vertices of a graph that is coloured."""
MOST_ARMIES: Final = 64
"""The most armies on a territory of Riskless, and the most territories."""
MOST_SEMICOLONS: Final = 100
"""The most semicolons of a text in which turns follow them."""
BOARD_CELLS: Final = 1600
"""The most cells of a board that is drawn."""
BATCH_LEAVES: Final = 1 << 14
"""The most leaves that a network evaluates at once."""
PLIES_REMEMBERED: Final = 64
"""The most positions of a game's past that a state remembers."""
COUNT_PLIES: Final = 500
"""The most plies of a published count."""
MOST_WEIGHTS: Final = 1 << 31
"""The most weights of a network: 8 GB."""
SCALE_PLIES: Final = 2000
"""The most plies of a random game that measures the scale of a network's values."""
CHECKED_COUNT: Final = 10_000_000
"""The default of the largest published count that is checked, in positions."""
SYMMETRIES_TESTED: Final = 200
"""The positions of a network tested for symmetry, the shortest plays first."""
MOVES_TOLD: Final = 60
"""The most moves listed by name; the others are only counted."""
TOLD_MOVE_LETTERS: Final = 40
"""The most characters of the name of a move; a longer one is cut."""
NUMBER_LETTERS: Final = 400
"""The most characters of a number in a text."""

# What is tried and kept

BRIEF_LETTERS: Final = 120
"""The most characters of a value in a brief `repr`; a longer one is cut."""
TABLE_BYTES: Final = 1 << 60
"""The largest size of a transposition table, in bytes: no machine has so much."""
TRIAL_SECONDS: Final = 0.5
"""The most processor seconds of a trial: about a tenth of the time that compiling takes."""
NUMBERS_CHECKED: Final = 20_000
"""The most positions checked for a value that is not a number."""
ERRORS_CHECKED: Final = 2_000
"""The most positions checked for an error, once in the order of moves and once in random play."""
KERNEL_FILES: Final = 100
"""The most files kept of each kernel: one for each game and state that it was compiled for."""
STATE_KINDS: Final = 20
"""The most kinds of states for which rules are compiled again, one after another."""
RULE_FILES: Final = 200
"""The most files kept of compiled rules."""
RUN_TABLES: Final = 4
"""The most tables kept for one run, or for all runs of a scheduler that does not separate them."""
POLICIES_TRIED: Final = 200
"""The most strategies, one inside another, that are tried for the windows they need."""
BATCH_SECONDS: Final = 0.5
"""The most seconds of a bundle on a cluster if much work is left and only all results together
matter."""
LOOK_SECONDS: Final = 0.5
"""The seconds after which a cluster stops measuring how long searches take."""
MOST_BUNDLES: Final = 10_000
"""The most bundles of a search on a cluster, unless single tasks are longer."""
TASK_LINES: Final = 40
"""The most lines about the tasks of an evaluation."""
BOUNDED_WORKERS: Final = 64
"""The largest number of workers for which bounds are shown."""
PATH_MOVE_LETTERS: Final = 24
"""The most characters of a move in the path to a task; a game may write a whole board."""
REPLAY_POSITIONS: Final = 2000
"""The most positions that a replay draws."""
LABEL_LETTERS: Final = 14
"""The most characters of a label in a picture; the tooltip has the full text."""
LONG_SPARKS: Final = 25
"""The rows of a report's table of the longest sparks."""
CHOICE_POSITIONS: Final = 20_000
"""About the most positions that are visited to choose an algorithm."""
FILE_GAME_LETTERS: Final = 60
"""The most characters, in a message, of the game of an endgame table's file."""
LINE_MOVES: Final = 50
"""The moves at either end of a principal variation that a text shows, if there are more."""
MOVES_SHOWN: Final = 60
"""The most moves in the table of a Monte Carlo search: those visited most."""
SHOWN_MOVE_LETTERS: Final = 40
"""The most characters of a move in that table."""
CURVE_POINTS: Final = 60
"""The most points of a learning curve in a table; of more, points are left out evenly."""
PLAYER_LETTERS: Final = 60
"""The most characters of a player or a game in the table of a tournament."""
STRATEGY_LETTERS: Final = 60
"""The most characters of a strategy in the table of a study."""
LARGEST_STORED: Final = 2**63 - 1
"""The largest integer that a file of a study's results can store."""
COUNT_TRIED: Final = 10**18
"""The largest published count that is tried: the time says how many are."""
NESTED_STRATEGIES: Final = 60
"""The most strategies in each other, so that they can be compared, printed and pickled."""
TREE_POSITIONS: Final = 24
"""The most positions of a picture of a search tree."""
SYNOPSIS_PLIES: Final = 15
"""The last ply with rows of its own in a synopsis; the rows of deeper plies are added up."""
PICTURE_MARKS: Final = 10_000
"""The most marks of a picture; browsers become slow with more."""
CHOICE_PLIES: Final = 6
"""The most plies of a search chosen for a position; a player alone gets twice as many."""
NESTED_TEXTS: Final = 400
"""The most brackets and operators in each other in the text of a strategy."""
MERGED_BUNDLES: Final = 128
"""The most bundles that one merge may wait for; more are merged by a tree, or a chain."""
ERROR_LETTERS: Final = 9000
"""The most characters of an error's text; Dask replaces one with more than 10,000."""
NESTED_CONTAINERS: Final = 100
"""The most containers in each other in values that are evaluated."""
WAITED_TASKS: Final = 8
"""The most tasks that one task waits for directly; more are waited for through shared tasks."""
MOST_TASKS: Final = 250_000
"""The most tasks of a plan; larger plans are refused."""
GRAPH_TASKS: Final = 50_000
"""The most tasks of one graph in a row of graphs."""
ITERATED_TASKS: Final = 500
"""The most tasks of a deepening search's plan; if there are more, each iteration has its own."""
NOTEBOOK_TASKS: Final = 20_000
"""The most tasks of a picture that a notebook shows with a result."""
NOTEBOOK_LETTERS: Final = 400_000
"""The most characters of such a picture."""
