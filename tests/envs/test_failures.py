"""Mistakes in the code of a game: a sentence with method, file and line, and nobody's loss."""

import pickle
import sys
from pathlib import Path

import pytest

from rl_toolkit.algorithms.simple import FirstMoveEngine, GreedyEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.play_game import EngineFailedError, checked_answer, play_on
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs import paired_game
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.envs import (
    AdaptationError,
    GameError,
    GameFailedError,
    TicTacToe,
    adapt_game,
    game_failure,
    load_game,
    naming_failures,
    registry,
)
from rl_toolkit.utils import plugins

GAMES = '''
from rl_toolkit.envs import BaseGameEnv, BoardGame, DRAWN, RUNNING, TicTacToe, Verdict


class Handout(BaseGameEnv):
    """Breaks with the {when}th piece."""

    def __init__(self):
        super().__init__(3)

    def get_legal_actions(self):
        return [k for k in range(9) if self.board[k] == 0]

    def step(self, action):
        self.board[action] = self.current_player
        self.current_player *= -1
        self.look()

    def look(self):
        if (self.board != 0).sum() == {when}:
            {what}


class OnBoard(BoardGame):
    """Forgets to return."""

    def __init__(self):
        super().__init__(3)

    def verdict(self, cell=None):
        if (self.board != 0).sum() != {when}:
            return RUNNING if (self.board == 0).any() else DRAWN
'''
LINE = next(k for k, line in enumerate(GAMES.splitlines(), 1) if "{what}" in line)


@pytest.fixture
def games(tmp_path, monkeypatch):
    """Writes the file of games, and returns the names of those in it."""
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    monkeypatch.setattr(plugins, "_loaded", {})
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write(what='{}["x"]', when=4):
        file = tmp_path / "failing_games.py"
        sys.modules.pop("failing_games", None)
        file.write_text(GAMES.replace("{what}", what).replace("{when}", str(when)))
        return file

    yield write
    sys.modules.pop("failing_games", None)


def on(file, name):
    return registry.make_game(load_game(f"{file}:{name}"))


def raised(env, moves=(0, 1, 2, 3)):
    *before, last = moves
    for move in before:
        env.step(move)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever the game raises
        env.step(last)
    return caught.value


def test_the_sentence_names_method_file_and_line(games):
    env = on(games(), "Handout")
    failed = game_failure(raised(env))
    assert str(failed) == f"Handout.step raised KeyError: 'x' (failing_games.py, line {LINE})"
    assert str(pickle.loads(pickle.dumps(failed))) == str(failed)
    assert game_failure(failed) is failed
    assert env.board.tolist() == [1, -1, 1, 0, 0, 0, 0, 0, 0]  # as before the move
    assert (env.history, env.current_player) == ([0, 1, 2], -1)


def test_a_verdict_that_is_forgotten(games):
    failed = game_failure(raised(on(games(), "OnBoard")))
    assert str(failed) == (
        "OnBoard raised TypeError: verdict returned None; return RUNNING, DRAWN or a Verdict "
        "(failing_games.py)"
    )
    env = on(games(when=0), "OnBoard")
    with pytest.raises(TypeError, match="verdict returned None; return RUNNING"):
        env.is_terminal()


def test_what_is_not_the_mistake_of_a_game(games):
    assert game_failure(raised(TicTacToe(), (0, 0))) is None  # ours
    assert game_failure(raised(on(games(), "Handout"), (0, 0))) is None  # a refusal
    assert game_failure(KeyError("x")) is None  # nobody's
    with pytest.raises(KeyError), naming_failures():
        raise KeyError("x")


def test_a_refusal_of_a_legal_move_is_a_mistake_where_the_toolkit_plays(games):
    env = on(games('raise ValueError("no")'), "Handout")
    error = raised(env)
    assert game_failure(error) is None
    assert game_failure(error, refusals=True) is None  # this test has called it
    with pytest.raises(GameFailedError, match=r"Handout\.step raised ValueError: no \(failing"):
        play_on(env, {1: GreedyEngine(seed=1), -1: GreedyEngine(seed=1)})


class Wrong:
    """An engine whose own code is wrong, or whose move is."""

    name, limit = "wrong", Limit()

    def __init__(self, move=None):
        self.move = move

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        if self.move is None:
            raise KeyError("mine")
        env.step(self.move)


class FailsLate(TicTacToe):
    """Moves, and then raises an error with the third piece."""

    def step(self, move):
        super().step(move)
        if self.move_count == 3:
            raise ValueError("broken")


class RefusesLate(TicTacToe):
    """Puts the piece on the board before it looks whether the move is legal."""

    def step(self, move):
        was_free = self.board[move] == 0
        self.board[move] = self.current_player
        if not was_free:
            raise ValueError("taken")
        self.board[move] = 0
        super().step(move)


def test_a_game_that_fails_after_its_move_is_nobodys_loss():
    env = FailsLate()
    with pytest.raises(GameFailedError, match=r"FailsLate\.step raised ValueError: broken \("):
        play_on(env, {1: FirstMoveEngine(), -1: FirstMoveEngine()})
    assert env.history == [0, 1]


def test_a_game_that_refuses_after_its_move_shows_the_position_before_it():
    env = RefusesLate()
    first = FirstMoveEngine()
    with pytest.raises(EngineFailedError) as caught:
        play_on(env, {1: first, -1: first}, choose=lambda _: 0)
    assert (caught.value.player, caught.value.position) == (-1, "x2/3/3 o")
    assert caught.value.reason == "played 0: taken"
    assert (env.history, env.board[0]) == ([0], 1)


def test_engines_answer_for_their_own_mistakes_alone(games):
    env = on(games(when=2), "Handout")
    env.step(0)
    with pytest.raises(EngineFailedError, match="wrong raised KeyError: 'mine'"):
        checked_answer(Wrong(), env)
    with pytest.raises(EngineFailedError, match="wrong raised IllegalMoveError: a1 is not a legal"):
        checked_answer(Wrong(0), env)
    with pytest.raises(GameFailedError, match=r"Handout\.step raised KeyError: 'x' \(failing_game"):
        checked_answer(Wrong(1), env)
    assert env.history == [0]


def test_a_match_stops_and_keeps_its_games(games, monkeypatch):
    played = []
    name = load_game(f"{games()}:Handout")
    look = type(registry.make_game(name)).look
    monkeypatch.setattr(
        type(registry.make_game(name)),
        "look",
        lambda self: look(self) if len(played) == 2 else None,
    )
    match = Match(name, ("random", "random"), 4, 1, seed=0)
    with pytest.raises(GameFailedError, match="raised KeyError: 'x'"):
        play_match(match, on_pair=lambda result: played.append(len(result.games)))
    assert played == [2, 4]


def test_the_opening_of_a_game_in_a_worker_process(games):
    """Workers send only the error, without its traceback."""
    match = Match(load_game(f"{games()}:Handout"), ("first", "first"), 1, 4)
    task = (match, 0, Opening((0, 1, 2, 3)), 0)
    with pytest.raises(GameFailedError, match=r"Handout\.step raised KeyError"):
        paired_game.play_paired_game(task)


def test_commands_say_the_sentence(games, run):
    sentence = f"Handout.step raised KeyError: 'x' (failing_games.py, line {LINE})"
    game = f"{games()}:Handout"
    shown = run("match", game, "random", "random", "--games", "2", "--openings", "start")
    assert (shown.code, f"Error: {sentence}." in shown.err) == (1, True)
    shown = run("play", game, "--x", "human", "--o", "human", stdin="a1\nb1\nc1\na2\n")
    assert (shown.code, f"Error: {sentence}." in shown.err) == (1, True)
    shown = run("analyse", game, "a1 b1 c1", "--engine", "greedy")
    assert (shown.code, f"Error: {sentence}." in shown.err) == (1, True)
    assert "Traceback" not in shown.err


def test_the_page_says_the_sentence(games):
    from rl_toolkit.web import create_app

    name = load_game(f"{games()}:Handout")
    client = create_app().test_client()
    answer = client.post(
        "/api/ai-move", json={"game": name, "moves": [0, 1, 2], "engine": "greedy"}
    )
    assert (answer.status_code, answer.json["error"]) == (
        502,
        f"Handout.step raised KeyError: 'x' (failing_games.py, line {LINE})",
    )


def test_classes_that_cannot_be_adapted_are_told_with_their_line():
    class Plain:
        def __init__(self):
            self.board = [0] * 9
            self.current_player, self.winner = 1, None

        def get_legal_moves(self):
            return [k for k in range(9) if self.board[k] == 0]

        def step(self, move):
            raise KeyError("here")

    here = f"({Path(__file__).name}, line {Plain.step.__code__.co_firstlineno + 1})"
    with pytest.raises(AdaptationError) as caught:
        adapt_game(Plain)
    assert f"step(0) raised KeyError: 'here' {here}." in str(caught.value)

    class Later(Plain):
        armed = False

        def step(self, move):
            if self.armed:
                super().step(move)
            self.board[move] = self.current_player
            self.current_player *= -1
            self.winner = self.board[4] or None

    env = adapt_game(Later)()
    Later.armed = True
    with pytest.raises(GameFailedError) as caught:
        env.step(0)
    assert str(caught.value) == f"Later.step(0) raised KeyError: 'here' {here}"
    assert isinstance(caught.value, GameError)
