"""Engines of another version of the package: asked through its service, known by its code."""

import json
import shutil
import sys
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.analysis import EngineError, Limit
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs.stamps import _version_code, code_of, version_of
from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, make_player
from rl_toolkit.players.advisers import analyst
from rl_toolkit.protocols.service import client

ROOT = Path(rl_toolkit.__file__).parents[1]


@pytest.fixture
def other(tmp_path):
    """Another version of the package: a copy in which `first` plays the last legal move."""
    folder = tmp_path / "other"
    ignored = shutil.ignore_patterns("__pycache__", "data", "web", "labs", "*.md")
    shutil.copytree(ROOT / "rl_toolkit", folder / "rl_toolkit", ignore=ignored)
    file = folder / "rl_toolkit" / "algorithms" / "simple" / "baselines.py"
    text = file.read_text()
    start = text.index("class FirstMoveEngine")
    changed = text[start:].replace("env.get_legal_moves()", "env.get_legal_moves()[::-1]", 1)
    file.write_text(text[:start] + changed)
    yield folder
    for program in client._programs.values():
        program.close()
    client._programs.clear()
    _version_code.cache_clear()


def test_two_versions_play_a_match_and_only_their_own_code_counts(other, tmp_path):
    spec = f"package:path={other},python={sys.executable},engine=first"
    saved = tmp_path / "match.jsonl"
    plan = Match("tictactoe", (spec, "first"), 2, random_plies=1)
    result = play_match(plan, save=saved)
    assert result.forfeits == (0, 0)
    for game in result.games:  # the other version takes the last legal move, this one the first
        env = make_game("tictactoe")
        for move in game.opening:
            env.step(move)
        for move in game.moves:
            is_other = (env.current_player == 1) == (game.first == 0)
            legal = env.get_legal_moves()
            assert move == (legal[-1] if is_other else legal[0])
            env.step(move)
    assert len(client._programs) == 1  # one process for all games
    line = json.loads(saved.read_text().splitlines()[1])
    version = rl_toolkit.__version__
    assert line["versions"] == [f"rl-toolkit {version}", version]
    player = make_player("tictactoe", spec)
    assert line["code"][0] == code_of("tictactoe", player)
    assert code_of("tictactoe", player) != code_of("tictactoe", make_player("tictactoe", "first"))
    assert version_of(make_player("tictactoe", "random")) == version
    (other / "rl_toolkit" / "algorithms" / "new.py").write_text("x = 1\n")
    _version_code.cache_clear()
    with pytest.raises(ValueError, match=r"the code of package:.* has changed since 4 games"):
        play_match(plan, save=saved)
    # What it refuses is said before the first game.
    with pytest.raises(EngineError, match="refused fist: 'fist' is neither a level nor an engine"):
        play_match(Match("tictactoe", (f"package:path={other},engine=fist", "first"), 1))
    # Seeds reach the engine there, if it takes one, and the same seed gives the same answers.
    spec = f"package:path={other},engine=random"
    env = make_game("tictactoe-5x5x4")
    moves = [make_player(env, spec, seed=3).analyse(env).best_move for _ in range(3)]
    assert len(set(moves)) == 1
    others = {make_player(env, spec, seed=n).analyse(env).best_move for n in range(8)}
    assert len(others) > 2
    told = make_player(env, f"package:path={other},engine=greedy").analyse(env, Limit(nodes=3))
    assert told.nodes == 3


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("package", "package needs a folder and an engine"),
        ("package:path=/nowhere,engine=first", "/nowhere is not a folder with another version"),
        ("package:path={root},python=/nowhere/python,engine=first", "is not an interpreter"),
        ("package:path={root},engine=mcts", "needs an engine with a limit, such as mcts:simul"),
        ("package:path={root},engine=my_bot.py", "an engine or level of the package, not file-bot"),
    ],
)
def test_what_cannot_be_started_is_refused_at_once(spec, message):
    with pytest.raises(SpecError, match=message):
        make_player("tictactoe", spec.format(root=ROOT))


def test_an_engine_there_is_asked_to_play_not_to_value_every_move():
    for engine, asked in (
        ("reversi:nodes=100", "reversi:nodes=100,every=off"),
        ('"reversi:nodes=100,every=on"', "reversi:nodes=100,every=on"),
        ("expert", "expert"),
        ("minimax:depth=2", "minimax:depth=2"),
    ):
        made = make_player("reversi", f"package:path={ROOT},engine={engine}").engine
        assert made.engine == asked
        there = analyst("reversi", made.engine)  # the service leaves it as it is
        assert there.spec == make_player("reversi", asked).spec
