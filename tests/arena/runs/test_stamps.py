"""What makes saved games older: the files that the game, the engines and the run reach."""

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.algorithms.by_game.solvers import SOLVERS
from rl_toolkit.arena.runs import code_of, stamps
from rl_toolkit.arena.runs import reached_files as reading
from rl_toolkit.arena.runs.reached_files import ReachedFiles, reached_files
from rl_toolkit.envs import make_game
from rl_toolkit.players import engine_kinds, make_engine, make_player
from rl_toolkit.players.kinds import builtin

PACKAGE = Path(rl_toolkit.__file__).parent
HELPER = Path(__file__).parents[2] / "helpers" / "files_run.py"

# ------------------------------------------------------------------ reading imports

SMALL = {
    "__init__.py": "VERSION = 1\n",
    "lazy/__init__.py": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from small.lazy.one import first\n"
        "    from small.lazy.two import second as other\n"
        "OWN = 1\n"
        "def __getattr__(name): ...\n"
    ),
    "lazy/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import small.typed\n",
    "lazy/two.py": "def second():\n    from small import inner\n",
    "lazy/three.py": "",
    "eager/__init__.py": "from small.eager.a import a\nfrom small.eager.b import b\n",
    "eager/a.py": "from . import c\nfrom ..lazy import first\n",
    "eager/b.py": "",
    "eager/c.py": "",
    "table/__init__.py": "NAMES = dict(x='one')\ndef __getattr__(name): ...\n",
    "table/one.py": "",
    "table/two.py": "",
    "inner.py": "try:\n    import json\nexcept ImportError:\n    import small.spare\n",
    "spare.py": "COMMAND = ['-m', 'small.program']\n",
    "program.py": "WEIGHTS = 'small.weights'\n",
    "typed.py": "",
    "players/__init__.py": (
        "from small.players.kinds.builtin import make\nfrom small.players.mix import Mix\n"
    ),
    "players/kinds/__init__.py": "",
    "players/kinds/builtin.py": "from small.algorithms import engine\nimport small.inner\n",
    "players/mix.py": "from small.algorithms import engine\n",
    "algorithms/__init__.py": "",
    "algorithms/engine.py": "",
    "data/small.weights": "1",
    "data/other.weights": "2",
}


@pytest.fixture
def small(tmp_path):
    for name, text in SMALL.items():
        file = tmp_path / "small" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def reach(code, without=()):
        (tmp_path / "small" / "root.py").write_text(code)
        files = ReachedFiles(tmp_path / "small").of(["small.root"], without)
        return {file.relative_to(tmp_path / "small").as_posix() for file in files} - {"root.py"}

    return reach


ENGINE = {"algorithms/__init__.py", "algorithms/engine.py"}
INNER = {"inner.py", "spare.py", "program.py", "data/small.weights"}


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("import json, small", set()),
        ("from small import VERSION", set()),
        ("from small.lazy import first", {"lazy/__init__.py", "lazy/one.py"}),
        ("from small.lazy import other", {"lazy/__init__.py", "lazy/two.py"} | INNER),
        ("from small.lazy import OWN", {"lazy/__init__.py"}),
        ("from small.lazy import three", {"lazy/__init__.py", "lazy/three.py"}),
        ("import small.lazy", {"lazy/__init__.py", "lazy/one.py", "lazy/two.py"} | INNER),
        ("from small.lazy import *", {"lazy/__init__.py", "lazy/one.py", "lazy/two.py"} | INNER),
        ("from small.eager import b", {"eager/__init__.py", "eager/b.py"}),
        (
            "class A:\n    def f(self):\n        if True:\n            from small.eager import a",
            {"eager/__init__.py", "eager/a.py", "eager/c.py", "lazy/__init__.py", "lazy/one.py"},
        ),
        ("from small.table import x", {"table/__init__.py", "table/one.py", "table/two.py"}),
        (
            "from small.players import make",
            {"players/__init__.py", "players/kinds/__init__.py", "players/kinds/builtin.py"}
            | INNER,
        ),
        (
            "from small.players import Mix",
            {"players/__init__.py", "players/mix.py", *ENGINE},
        ),
        ("import small.algorithms.engine", ENGINE),
    ],
)
def test_imports_are_followed_to_the_home_of_a_name(small, code, files):
    assert small(code) == files


def test_what_is_left_out_is_not_followed(small):
    assert small("import small.inner", ["small.spare"]) == {"inner.py"}
    assert small("import small.inner", ["small.root"]) == INNER


# --------------------------------------------------------------------- editing a file


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the package to edit."""
    folder = tmp_path_factory.mktemp("copy") / "rl_toolkit"
    ignored = shutil.ignore_patterns("__pycache__", "*.npz", "static", "catalogue")
    return Path(shutil.copytree(PACKAGE, folder, ignore=ignored))


parsed = lru_cache(maxsize=None)(reading._parsed)


def forget():
    """Forget what was read of files."""
    for cached in (stamps._files_code, reached_files):
        cached.cache_clear()


@pytest.fixture
def code(tree, monkeypatch):
    """`code_of` a player, as if the copy were the package; a text is parsed once."""
    monkeypatch.setattr(stamps, "_PACKAGE", tree)
    monkeypatch.setattr(reading, "_parsed", parsed)

    def read(game, spec, **more):
        forget()
        return code_of(game, make_player(game, spec), **more)

    yield read
    forget()


def edited(file):
    """Edit a file of the copy; call the result to undo that."""
    before = file.read_bytes()
    file.write_bytes(before + b"\n# a comment\n")
    return lambda: file.write_bytes(before)


REACHED = {
    ("tictactoe", "greedy"): (
        "envs/tictactoe.py",
        "envs/bases/line_game.py",
        "envs/base_game.py",
        "algorithms/simple/greedy.py",
        "analysis/engine.py",
        "arena/arbiter/referee.py",
        "arena/arbiter/clocks.py",
        "arena/arbiter/play_game.py",
        "arena/runs/playing.py",
        "arena/runs/openings/drawing.py",
        "players/registry.py",
    ),
    ("reversi-6", "reversi:nodes=10"): (
        "envs/reversi.py",
        "algorithms/reversi/engine.py",
        "data/reversi-6.weights",
    ),
    ("connect-four", "exact"): (
        "algorithms/connect_four/solver.py",
        "kernels/connect_four/search.py",
        "data/connect_four.book",
    ),
    ("reversi-6", "exact"): ("algorithms/reversi/solver.py", "kernels/reversi/endgame.py"),
    ("reversi-6", "expert"): ("algorithms/simple/seeds.py", "players/kinds/mixed_engine.py"),
    ("tictactoe", "mix:strong=minimax:depth=2,weak=random"): ("algorithms/minimax/negamax.py",),
}
NOT_REACHED = {
    ("tictactoe", "greedy"): (
        "protocols/nboard/client.py",
        "envs/gomoku.py",
        "envs/reversi.py",
        "algorithms/minimax/negamax.py",
        "algorithms/reversi/engine.py",
        "learning/alphazero/engine.py",
        "kernels/connect_four/search.py",
        "data/gomoku.weights",
        "arena/runs/journal.py",
        "arena/tournaments/report_html.py",
        "labs/engine.py",
        "web/app.py",
        "cli/main.py",
        "__init__.py",
    ),
    ("reversi-6", "reversi:nodes=10"): ("data/gomoku.weights", "algorithms/gomoku/engine.py"),
    ("connect-four", "exact"): (
        "algorithms/reversi/solver.py",
        "kernels/reversi/endgame.py",
        "data/reversi.weights",
        "data/reversi.book",
    ),
    ("reversi-6", "exact"): ("algorithms/connect_four/solver.py", "data/connect_four.book"),
    ("connect-four", "mcts:simulations=5"): ("algorithms/minimax/negamax.py", "envs/tictactoe.py"),
}


@pytest.mark.parametrize("player", REACHED, ids=" ".join)
def test_editing_a_file_that_is_reached_changes_the_stamp(tree, code, player):
    before = code(*player)
    for name in REACHED[player]:
        undo = edited(tree / name)
        assert code(*player) != before, name
        undo()
    assert code(*player) == before


@pytest.mark.parametrize("player", NOT_REACHED, ids=" ".join)
def test_editing_files_that_are_not_reached_changes_nothing(tree, code, player):
    before = code(*player)
    undone = [edited(tree / name) for name in NOT_REACHED[player]]
    assert code(*player) == before
    for undo in undone:
        undo()


def test_any_file_counts_exactly_if_it_is_reached(tree, code, monkeypatch):
    covered, real = [], stamps._hash_of
    player = ("connect-four", "minimax:depth=2")
    before = code(*player)
    monkeypatch.setattr(
        stamps, "_hash_of", lambda root, files, *a: covered.extend(files) or real(root, files, *a)
    )
    assert code(*player) == before
    reached = set(covered)
    files = sorted(tree.rglob("*.py"))
    rng = random.Random(1)
    chosen = [*rng.sample(sorted(reached), 3), *rng.sample(files, 5)]
    for file in chosen:
        undo = edited(file)
        assert (code(*player) != before) is (file in reached), file
        undo()


def test_every_file_is_parsed_and_hashed_once(monkeypatch):
    parsed, hashed = Counter(), Counter()
    parse, read = reading._parsed, Path.read_bytes
    monkeypatch.setattr(reading, "_parsed", lambda *a: parsed.update([a]) or parse(*a))
    monkeypatch.setattr(Path, "read_bytes", lambda file: hashed.update([file]) or read(file))
    forget()
    for spec in ("random", "exact", "mix:strong=exact,weak=greedy"):
        code_of("connect-four", make_player("connect-four", spec))
    assert {count for (_, package), count in parsed.items() if package} == {1}
    assert {count for file, count in hashed.items() if PACKAGE in file.parents} == {1}
    files = len(parsed), len(hashed)
    code_of("connect-four", make_player("connect-four", "mix:strong=greedy,weak=random"))
    assert (len(parsed), len(hashed)) == files


@pytest.mark.parametrize("kind", builtin.KINDS, ids=lambda kind: kind.name)
def test_the_module_of_an_engine_is_known_before_it_is_made(kind):
    assert kind.module == type(make_engine(kind.name).engine).__module__


def test_the_module_of_a_solver_is_known_before_it_is_made():
    for solver in SOLVERS.values():
        assert solver.module == type(solver.make()).__module__


def test_engines_that_the_run_asks_itself_count_where_it_asks_them(tree, code):
    undo = edited(tree / "algorithms" / "connect_four" / "solver.py")
    after = code("connect-four", "random"), code("connect-four", "random", judged=True)
    undo()
    assert code("connect-four", "random") == after[0]
    assert code("connect-four", "random", judged=True) != after[1]


@pytest.mark.parametrize(
    ("bot", "file", "changes"),
    [
        ("from rl_toolkit.algorithms.mcts import MCTSSolver", "algorithms/mcts/solver.py", True),
        ("from rl_toolkit.algorithms.mcts import MCTSSolver", "algorithms/gomoku/engine.py", False),
        ("from rl_toolkit.players import make_engine", "algorithms/gomoku/engine.py", True),
        ("import rl_toolkit as rlt", "algorithms/gomoku/engine.py", True),
        ("import random", "algorithms/gomoku/engine.py", False),
    ],
)
def test_a_bot_counts_by_its_file_and_what_it_imports(tree, code, tmp_path, bot, file, changes):
    path = tmp_path / "bot.py"
    path.write_text(f"{bot}\n\ndef choose(env):\n    return env.get_legal_moves()[0]\n")
    before = code("tictactoe", str(path))
    stamps._version_code.cache_clear()
    undo = edited(tree / file)
    assert (code("tictactoe", str(path)) != before) is changes
    undo()
    stamps._version_code.cache_clear()
    path.write_text(path.read_text() + "# changed\n")
    assert code("tictactoe", str(path)) != before


# ------------------------------------------------------------ what runs is what counts

OPTIONS = {
    "minimax": "minimax:depth=2",
    "mcts": "mcts:simulations=10",
    "reversi": "reversi:nodes=100",
    "gomoku": "gomoku:nodes=100",
    "alphazero": "alphazero:simulations=4",
    "exact": "exact:every=off",
    "mix": "mix:strong=minimax:depth=2,weak=minimax:depth=1",  # neither part draws lots
}
GAMES = ("tictactoe", "connect-four-4x4x3", "connect-four", "reversi-6", "reversi-8", "gomoku-9")
#: No game of these is played to the end in a test.
SLOW = {("reversi-6", "exact"), ("reversi-8", "exact")}
QUICK = [
    ("tictactoe", "greedy"),
    ("connect-four", "mcts:simulations=10", "4"),
]
ALL = [
    (game, OPTIONS.get(kind.name, kind.name), *more)
    for game in GAMES
    for kind in engine_kinds(make_game(game))
    if (game, kind.name) not in SLOW
    for more in ([(), ("4",)] if kind.name == "greedy" else [()])
]


@pytest.mark.parametrize(
    "played",
    [*QUICK, *(pytest.param(each, marks=pytest.mark.full) for each in ALL if each not in QUICK)],
    ids=" ".join,
)
def test_what_runs_in_a_game_is_covered_by_its_stamp(played):
    command = [sys.executable, str(HELPER), *played]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(ran.stdout.splitlines()[-1])
    assert "arena/arbiter/referee.py" in told["ran"]
    assert set(told["ran"]) <= set(told["covered"])
    assert set(told["kernels"]) <= set(told["covered"])
