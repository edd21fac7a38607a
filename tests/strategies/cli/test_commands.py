"""The commands, run in this process: what they print and what they refuse."""

import json
from itertools import permutations

import click
import pytest
from click.testing import CliRunner

from games import find_game
from games.lessons import NAMED
from strategies.cli.group import COMMANDS, Context, jamboree
from strategies.cli.options import OutputType

NIM = """
from collections.abc import Iterator
from attrs import frozen
from games import Game, Status

@frozen
class Pile:
    left: int
    turn: int

@frozen
class Nim(Game[Pile, int]):
    size: int = 5

    def start(self) -> Pile:
        return Pile(self.size, 0)

    def status(self, state: Pile) -> Status:
        if state.left > 0:
            return Status.IN_PLAY
        return Status.MINNIE_WINS if state.turn == 0 else Status.MAXIE_WINS

    def player(self, state: Pile) -> int:
        return state.turn

    def moves(self, state: Pile) -> Iterator[int]:
        for take in range(1, min(3, state.left) + 1):
            yield take

    def make_move(self, state: Pile, move: int) -> Pile:
        return Pile(state.left - move, 1 - state.turn)

    def estimate(self, state: Pile) -> float:
        return 0
"""
SLOW = ["--engine", "interpreted"]
"""A small game whose rules are interpreted."""


def run(*args, stdin=None):
    return CliRunner().invoke(jamboree, [*map(str, args)], input=stdin)


@pytest.fixture
def nim(tmp_path):
    path = tmp_path / "nim_of_a_test.py"
    path.write_text(NIM)
    return path


def test_memory_is_a_size_and_a_table_is_a_file_in_every_command():
    meanings = {"--memory": set(), "--table": set()}
    for name in COMMANDS:
        for option in jamboree.get_command(None, name).params:
            is_file = isinstance(option.type, click.Path)
            for flag in option.opts:
                meanings.setdefault(flag, set()).add((option.metavar, is_file))
            assert ("--memory" in option.opts) == (option.metavar == "SIZE"), (name, option.opts)
    assert meanings["--memory"] == {("SIZE", False)}
    assert meanings["--table"] == {("FILE", True)}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name):
    ran = run(name, "--help")
    assert ran.exit_code == 0
    assert f"jamboree {name} " in ran.output or name == "games"


@pytest.mark.parametrize("name", ["search", "study", "simulate", "replay"])
def test_the_help_offers_monte_carlo_search_where_it_is_taken(name, tmp_path):
    options = jamboree.get_command(None, name).params
    said = next(option.help for option in options if "--algorithm" in option.opts)
    output = ["--output", tmp_path / "a.html"] if name == "replay" else []
    ran = run(name, "tictactoe", "--algorithm", "mcts(simulations=10)", *output)
    assert (ran.exit_code == 0) == ("mcts" in said), ran.output


TIMED = [
    (["solve", "tictactoe"], "--time"),
    (["climb", "queens:8"], "--time"),
    (["play", "tictactoe"], "--time"),
    (["tournament", "tictactoe", "random", "random"], "--time"),
    (["tune", "connect_four"], "--sigma"),
]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nothing"], "no such command"),
        (["search"], "missing argument 'GAME'"),
        (
            ["search", "tictactoe", "--depth", "3"],
            "the algorithm: --algorithm 'alphabeta(depth=3)'",
        ),
        (["search", "tictactoe", "--depth=12"], "--algorithm 'alphabeta(depth=12)'"),
        (["search", "tictactoe", "--depth"], "--algorithm 'alphabeta(depth=8)'"),
        (["search", "tictactoe", "minimax(2)"], "; write --algorithm before an algorithm, and"),
        (["games", "tictactoe"], "got unexpected extra argument (tictactoe)\n"),
        (["search", "go"], "there is no game 'go'; games: "),
        (["search", "2048"], "there is no game '2048'; did you mean twenty48? games: "),
        (["search", "conect_four"], "did you mean connect_four?"),
        *(
            (["search", type(find_game(name)).__name__], f"did you mean {name}?")
            for name in ("tictactoe", "connect_four", "othello", "pig")
        ),
        (["search", "tictactoe", "--workers", "2000"], "'--workers': 2000 is not in the range"),
        (["replay", "handout_big", "-o", "a" * 290 + ".html"], "File name too long"),
        (["search", "coins:Coins"], "on the command line, a game in a file is coins.py:Coins; "),
        (["search", "connect_four(width=99)"], "there are 64"),
        (["search", "pig", "--algorithm", "star2(5)"], "expectimax(depth=6, pruning='star2')"),
        (["tune", "tictactoe"], "TicTacToe has nothing to tune"),
        (["search", "tictactoe", "--state", "99"], "--state"),
        (["search", "tictactoe", "--using", "jamboree(2)"], "from 0 to 1, not 2 (at column 1"),
        (["search", "tictactoe", "--algorithm", "alpha(3)"], "no algorithm is called 'alpha'"),
        (["search", "tictactoe", "--algorithm", "minimax(2)", "--using", "scout"], "use alphabeta"),
        (["search", "tictactoe", "--workers", "0"], "'--workers'"),
        (["search", "tictactoe", "--graph", "/nowhere/x.svg"], "no folder /nowhere"),
        (["search", "tictactoe", "--graph", "x.pdf"], "must end in .svg or .png"),
        (["search", "tictactoe", "--graph", "-"], "write FILE.svg or FILE.png, or /dev/stdout"),
        (["serach"], "no such command 'serach'. Did you mean search?"),
        (["frobnicate"], "no such command 'frobnicate'. jamboree --help lists them"),
        (["explain", "auto"], "see which with jamboree search GAME --using auto"),
        (["search", "no_such_file.py:Nim"], "there is no file no_such_file.py"),
        (["study", "tictactoe", "--workers", "1,0"], "numbers from 1"),
        (["play", "tictactoe", "--maxie", "nobody"], "a player is human, random(seed=3)"),
        (["play", "twenty48", "--minnie", "random"], "has no Minnie"),
        (["explain", "by_kind"], "needs arguments"),
        (["solve", "tictactoe", "--memory", "1"], "memory: a table needs 4kB or more, not 1"),
        (["search", "tictactoe", "--algorithm", "pvs(3, table=9)"], "table: a table needs 4kB or"),
        (["study", "tictactoe", "--p", "2"], "--p takes numbers from 0 to 1, as in 0.25"),
        (["study", "tictactoe", "--p", "inf"], "not 'inf'"),
        *(
            ([*command, option, number], f"{number!r} is not a number above 0")
            for command, option in TIMED
            for number in ("nan", "inf", "-1", "0", "x")
        ),
        *(
            (
                ["search", "tictactoe", "--time", number],
                "time must be a number of seconds above 0, not",
            )
            for number in ("nan", "inf", "-1", "0")
        ),
    ],
)
def test_bad_input_gets_one_line_and_status_2(args, said):
    ran = run(*args)
    assert ran.exit_code == 2
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stdout == ""


@pytest.mark.parametrize("name", NAMED)
def test_a_tree_of_the_package_is_called_by_its_name(name):
    ran = run("search", name.lower(), "--algorithm", "alphabeta(9)", *SLOW)
    assert f"\ngame       {name}\n" in ran.stdout


@pytest.mark.parametrize(("scheduler", "used"), [("ordered", 3), ("threads", 3), ("sync", 1)])
def test_the_workers_are_those_of_the_scheduler(scheduler, used):
    ran = run("search", "tictactoe", "--algorithm", "alphabeta(2)", *SLOW, "--workers", 3,
              "--scheduler", scheduler, "--json")  # fmt: skip
    assert json.loads(ran.stdout)["workers"] == used


UNUSED = [
    ("perft", "--depth 2 --distinct", ["--divide", "--ended", "--using seq", "--memory 1MB",
                                       "--workers 1", "--engine native"]),
    ("perft", "--expect FILE", ["--depth 2", "--state 1", "--divide", "--distinct"]),
    ("play", "--replay FILE", ["--maxie random", "--minnie random", "--state 1", "--seed 1",
                               "--time 1", "--ply-limit 9"]),
    ("check", "", ["--ended", "--counts-time 2", "--reference tictactoe"]),
    ("study", "--using seq", ["--moves 1", "--against random", "--seed 1", "--by leaves"]),
    ("solve", "--endgame x.npz", ["--most-plies 3"]),
    ("search", "--scheduler processes", ["--progress"]),
    ("climb", "--json", ["--show"]),
    ("learn", "--begin FILE", ["--start 3"]),
]  # fmt: skip
"""Options that have no effect beside other options, or without them."""


@pytest.mark.parametrize(
    ("command", "others", "unused"),
    [(command, others, option) for command, others, options in UNUSED for option in options],
)
def test_an_option_without_effect_is_refused(command, others, unused, tmp_path):
    (tmp_path / "file").write_text("")
    about = "queens:4" if command == "climb" else "tictactoe"
    ran = run(command, about, *others.replace("FILE", f"{tmp_path}/file").split(),
              *unused.split())  # fmt: skip
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert f"{unused.split()[0]} has no effect with" in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_two_options_never_write_one_file(name, tmp_path):
    command = jamboree.get_command(None, name)
    files = [
        option for option in command.params if isinstance(option.type, (click.Path, OutputType))
    ]
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    for first, second in permutations(files, 2):
        context = Context(command, info_name=name)
        context.params = {first.name: tmp_path / "file", second.name: link}
        if all(getattr(option.type, "exists", False) for option in (first, second)):
            continue  # both are only read
        with pytest.raises(click.UsageError, match="name the same file"):
            context.invoke(lambda: pytest.fail("it ran"))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "def start(self): raise RuntimeError('no\\nstart')",
            "start failed: RuntimeError: no start",
        ),
        ("def start(self): raise SystemExit(0)", "search: SystemExit: 0 (JAMBOREE_TRACEBACK=1"),
        ("def label(self, state): return 1 // 0", "ZeroDivisionError: "),
    ],
)
def test_rules_that_raise_get_one_line(nim, rule, said, monkeypatch):
    nim.write_text(f"{NIM}\n    {rule}\n")
    args = ["search", f"{nim}:Nim", "--json", *SLOW]
    ran = run(*args)
    assert (ran.exit_code, ran.stderr.count("\n")) == (2, 1)
    assert said in ran.stderr
    monkeypatch.setenv("JAMBOREE_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in run(*args).stderr


def test_names_are_case_sensitive_and_a_file_lists_its_games(nim):
    assert "search: Pile of " in run("search", f"{nim}:Pile").stderr
    assert f"write {nim}:Nim\n" in run("search", nim).stderr


def test_output_to_a_link_keeps_it_and_output_to_a_device_works(tmp_path):
    link, target = tmp_path / "link.svg", tmp_path / "target.svg"
    link.symlink_to(target)
    search = ["search", "tictactoe", "--algorithm", "alphabeta(1)", *SLOW, "--graph"]
    assert run(*search, link).exit_code == 0
    assert link.is_symlink()
    assert target.read_text().rstrip().endswith("</svg>")
    assert "</svg>" in run(*search, "/dev/stdout").stdout
    ran = run(*search, "/dev/full")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "cannot write /dev/full: No space left on device" in ran.stderr


def test_search_prints_the_answer():
    ran = run("search", "handout_small", "--algorithm", "alphabeta(2)", "--using",
              "jamboree(0.5)", "--workers", 1, *SLOW)  # fmt: skip
    assert ran.exit_code == 0
    for words in ("move       middle", "value      Guess: 4", "leaves     9", "2 converted"):
        assert words in ran.output


@pytest.mark.parametrize("using", ["seq", "young_brothers_wait.to_size(40)"])
def test_a_search_continues_with_a_table_in_a_file(using, tmp_path):
    file, nodes, how = str(tmp_path / "kept.table"), [], ("--engine", "interpreted", "--json")
    asked = "search", "tictactoe", "--algorithm", "pvs(5, table='64kB')", "--using", using, *how
    for _ in range(2):
        ran = run(*asked, "--table", file)
        assert ran.exit_code == 0
        told = json.loads(ran.stdout)
        nodes.append(told["nodes"])
        assert (told["move"], told["value"]) == ("5", 3)
    assert nodes[0] > 500
    assert nodes[1] == 0
    for more, said in (
        (["--scheduler", "threads"], "--table needs the ordered scheduler"),
        (["--algorithm", "mcts(10)"], "mcts has no --graph"),
        (["--algorithm", "minimax(2)", "--using", "seq"], "use alphabeta, pvs or mtdf"),
        (["--state", "1", "--algorithm", "pvs(5, table='4kB', nearer_wins=False)"], "name another"),
    ):
        ran = run(*asked, *more, "--table", file)
        assert (ran.exit_code, said in " ".join(ran.stderr.split())) == (2, True)


def test_search_prints_one_object():
    ran = run("search", "tictactoe", "--algorithm", "alphabeta(4)", "--json", *SLOW)
    data = json.loads(ran.stdout)
    assert (data["move"], data["estimate"]) == ("5", "Guess: 1")
    assert data["engine"] == {"native": False, "reason": "the interpreted engine was chosen"}
    assert data["sparks"]["created"] == 0


@pytest.mark.parametrize("scheduler", ["ordered", "threads", "sync"])
def test_every_scheduler_finds_the_same_result(scheduler):
    ran = run("search", "tictactoe", "--algorithm", "alphabeta(4)", "--json", "--using",
              "par_list", "--scheduler", scheduler, *SLOW)  # fmt: skip
    data = json.loads(ran.stdout)
    assert (data["move"], data["value"], data["sparks"]["converted"]) == ("5", 1, 9)


def test_search_writes_the_drawn_graph_completely(tmp_path):
    target = tmp_path / "tasks.svg"
    ran = run("search", "tictactoe", "--algorithm", "alphabeta(2)", "--using", "par_list",
              "--graph", target, *SLOW)  # fmt: skip
    assert ran.exit_code == 0
    assert target.read_text().rstrip().endswith("</svg>")
    assert [p.name for p in tmp_path.iterdir()] == ["tasks.svg"]


def test_a_win_is_printed_with_its_distance(nim):
    ran = run("search", f"{nim}:Nim(size=5)", "--algorithm", "alphabeta(9)", *SLOW)
    assert "Maxie wins! (in 3 plies)" in ran.output


@pytest.mark.parametrize(
    ("source", "said"),
    [("x = 1\ny = z\n", ":2: NameError"), ("def f(:\n", ":1: SyntaxError"), ("", "has no Nim")],
)
def test_the_error_of_a_file_that_does_not_import_names_the_line(tmp_path, source, said):
    path = tmp_path / "broken_game_file.py"
    path.write_text(source)
    ran = run("search", f"{path}:Nim")
    assert ran.exit_code == 2
    assert said in ran.stderr


def test_check_exits_with_status_1_for_broken_laws(nim):
    good = run("check", f"{nim}:Nim", "--json", "--seed", 1)
    told = json.loads(good.stdout)
    assert (good.exit_code, next(iter(told.items())), told["ok"]) == (0, ("schema", 1), True)
    nim.write_text(NIM.replace("self.size, 0)", "self.size, 5)"))
    told = run("check", f"{nim}:Nim", "--seed", 1)
    assert told.exit_code == 1
    head, first, *_ = told.stdout.splitlines()
    assert head == "Nim(size=5) (profile dev, seed 1)"
    assert first.startswith("pass            rules_answer: 1")
    assert "\x1b" not in told.stdout


def test_check_reports_a_rule_that_does_not_return_and_what_an_interrupt_stopped(nim):
    nim.write_text(NIM.replace("return 0", "while state.left == 2: pass\n        return 0"))
    ran = run("check", f"{nim}:Nim", "--seed", 1, "--limit", "0.2")
    assert ran.exit_code == 1
    assert "expected  estimate to answer within 0.2 s" in ran.stdout
    assert "position  Pile(left=2, turn=1)" in ran.stdout
    assert run("check", f"{nim}:Nim", "--limit", "0").exit_code == 2
    nim.write_text(NIM.replace("return 0", "raise KeyboardInterrupt"))
    ran = run("check", f"{nim}:Nim", "--seed", 1)
    assert ran.exit_code == 130
    assert "stopped at: rule estimate in Pile(left=5, turn=0)" in ran.stderr
    assert "stopped at: law rules_answer" in ran.stderr


def test_a_game_is_played_recorded_and_replayed(tmp_path):
    record = tmp_path / "game.json"
    played = run("play", "tictactoe", "--maxie", "random(seed=3)", "--minnie", "random",
                 "--record", record)  # fmt: skip
    assert played.exit_code == 0
    assert run("play", "tictactoe", "--replay", record).output == played.output
    assert run("play", "connect_four", "--replay", record).exit_code == 2


def test_a_human_agent_can_play_and_leave():
    ran = run("play", "tictactoe", "--minnie", "random", stdin="5\nx\n")
    assert ran.exit_code == 0
    assert "Maxie: 5" in ran.output
    assert "'x' is not a legal move" in ran.output
    assert "Left after 2 turns" in ran.output


@pytest.mark.parametrize(("algorithm", "keeps"), [("alphabeta(3)", True), ("minimax(3)", False)])
def test_an_interrupted_search_suggests_a_time_limit(monkeypatch, algorithm, keeps):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("strategies.searches.collection.Search.compute", interrupted)
    ran = run("search", "tictactoe", "--algorithm", algorithm, *SLOW)
    assert ran.exit_code == 130
    assert ("with --time SECONDS, Ctrl-C keeps the best answer so far" in ran.stderr) == keeps


@pytest.mark.parametrize(
    ("command", "within", "said"),
    [
        ("study tictactoe", "study_command.engine_for", "with --results FILE.db"),
        ("study tictactoe --results x.db", "study_command.engine_for", "continues from x.db"),
        ("tune connect_four --weight pairs", "tune_command.tune_weights", "with --record FILE"),
        ("tune connect_four --weight pairs --record x.jsonl", "tune_command.tune_weights",
         "no generation is finished; --record x.jsonl --resume continues"),
    ],
)  # fmt: skip
def test_a_command_interrupted_early_says_how_to_go_on(monkeypatch, command, within, said):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"strategies.cli.{within}", interrupted)
    ran = run(*command.split())
    assert ran.exit_code == 130
    assert said in ran.stderr


def test_an_interrupted_study_prints_its_rows(monkeypatch):
    from strategies.studies import places as studies

    warmed, timed = 5, 2  # seq, par_list and the three strategies; then two more rows
    left = iter(range(warmed + timed))
    real = studies.measure

    def measure(*args):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return real(*args)

    monkeypatch.setattr(studies, "measure", measure)
    ran = run("study", "handout_small", "--algorithm", "alphabeta(2)", "--json", *SLOW)
    assert ran.exit_code == 130
    data = json.loads(ran.stdout)
    assert (data["complete"], len(data["rows"])) == (False, 2)


def test_a_search_with_a_time_limit_prints_the_depth_reached():
    ran = run("search", "tictactoe", "--algorithm", "pvs(9)", "--nodes", "2000", "--json", *SLOW)
    data = json.loads(ran.stdout)
    assert ran.exit_code == 0
    assert 1 <= data["depth"] < 9
    text = run("search", "tictactoe", "--algorithm", "pvs(3)", "--time", "60", *SLOW).stdout
    assert "depth      3 plies within the limit" in text
    refused = run("search", "tictactoe", "--algorithm", "minimax(3)", "--time", "1", *SLOW)
    assert (refused.exit_code, "use alphabeta, pvs or mtdf" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    "words", ["games", "study nim --seed", "solve nim", "check nim pig", "search"]
)
def test_no_message_repeats_a_long_input(words: str) -> None:
    found = run(*words.split(), "x" * 100_000)
    assert found.exit_code == 2
    assert len(found.stderr) < 600


def test_a_line_for_each_depth_goes_to_the_standard_error():
    ran = run(
        "search", "tictactoe", "--algorithm", "pvs(6)", "--engine", "interpreted", "--progress"
    )
    lines = [line.split() for line in ran.stderr.splitlines()]
    assert [line[:2] for line in lines] == [["depth", str(depth)] for depth in (2, 4, 6)]
    assert ran.exit_code == 0
    assert "\ndepth" not in ran.stdout
