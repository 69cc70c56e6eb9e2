"""Engines by name and option, and the levels of every game."""

import subprocess
import sys
import threading
from dataclasses import dataclass, field, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import GreedyEngine, RandomEngine
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import UnknownGameError, game_families, make_game
from rl_toolkit.players import (
    LEVELS,
    SEED,
    EngineKind,
    Option,
    Player,
    Spec,
    SpecError,
    engine_kind,
    engine_kinds,
    levels_for,
    limits,
    make_engine,
    make_level,
    make_player,
    register_engine,
)
from rl_toolkit.players import registry as registry_module

GAMES = ["tictactoe", "connect-four", "connect-four-4x5x4", "gomoku", "reversi-4", "reversi"]


def test_importing_players_does_not_import_the_compiler():
    code = (
        "import sys, rl_toolkit.players as p; "
        "[(k.help, [o.allowed for o in k.options]) for k in p.engine_kinds()]; "
        "p.levels_for('connect-four'); p.make_engine('greedy'); "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- specs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "limit", "canonical"),
    [
        ("minimax", Limit(), "minimax"),
        ("minimax:depth=6", Limit(depth=6), "minimax:depth=6"),
        (" MiniMax : time=1.50 , DEPTH=4 ", Limit(depth=4, time=1.5), "minimax:depth=4,time=1.5"),
        ("minimax:symmetry=OFF,pvs=on", Limit(), "minimax:symmetry=off"),
        ("mcts:simulations=5000,c=1.4", Limit(simulations=5000), "mcts:simulations=5000,c=1.4"),
        ("mcts:c=1.41", Limit(), "mcts"),
        ("random:seed=1", Limit(), "random:seed=1"),
        ("greedy:seed=0,slips=.25,nodes=9", Limit(nodes=9), "greedy:slips=0.25,nodes=9,seed=0"),
    ],
)
def test_a_spec_gives_an_engine_and_its_limit(spec, limit, canonical):
    player = make_engine(spec)
    assert isinstance(player, Engine)
    assert player.limit == limit
    assert player.spec.text == canonical
    assert make_engine(player.spec).spec.text == canonical


def test_options_reach_the_engine():
    assert make_engine("random:seed=5").engine == RandomEngine(5)
    assert make_engine("greedy:seed=5,slips=0.5").engine == GreedyEngine(5, 0.5)
    solver = make_engine("minimax:ordering=off,memory=64,seed=3").engine
    assert isinstance(solver, MinimaxSolver)
    assert solver.options.symmetry
    assert not solver.options.ordering
    assert (solver.max_memory_mb, solver.seed, solver.max_depth) == (64, 3, None)
    tree_search = make_engine("mcts:c=0.5,playout_depth=7,tactics=off,memory=32,seed=2").engine
    assert (tree_search.c, tree_search.max_depth, tree_search.tactics) == (0.5, 7, False)
    assert (tree_search.max_memory_mb, tree_search.seed) == (32, 2)


def test_minimax_by_name_has_every_idea_switched_on():
    by_name, strong = make_engine("minimax").engine, MinimaxSolver.strong()
    assert by_name.options == strong.options
    assert by_name.use_iterative_deepening == strong.use_iterative_deepening
    switches = {option.name for option in engine_kind("minimax").options if option.kind == "switch"}
    ideas = {idea.name for idea in fields(strong.options)}
    assert switches == ideas | {"iterative_deepening"}
    for idea in ideas:
        assert not getattr(make_engine(f"minimax:{idea}=off").engine.options, idea)
    assert not make_engine("minimax:iterative_deepening=off").engine.use_iterative_deepening


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphabeta", "no engine 'alphabeta'; did you mean minimax[?]"),
        ("", "no engine ''; the engines are"),
        (None, "described by text, not None"),
        ("minimax:depht=3", r"no option 'depht'; did you mean depth[?]"),
        ("random:time=1", r"random has no option 'time'; its options are seed$"),
        ("minimax:depth=0", "depth is a whole number from 1 to 1000, not '0'"),
        ("minimax:depth=2.5", "depth is a whole number from 1 to 1000, not '2.5'"),
        ("minimax:depth=six", "depth is a whole number .* not 'six'"),
        ("minimax:depth=" + "9" * 5000, "depth is a whole number"),
        ("minimax:time=0", "time is a number from 0.001 to 86400, not '0'"),
        ("minimax:time=nan", "time is a number from 0.001 to 86400, not 'nan'"),
        ("greedy:slips=1.5", "slips is a number from 0 to 1, not '1.5'"),
        ("minimax:symmetry=maybe", "symmetry is on or off, not 'maybe'"),
        ("minimax:depth", "'depth' is not option=value"),
        ("minimax:", "'' is not option=value"),
        ("minimax:depth=3,", "'' is not option=value"),
        ("minimax:depth=3,depth=4", "depth is given twice"),
        ("mcts:c=-1", "c is a number from 0 to 100, not '-1'"),
    ],
)
def test_a_wrong_spec_is_refused_with_what_would_be_right(spec, message):
    with pytest.raises(SpecError, match=message):
        make_engine(spec)


def values_of(option):
    if option.kind == "switch":
        return st.booleans()
    most = min(option.most, 10**9)
    if option.kind == "whole number":
        return st.integers(int(option.least), int(most))
    return st.floats(option.least, most)


def specs():
    """Some options of one engine with values they allow."""
    return st.sampled_from(["minimax", "greedy", "random"]).flatmap(
        lambda name: st.fixed_dictionaries(
            {}, optional={o.name: values_of(o) for o in engine_kind(name).options}
        ).map(lambda chosen: (name, chosen))
    )


@given(specs())
def test_every_value_allowed_survives_the_round_trip(drawn):
    name, chosen = drawn
    options = {option.name: option for option in engine_kind(name).options}
    text = ",".join(f"{key}={options[key].write(value)}" for key, value in chosen.items())
    player = make_engine(f"{name}:{text}" if text else name)
    assert make_engine(player.spec).limit == player.limit
    assert make_engine(player.spec).spec == player.spec
    for key, value in chosen.items():
        if options[key].is_limit:
            assert getattr(player.limit, key) == value
        elif key == "seed":
            assert player.engine.seed == value


def test_engines_and_options_describe_themselves():
    for kind in engine_kinds():
        assert kind.help
        for option in kind.options:
            assert option.help
            assert "\n" not in option.help
            assert option.default is None or option.read(option.write(option.default)) == (
                option.default
            )


# --- players ---------------------------------------------------------------------------------


@dataclass
class Listening:
    """An engine that remembers what it was asked."""

    name: str = "listening"
    asked: list = field(default_factory=list)

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.asked.append((limit, on_progress, stop))
        return RandomEngine(1).analyse(env)


def test_a_player_keeps_its_own_limit_unless_given_another():
    engine = Listening()
    player = Player(engine, Limit(depth=3), Spec("listening"))
    env, stop, progress = make_game("tictactoe"), threading.Event(), print
    player.analyse(env)
    player.analyse(env, Limit())
    player.analyse(env, Limit(nodes=5), progress, stop)
    Player(engine, Limit(), Spec("listening")).analyze(env)
    assert engine.asked == [
        (Limit(depth=3), None, None),
        (Limit(depth=3), None, None),
        (Limit(nodes=5), progress, stop),
        (None, None, None),
    ]
    assert player.name == "listening"


@pytest.mark.parametrize("made", [make_engine("minimax"), MinimaxSolver(), MCTSSolver()])
def test_text_instead_of_a_game_is_sent_to_read_position(made):
    with pytest.raises(TypeError, match=r"rl_toolkit\.read_position\(name, '4455'\) reads it"):
        made.analyze("4455")


def test_a_player_says_in_a_few_words_who_it_is():
    assert repr(make_engine("minimax: depth=04")) == "<Player minimax: depth=04: minimax:depth=4>"
    assert repr(make_engine("minimax:depth=4")) == "<Player minimax:depth=4>"
    assert repr(make_player("connect-four", "hard")) == "<Player hard: minimax:depth=6>"


def test_within_adds_a_limit_and_loosens_none():
    player = Player(Listening(), Limit(depth=3, time=2.0), Spec("listening"))
    assert player.within(Limit(time=5.0, nodes=7)).limit == Limit(depth=3, time=2.0, nodes=7)
    assert player.within(Limit(time=1.0)).limit == Limit(depth=3, time=1.0)
    assert player.limit == Limit(depth=3, time=2.0)


def test_the_limit_of_a_spec_is_felt():
    env = make_game("tictactoe")
    assert make_engine("minimax:depth=2").analyse(env).depth == 2
    assert make_engine("greedy:nodes=4").analyse(env).nodes == 4
    assert make_engine("mcts:simulations=20,seed=1").analyse(env).simulations == 20


# --- registration ----------------------------------------------------------------------------


@pytest.fixture
def _registry(monkeypatch):
    monkeypatch.setattr(registry_module, "_KINDS", dict(registry_module._KINDS))


@pytest.mark.usefixtures("_registry")
def test_a_further_engine_is_found_by_name():
    def make(zeal, seed):
        return Listening(name=f"{zeal} {seed}")

    zeal = Option("zeal", "number", 0.5, "how hard it tries", 0, 1)
    register_engine(EngineKind("further", "tries", make, (zeal, *limits("nodes"), SEED)))
    player = make_engine("further:zeal=1,nodes=3")
    assert (player.name, player.limit) == ("1.0 None", Limit(nodes=3))
    assert make_player("reversi", "further").spec.text == "further"
    assert engine_kinds()[-1].name == "further"
    with pytest.raises(ValueError, match="already an engine named further"):
        register_engine(EngineKind("further", "again", make))


@pytest.mark.usefixtures("_registry")
def test_an_engine_that_plays_some_games_is_offered_for_those_only():
    def square(env):
        return env.rows == env.cols

    register_engine(EngineKind("square", "plays on square boards", Listening, knows=square))
    kind = engine_kinds()[-1]
    assert kind.games == [f.name for f in game_families() if f.name != "connect-four"]
    assert kind not in engine_kinds(make_game("tictactoe-3x4x3"))
    assert kind in engine_kinds(make_game("tictactoe"))
    assert make_player("gomoku", "square").spec.text == "square"
    with pytest.raises(SpecError, match=r"^square does not play connect-four; .* minimax, mcts,"):
        make_player("connect-four", "square")


@pytest.mark.parametrize(
    ("engine", "game", "plays"),
    [
        ("exact", "connect-four", True),
        ("exact", "connect-four-8x7x4", True),
        ("exact", "connect-four-9x9x4", False),
        ("exact", "connect-four-6x7x5", False),
        ("exact", "tictactoe", False),
        ("exact", "reversi-6", True),
        ("reversi", "reversi-6", True),
        ("reversi", "gomoku-9", False),
        ("minimax", "gomoku-9", True),
    ],
)
def test_who_plays_what_is_what_the_engines_themselves_say(engine, game, plays):
    env = make_game(game)
    assert engine_kind(engine).can_play(env) == plays
    if not plays:
        sentence = "play"
        if engine == "exact":
            sentence = (
                f"^{env.name} has no exact solver|^the exact solver plays .*, not {env.name};"
            )
        with pytest.raises(ValueError, match=sentence):
            make_engine(engine).analyse(env, Limit(nodes=1))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (EngineKind("Upper", "", Listening), "lower-case"),
        (EngineKind("a:b", "", Listening), "lower-case"),
        (EngineKind("twice", "", Listening, (SEED, SEED)), "an option twice"),
        (
            EngineKind("odd", "", Listening, (Option("zeal", "number", None, "", is_limit=True),)),
            "zeal is not a limit; limits are time, nodes, depth, simulations",
        ),
    ],
)
def test_a_kind_that_cannot_be_written_is_refused(kind, message):
    with pytest.raises(ValueError, match=message):
        register_engine(kind)
    assert kind.name not in {known.name for known in engine_kinds()}


def test_no_number_is_infinite():
    zeal = Option("zeal", "number", None, "how hard it tries")
    assert zeal.read("-1e300") == -1e300
    for text in ("inf", "-inf", "nan", "1e999"):
        with pytest.raises(SpecError, match="zeal is a number, not"):
            zeal.read(text)


def test_an_engine_without_options_says_so():
    with pytest.raises(SpecError, match="plain has no option 'x'; it takes no options"):
        EngineKind("plain", "", Listening).option("x")


# --- levels ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_levels_in_order(game):
    levels = levels_for(game)
    assert list(levels) == [level for level in LEVELS if level in levels]
    assert set(levels) >= {"beginner", "easy", "medium", "hard", "expert"}
    for level, spec in levels.items():
        assert make_level(game, level).spec.text == spec
        assert make_player(game, level.upper()).spec.text == spec


def test_connect_four_has_the_depths_of_the_course():
    depths = {"easy": 2, "medium": 4, "hard": 6}
    made = {level: make_level("connect-four", level).limit.depth for level in depths}
    assert made == depths
    in_order = [level for level in levels_for("connect-four") if level in depths]
    assert in_order == list(depths)


def test_a_level_the_game_lacks_is_refused_with_those_it_has():
    with pytest.raises(SpecError, match=r"gomoku-15 has no level 'perfect'; .* hard\+, expert$"):
        make_level("gomoku", "perfect")
    with pytest.raises(SpecError, match="tictactoe has no level 7"):
        make_level("tictactoe", 7)
    with pytest.raises(UnknownGameError):
        make_level("chess", "easy")


def test_a_limit_of_another_type_is_refused_with_an_example():
    with pytest.raises(TypeError, match=r"a limit is written Limit\(time=2\) .* not 2"):
        make_engine("greedy").analyse(make_game("tictactoe"), 2)


def test_an_engine_lists_the_boards_it_plays():
    games = {kind.name: kind.games for kind in engine_kinds()}
    assert games["minimax"] == [family.name for family in game_families()]
    assert {"connect-four", "gomoku-9"} <= set(games["alphazero"])
    assert "gomoku" not in games["alphazero"]


def test_a_player_is_a_level_or_an_engine():
    assert make_player("connect-four", "hard").spec.text == "minimax:depth=6"
    assert make_player("connect-four", "random:seed=3").spec.text == "random:seed=3"
    with pytest.raises(SpecError, match=r"neither a level nor an engine; did you mean hard\?"):
        make_player("connect-four", "hrad")
    with pytest.raises(SpecError, match=r"'Bot\.PY' is neither a level nor an engine; levels are"):
        make_player("connect-four", "Bot.PY")
    assert make_player(make_game("connect-four"), "hard").spec.text == "minimax:depth=6"
    with pytest.raises(SpecError, match="neither"):
        make_player("connect-four", 3)
    with pytest.raises(SpecError, match="depth is a whole number"):
        make_player("connect-four", "minimax:depth=no")
    with pytest.raises(UnknownGameError):
        make_player("chess", "random")


def test_a_seed_is_for_those_who_have_none():
    assert make_level("connect-four", "easy", seed=5).spec.text == "minimax:depth=2,seed=5"
    assert make_player("connect-four", "random", seed=5).spec.text == "random:seed=5"
    assert make_player("connect-four", "random:seed=1", seed=5).spec.text == "random:seed=1"


@pytest.mark.parametrize(
    ("game", "has_one"),
    [
        ("tictactoe", True),
        ("tictactoe-4x4x4", True),
        ("tictactoe-4x5x4", False),
        ("connect-four-4x5x4", True),
        ("connect-four", True),
        ("connect-four-5x5x4", True),
        ("connect-four-5x5x3", False),
        ("connect-four-4x5x3", True),
        ("connect-four-3x7x3", False),
        ("connect-four-4x9x4", False),
        ("connect-four-3x8x4", False),
        ("connect-four-7x7x4", False),
        ("connect-four-2x10x4", False),
        ("connect-four-2x8x4", True),
        ("reversi-4", True),
        ("reversi-6", True),
        ("reversi-8", False),
        ("gomoku-9", False),
    ],
)
def test_perfect_is_offered_only_where_it_is_true(game, has_one):
    assert ("perfect" in levels_for(game)) == has_one


def every_position(env, known):
    """All positions of the game with a move to make, each with the value of its moves."""
    key = env.get_state_hash()
    if key not in known:
        values, player = {}, env.current_player
        for move in env.get_legal_moves():
            env.step(move)
            if env.is_terminal():
                values[move] = env.get_result(player)
            else:
                values[move] = -max(every_position(env, known)[1].values())
            env.undo()
        known[key] = (env.copy(), values)
    return known[key]


@pytest.fixture(scope="module")
def all_of_tictactoe():
    known = {}
    every_position(make_game("tictactoe"), known)
    return list(known.values())


def mistakes(player, positions):
    chosen = ((player.analyse(env).best_move, values) for env, values in positions)
    return sum(values[move] < max(values.values()) for move, values in chosen)


def test_perfect_tictactoe_makes_no_mistake_and_weaker_levels_make_more(all_of_tictactoe):
    assert len(all_of_tictactoe) == 4520
    some = all_of_tictactoe[::30]
    made = [
        mistakes(make_level("tictactoe", level, seed=1), some) for level in levels_for("tictactoe")
    ]
    assert made[-1] == 0
    assert made == sorted(made, reverse=True)
    assert mistakes(make_engine("random:seed=1"), some) > made[0] > made[1] > made[2] > made[-1]


@pytest.mark.parametrize(("game", "plies"), [("connect-four-4x4x4", 7), ("reversi-4", 2)])
def test_perfect_is_perfect_on_other_small_boards(game, plies):
    env = make_game(game)
    for seed in range(plies):
        env.step(make_engine(f"random:seed={seed}").analyse(env).best_move)
    known = {}
    every_position(env, known)
    sample = list(known.values())[:: max(1, len(known) // 40)]
    assert mistakes(make_level(game, "perfect"), sample) == 0


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-9", "reversi"])
def test_beginners_take_a_win_and_play_in_no_time(game):
    env = make_game(game)
    sides = {side: make_level(game, "beginner", seed=2 + side) for side in (1, -1)}
    while not env.is_terminal():
        analysis = sides[env.current_player].analyse(env)
        winning = [c.move for c in analysis.candidates if c.outcome == "win"]
        assert not winning or analysis.best_move in winning
        env.step(analysis.best_move)
