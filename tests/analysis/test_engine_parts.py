"""The optional parts of an engine: declared in one file, and asked for nowhere else by name."""

import ast
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import FirstMoveEngine, GreedyEngine, RandomEngine
from rl_toolkit.analysis import Engine, engine
from rl_toolkit.arena.arbiter.worker_engines import new_engine
from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.players import Player, make_engine
from rl_toolkit.players.bots.engine import BotEngine
from rl_toolkit.players.kinds.mixed_engine import MixedEngine
from rl_toolkit.protocols.program_engine import ProgramEngine
from rl_toolkit.protocols.service.client import PackageEngine

PACKAGE = Path(rl_toolkit.__file__).parent
PARTS = {
    name
    for name, part in vars(engine).items()
    if getattr(part, "_is_protocol", False) and name not in ("Engine", "StopSignal", "Protocol")
}
#: Which classes have which parts; attributes that only objects have are tested below.
HAVE = {
    "Prepares": {BotEngine, MixedEngine, ProgramEngine, PackageEngine},
    "Closes": {BotEngine, ProgramEngine, PackageEngine},
    "Reseeds": {RandomEngine, GreedyEngine},
    "HasNetwork": {AlphaZeroEngine, MixedEngine},
    "HasFiles": {ProgramEngine, PackageEngine},
    "ChecksFiles": {GomokuEngine},
    "HasVersion": {PackageEngine},
    "HasOwnLimit": {Player},
    "ScoresMoves": {ConnectFourSolver},
    "Traces": {AlphaZeroEngine},
    "MakesClaims": {BotEngine},
}
ATTRIBUTES = {"UsesMachineCode", "EndsIfLate", "NamesGames", "Pauses", "HasEvaluation"}
CLASSES = set.union(*HAVE.values()) | {MinimaxSolver, MCTSSolver, FirstMoveEngine}


def members(part):
    own = {name for name in vars(part) if not name.startswith("_")}
    return own | set(vars(part).get("__annotations__", ()))


def test_every_part_is_documented_and_listed():
    assert set(HAVE) | ATTRIBUTES == PARTS
    for name in PARTS:
        part = getattr(engine, name)
        assert part.__doc__
        assert f"`{name}`" in engine.__doc__
        assert all(f"``{member}" in engine.__doc__ for member in members(part))


@pytest.mark.parametrize("name", HAVE)
def test_engines_have_the_parts_that_they_should(name):
    wanted = members(getattr(engine, name))
    assert {cls for cls in CLASSES if all(hasattr(cls, member) for member in wanted)} == HAVE[name]


def test_an_engine_without_parts_is_an_engine():
    first = FirstMoveEngine()
    assert isinstance(first, Engine)
    assert not any(isinstance(first, getattr(engine, name)) for name in PARTS)
    engine.prepare(first, "tictactoe")
    engine.use_machine_code(first)
    assert engine.games_of(first) == ()
    assert engine.paused_seconds(first) == 0.0
    assert engine.evaluated_by(first) == ""


def test_parts_that_are_attributes(tmp_path):
    (tmp_path / "bot.py").write_text("GAMES = ['tictactoe']\n\n\ndef choose(env):\n    return 4\n")
    bot = make_engine(str(tmp_path / "bot.py")).engine
    assert engine.games_of(bot) == ("tictactoe",)
    assert isinstance(bot, engine.EndsIfLate)
    program = make_engine("gomocup:cmd=python3").engine
    assert isinstance(program, engine.Pauses)
    assert engine.paused_seconds(program) == 0.0
    for solver in (MinimaxSolver(), MCTSSolver(), make_engine("mix").engine):
        assert isinstance(solver, engine.UsesMachineCode)
        assert solver.compiled is None


def test_machine_code_is_used_unless_the_engine_was_told_otherwise():
    for choice, then in ((None, True), (True, True), (False, False)):
        solver = MinimaxSolver(compiled=choice)
        assert engine.use_machine_code(solver) is then
        assert solver.compiled is then
    assert not engine.use_machine_code(make_engine("random").engine, use=False)


@pytest.mark.parametrize("spec", ["random", "greedy", "greedy:slips=0.5", "random:seed=3"])
def test_an_engine_that_is_used_again_answers_as_a_new_one(spec):
    env = make_game("connect-four")
    for seed in (1, 2, 1):
        again = new_engine("connect-four", spec, seed=seed)
        fresh = make_engine(again.spec)
        assert again.engine == fresh.engine
        assert again.analyse(env).candidates == fresh.analyse(env).candidates


# ------------------------------------------------------------------------ the whole package


ASKING = ("getattr", "hasattr", "setattr", "vars")


def is_engine(node):
    """Whether an expression is called an engine: ``engine``, ``player.engine``, ``_engine``."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name.lstrip("_") == "engine"


def questions(path):
    text = path.read_text("utf-8")
    if "engine" not in text or not any(word in text for word in ASKING):
        return
    for node in ast.walk(ast.parse(text)):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
        if is_call and node.func.id in ASKING and is_engine(node.args[0]):
            yield f"{path.relative_to(PACKAGE)}:{node.lineno}"


def test_no_engine_is_asked_for_a_part_by_its_name():
    assert [place for path in PACKAGE.rglob("*.py") for place in questions(path)] == []


def test_questions_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    (tmp_path / "a.py").write_text("getattr(self.player.engine, 'games', ())\nvars(engine)['x']\n")
    assert list(questions(tmp_path / "a.py")) == ["a.py:1", "a.py:2"]


def test_the_parts_are_declared_in_one_file():
    declared = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "@runtime_checkable" in path.read_text("utf-8")
    }
    assert declared == {"analysis/engine.py", "adapters/observations.py"}  # the latter: of games
