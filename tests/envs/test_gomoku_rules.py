"""Which rows of stones win is one value: a third rule of Gomoku needs nothing but this module."""

import ast
import random
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.envs import Gomoku, InvalidPositionError, make_game
from rl_toolkit.explain import explain_move
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD, LineRule
from rl_toolkit.players import make_engine, make_player
from rl_toolkit.records import GameRecord, read_games, read_position, write_games

SIX = LineRule("six", "six or more", 6, least=1)
FIVE_OR_SIX = LineRule("narrow", "five or six", 7, most=1)  # no compiled rules know it
OWN = (SIX, FIVE_OR_SIX)
GIVEN = ("FREESTYLE", "STANDARD")
QUESTIONS = ("env.win_rule.wins", "rule.most", "Gomoku.rules", "rule == STANDARD", "{FREESTYLE: 1}")


@pytest.fixture(autouse=True)
def _own_rules(monkeypatch):
    monkeypatch.setattr(Gomoku, "rules", Gomoku.rules | {rule.name: rule for rule in OWN})


@pytest.mark.parametrize(
    ("rule", "lengths"),
    [(FREESTYLE, {5, 6, 7, 8}), (STANDARD, {5}), (SIX, {6, 7, 8}), (FIVE_OR_SIX, {5, 6})],
    ids=lambda value: getattr(value, "name", ""),
)
def test_rows_of_these_lengths_win(rule, lengths):
    for stones in range(4, 9):
        board = [0] * 121
        board[:stones] = [1] * stones
        board[3] = 0
        env = Gomoku(11, rule=rule.name)
        for k in range(stones - 1):
            board[121 - 2 - 2 * k] = -1
        env.set_position(board, 1)
        assert (3 in env.winning_moves(1)) == (stones in lengths), stones
        env.step(3)
        assert (env.winner == 1) == (stones in lengths), stones
        assert env.can_still_win(1)


def winner_by_rows(board, size, cell, least, most):
    """The owner of a row through ``cell`` with ``least`` to ``most`` stones, counted by hand."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        stones = 1
        for sign in (1, -1):
            row, col = divmod(cell, size)
            row, col = row + sign * down, col + sign * right
            while 0 <= row < size and 0 <= col < size and board[row * size + col] == board[cell]:
                stones, row, col = stones + 1, row + sign * down, col + sign * right
        if least <= stones <= most:
            return board[cell]
    return None


@pytest.mark.parametrize(("rule", "least", "most"), [(SIX, 6, 99), (FIVE_OR_SIX, 5, 6)])
def test_random_games_end_where_a_count_by_hand_says(rule, least, most):
    chance, wins = random.Random(rule.name), 0
    for _ in range(30):
        env = Gomoku(8, rule=rule.name)
        while not env.is_terminal():
            # Each side prefers columns of its own, so that long rows come about.
            mine = [m for m in env.get_legal_moves() if m % 2 == (env.current_player == 1)]
            move = chance.choice(mine or env.get_legal_moves())
            env.step(move)
            expected = winner_by_rows(env.board.tolist(), 8, move, least, most)
            assert env.winner == (0 if expected is None and env.is_terminal() else expected)
        wins += env.winner != 0
    assert wins > 5


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.name)
def test_it_is_played_analysed_explained_saved_and_read(rule, tmp_path):
    env = make_game(f"gomoku-9-{rule.name}")
    assert (env.name, env.rule) == (f"gomoku-9-{rule.name}", rule.name)
    for engine in ("minimax:depth=1", "mcts:simulations=20,seed=1", "random:seed=1", "greedy"):
        analysis = make_engine(engine).analyse(env)
        assert len(analysis.candidates) == len(env.get_legal_moves())
        assert explain_move(env, analysis.best)
        env.step(analysis.best.move)
    make_player(env.name, "easy").analyse(env)
    record = GameRecord.from_env(env)
    for ending in ("json", "sgf", "psq"):
        write_games(tmp_path / f"game.{ending}", [record])
        (read,) = read_games(tmp_path / f"game.{ending}")
        assert (read.game, read.moves) == (env.name, record.moves)
    assert read_position(env.name, "e5 e6").rule == rule.name


def test_the_engine_for_five_in_a_row_leaves_it_to_others():
    with pytest.raises(ValueError, match="does not play gomoku-9-six"):
        make_engine("gomoku").analyse(make_game("gomoku-9-six"))


def test_compiled_rules_are_those_of_the_rule():
    assert Gomoku(9, rule="six").kernel_spec() == Gomoku(9, 6).kernel_spec()
    assert Gomoku(9, rule="narrow").kernel_spec() is None


def test_a_rule_that_is_not_there():
    for rule in ("renju", None, ["standard"]):
        with pytest.raises(InvalidPositionError, match="rule is 'freestyle' or 'standard' or"):
            Gomoku(9, rule=rule)


def asks(node):
    """Whether this piece of code asks which rows win, which rules there are, or which one it is."""
    if isinstance(node, ast.Attribute):
        owner = (
            node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        )
        which_win = node.attr in ("wins", "least", "most", "compiled")
        return (which_win and owner in ("rule", "win_rule")) or (owner, node.attr) == (
            "Gomoku",
            "rules",
        )
    compared = node.keys if isinstance(node, ast.Dict) else ()
    if isinstance(node, ast.Compare):
        compared = (node.left, *node.comparators)
    return any(isinstance(part, ast.Name) and part.id in GIVEN for part in compared)


def test_few_files_ask_a_rule():
    assert all(asks(ast.parse(text, mode="eval").body) for text in QUESTIONS)
    assert not any(asks(ast.parse(text, mode="eval").body) for text in ("env.rule", "line.wins(3)"))
    package = Path(rl_toolkit.__file__).parent
    asking = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if path.name != "spec.py"
        and any(word in (text := path.read_text("utf-8")) for word in ("rule", *GIVEN))
        and any(map(asks, ast.walk(ast.parse(text))))
    ]
    assert len(asking) <= 8, asking
    assert "envs/gomoku.py" in asking
