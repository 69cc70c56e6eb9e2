"""Games of OpenSpiel as games of ours: names, laws, engines, matches, the command line."""

import json
import random

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from open_spiel.python.algorithms import minimax  # noqa: E402

from rl_toolkit.adapters.openspiel import OpenSpielGame, playable_games  # noqa: E402
from rl_toolkit.algorithms.minimax import MinimaxSolver  # noqa: E402
from rl_toolkit.analysis import Limit  # noqa: E402
from rl_toolkit.arena.matches import Match, play_match  # noqa: E402
from rl_toolkit.envs import UnknownGameError, make_game, registry  # noqa: E402
from rl_toolkit.explain import explain  # noqa: E402
from rl_toolkit.players import levels_for, make_engine, make_player  # noqa: E402
from rl_toolkit.records import GameRecord, from_transcript, position_to_text  # noqa: E402
from rl_toolkit.testing import check_game  # noqa: E402
from rl_toolkit.utils.executors import LocalProcesses  # noqa: E402
from rl_toolkit.utils.installation import install_command  # noqa: E402

HEX = "openspiel:hex(board_size=3)"


@pytest.mark.parametrize(
    "game", ["hex(board_size=3)", "tic_tac_toe", "misere(game=tic_tac_toe())", "dots_and_boxes"]
)
def test_they_keep_the_laws(game):
    check_game(lambda: make_game(f"openspiel:{game}"), games=2)


@pytest.mark.full
@pytest.mark.parametrize("game", playable_games())
def test_all_of_them_keep_the_laws(game):
    game = {"go": "go(board_size=5)"}.get(game, game)  # 19 × 19 takes long
    check_game(lambda: make_game(f"openspiel:{game}"), games=1)


def test_every_playable_game_begins():
    names = playable_games()
    assert {"hex", "chess", "go", "othello", "mancala", "amazons"} <= set(names)
    assert not {"kuhn_poker", "backgammon", "goofspiel", "efg_game"} & set(names)
    rng = random.Random(1)
    for name in names:
        env = make_game(f"openspiel:{name}")
        for _ in range(3):
            move = rng.choice(env.get_legal_moves())
            assert env.parse_move(env.move_name(move)) == move
            env.step(move)
        assert len(env.history_names()) == 3
        assert make_game(env.name).name == env.name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hexx", "OpenSpiel has no game 'hexx'; did you mean hex?"),
        ("hex(size=3)", "hex has no parameter 'size'; it has board_size"),
        ("hex(board_size=abc)", "board_size must be a whole number from 0 to 1000, not 'abc'"),
        ("hex(board_size=-3)", "board_size must be a whole number"),
        ("hex(board_size=2000)", "board_size must be a whole number from 0 to 1000"),
        ("hex(board_size=900)", "a game has 1 to 100,000 different moves"),
        ("hex(board_size=0)", "a game has 1 to 100,000 different moves"),
        ("hex(", "such as hex or hex"),
        ("", "such as hex or hex"),
        ("go(komi=much)", "komi must be a number"),
        ("hex(swap=perhaps)", "swap must be true or false"),
        ("kuhn_poker", "it has chance moves"),
        ("goofspiel", "its players move at the same time"),
        ("phantom_ttt", "it hides information"),
        ("efg_game(filename=/etc/passwd)", "efg_game reads a file"),
        ("misere(game=efg_game(filename=x))", "efg_game reads a file"),
        ("misere(game=kuhn_poker())", "only two-player games"),
    ],
)
def test_wrong_names_get_a_sentence(name, sentence, capfd):
    with pytest.raises(UnknownGameError) as refused:
        make_game(f"openspiel:{name}")
    assert sentence in str(refused.value)
    assert capfd.readouterr().err == ""  # the library itself was not asked


def test_names_with_a_prefix_can_be_limited():
    with registry.only_these_prefixed([HEX]):
        assert make_game(HEX).name == HEX
        assert make_game("tictactoe").name == "tictactoe"
        with pytest.raises(UnknownGameError, match="there is no game 'openspiel:chess' here"):
            make_game("openspiel:chess")
    assert make_game("openspiel:chess").traits.pieces == ("White", "Black")


def test_another_library_can_have_a_prefix(monkeypatch):
    monkeypatch.setattr(registry, "_PREFIXES", dict(registry._PREFIXES))
    registry.register_prefix("spiel", "rl_toolkit.adapters.openspiel.game")
    assert make_game("spiel:hex(board_size=3)").name == HEX


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    with pytest.raises(UnknownGameError) as refused:
        make_game("openspiel:hex")
    assert f"this needs OpenSpiel: {install_command('openspiel')}" in str(refused.value)


def test_text_names_and_records():
    env = from_transcript(HEX, "b2 a1 #2 a2")
    assert env.render(mode="ansi").split() == ["o", ".", "x", "o", "x", ".", ".", ".", "."]
    assert env.history_names() == ["b2", "a1", "c1", "a2"]
    assert position_to_text(env) == "b2 a1 c1 a2"
    assert GameRecord.from_json(GameRecord.from_env(env).to_json()).replay() == env
    assert OpenSpielGame("chess").parse_move("Nf3") != OpenSpielGame("chess").parse_move("f3")
    chess = from_transcript("openspiel:chess", "1. e4 e5 2. Nf3")
    assert chess.history_names() == ["e4", "e5", "Nf3"]


def positions(game, games, seed):
    """Positions of random games: the env, and the same state of OpenSpiel."""
    rng = random.Random(seed)
    for _ in range(games):
        env, state = make_game(f"openspiel:{game}"), pyspiel.load_game(game).new_initial_state()
        while not state.is_terminal():
            yield env, state
            move = rng.choice(state.legal_actions())
            env.step(move)
            state.apply_action(move)
        yield env, state


def test_minimax_agrees_with_its_own_minimax():
    """Ours on their rules, ours on our rules and theirs find the same value of every move."""
    game = pyspiel.load_game("tic_tac_toe")
    compared = 0
    for env, state in positions("tic_tac_toe", games=6, seed=3):
        if state.is_terminal() or state.move_number() < 2:
            continue
        ours = make_game("tictactoe")
        for move in state.history():
            ours.step(move)
        found = MinimaxSolver().get_candidate_evaluations(env)
        assert {m: e["value"] for m, e in found.items()} == {
            m: e["value"] for m, e in MinimaxSolver().get_candidate_evaluations(ours).items()
        }
        for move, evaluation in found.items():
            child = state.child(move)
            value = (
                child.player_return(0)
                if child.is_terminal()
                else minimax.alpha_beta_search(game, state=child, maximizing_player_id=0)[0]
            )
            assert evaluation["value"] == value, (state.history(), move)
            compared += 1
    assert compared > 100


def test_white_begins_in_chess():
    env = from_transcript("openspiel:chess", "f3 e5 g4")
    assert env.current_player == -1
    env.step("Qh4#")
    assert env.winner == -1
    assert env.get_result(-1) == env.state.player_return(0) == 1  # black is OpenSpiel's player 0


def test_results_are_those_of_the_library():
    for game in ("dots_and_boxes", "mancala", "nim"):  # with turns in a row, large scores, misère
        for env, state in positions(game, games=4, seed=5):
            assert env.get_legal_moves() == state.legal_actions()
            assert env.is_terminal() == state.is_terminal()
            if state.is_terminal():
                returns = state.returns()
                assert [env.get_result(1), env.get_result(-1)] == [np.sign(r) for r in returns]
            else:
                assert env.current_player == (1, -1)[state.current_player()]


def test_engines_play_hex():
    env = from_transcript(HEX, "b2 a1 c1 a2")
    for engine in ("minimax", "mcts:simulations=2000,seed=1", "greedy"):
        analysis = make_engine(engine).analyse(env, Limit(depth=9))
        assert env.move_name(analysis.best_move) in ("a3", "b3"), engine
    note = explain(env, make_engine("minimax").analyse(env, Limit(depth=9))).best.note
    assert note == "Ends the game and wins."
    assert make_engine("minimax").analyse(make_game(HEX), Limit(depth=9)).outcome == "win"
    assert list(levels_for(HEX)) == ["beginner", "easy", "medium", "hard", "expert"]
    assert make_player(HEX, "hard", seed=1).analyse(make_game(HEX)).best_move == 4  # the centre


def test_a_match():
    result = play_match(
        Match(HEX, ("mcts:simulations=200", "random"), pairs=2, random_plies=0, seed=2)
    )
    assert len(result.games) == 4
    assert result.count(1) >= 3


@pytest.mark.full
def test_workers_know_it():
    match = Match("openspiel:tic_tac_toe", ("random:seed=1", "greedy"), pairs=1, seed=2)
    assert len(play_match(match, executor=LocalProcesses(1)).games) == 2


def test_the_command_line(run):
    played = run("play", HEX, "--x", "human", "--o", "random", stdin="b2\nresign\n")
    assert played.code == 0, played.err
    assert " . x .\n" in played.out  # the library's own text
    assert "Moves: a1 b1 c1 a2 b2 c2 a3 b3 c3" in played.out
    assert "X to move (a name such as a1)" in played.out
    assert "Moves: 1. b2 " in played.out
    analysed = run("analyse", HEX, "b2 a1 c1 a2", "--engine", "minimax", "--json")
    assert json.loads(analysed.out)["best"] in (6, 7), analysed.err
    matched = run("match", HEX, "random", "greedy", "--games", "2", "--json")
    assert matched.code == 0, matched.err
    refused = run("play", "openspiel:kuhn_poker")
    assert refused.code == 2
    assert "it has chance moves" in refused.err
