"""Every claim about a move is true: checked against exhaustive solving."""

import re

import numpy as np
import pytest
from explain_positions import SMALL_GAMES, Solver, random_positions

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import GreedyEngine, RandomEngine
from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain import explain, explain_move, verdict_of
from rl_toolkit.explain.verdicts import Estimate, Proven, Unknown
from rl_toolkit.records import position_from_text
from rl_toolkit.testing.scene import view

SOLVERS = {name: Solver() for name in SMALL_GAMES}
TO_THE_END = Limit(depth=40)
ENGINES = {
    "greedy": (GreedyEngine(), None),
    "strong": (MinimaxSolver.strong(compiled=False), TO_THE_END),
    "shallow": (MinimaxSolver.strong(compiled=False), Limit(depth=3)),
    "mcts": (MCTSSolver(seed=1, compiled=False), Limit(simulations=150)),
    "textbook": (MinimaxSolver(compiled=False), TO_THE_END),
}
MOVER, OTHER = r"(?P<mover>\w+)", r"(?P<other>\w+)"
CLAIMS = {
    r"and wins\b": lambda value, plies, n: value == 1 and plies == 1,
    r"ends the game and draws": lambda value, plies, n: value == 0 and plies == 1,
    r"ends the game and loses": lambda value, plies, n: value == -1 and plies == 1,
    rf"lets {OTHER} win": lambda value, plies, n: value == -1 and plies == 2,
    r"a draw with best play": lambda value, plies, n: value == 0,
    rf"{MOVER} wins in (?P<n>\d+) moves?": lambda value, plies, n: (
        value == 1 and (plies + 1) // 2 == n
    ),
    rf"{OTHER} wins in (?P<n>\d+) moves?": lambda value, plies, n: value == -1 and plies // 2 == n,
    rf"{MOVER} wins(?! in| by)": lambda value, plies, n: value == 1,
    rf"{OTHER} wins(?! in| by)": lambda value, plies, n: value == -1,
}


def claims_of(env, sentence):
    """What a sentence claims: pairs of a match, its number, and whether it must hold."""
    sides = {"mover": env.current_player, "other": -env.current_player}
    for words, holds in CLAIMS.items():
        found = re.search(words, sentence.lower())
        if found is None:
            continue
        named = found.groupdict()
        number = named.pop("n", None)
        if all(env.traits.pieces[sides[who] < 0].lower() == name for who, name in named.items()):
            yield found, holds, None if number is None else int(number)


@pytest.mark.parametrize("count", [5, pytest.param(25, marks=pytest.mark.full)])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_whatever_is_said_of_the_outcome_is_true(name, engine, count):
    solver, (thinker, limit) = SOLVERS[name], ENGINES[engine]
    proofs = 0
    for env in random_positions(name, count, least=SMALL_GAMES[name]):
        for candidate in explain(env, thinker.analyse(env, limit)).candidates:
            value, plies = solver.of_move(env, candidate.move)
            claims = list(claims_of(env, candidate.note))
            for found, holds, number in claims:
                assert holds(value, plies, number), (env.board_2d, candidate, found, value, plies)
            proofs += len(claims)
            # A sentence that claims nothing must say that it does not know.
            assert bool(claims) != bool(
                re.search(r"≈|ot searched|ndecided|isited once", candidate.note)
            )
            check_line(solver, env, verdict_of(env, candidate), (value, plies))
    assert proofs > (count if limit == TO_THE_END else 0)


def check_line(solver, env, verdict, answer):
    """A line shown keeps the outcome claimed at every step, and ends when it says it ends."""
    if not isinstance(verdict, Proven):
        return
    game, player = env.copy(), env.current_player
    for move in verdict.line:
        value, _ = solver.of_move(game, move)
        assert value * game.current_player * player == answer[0]
        game.step(move)
    assert verdict.ends == game.is_terminal()
    if verdict.ends and verdict.moves is not None:
        assert len(verdict.line) == answer[1]


def test_sentences_are_the_same_every_time_and_leave_the_game_alone():
    for name in SMALL_GAMES:
        for env in random_positions(name, 5):
            before = view(env)
            notes = [
                [c.note for c in explain(env, GreedyEngine().analyse(env)).candidates]
                for _ in range(2)
            ]
            assert notes[0] == notes[1]
            assert view(env) == before


def test_explain_changes_nothing_but_the_notes():
    env = position_from_text("tictactoe", "x1o/1x1/2o x")
    analysis = MinimaxSolver.strong().analyse(env, Limit(depth=9))
    explained = explain(env, analysis)
    assert all(candidate.note for candidate in explained.candidates)
    assert [explain_move(env, c) for c in analysis.candidates] == [
        c.note for c in explained.candidates
    ]
    plain = explained.to_dict()
    for entry in plain["candidates"]:
        entry["note"] = None
    assert plain == analysis.to_dict()


def test_an_analysis_of_another_position_is_refused():
    env = make_game("tictactoe")
    analysis = RandomEngine(1).analyse(env)
    env.step(4)
    with pytest.raises(ValueError, match="another position"):
        explain(env, analysis)
    with pytest.raises(ValueError, match="b2 is taken"):
        explain_move(env, Candidate(4, "b2", 0.0))


def test_a_finished_game_has_nothing_to_explain():
    env = position_from_text("tictactoe", "xxx/oo1/3 x")
    analysis = GreedyEngine().analyse(env)
    assert explain(env, analysis) == analysis
    assert isinstance(analysis, Analysis)
    assert analysis.candidates == ()


@pytest.mark.parametrize(
    ("game", "position", "candidate", "sentence"),
    [
        (
            "tictactoe",
            "xx1/oo1/3 x",
            Candidate(2, "c1", 0.0),
            "Completes a1, b1 and c1 and wins.",
        ),
        (
            "tictactoe",
            "xx1/1o1/3 o",
            Candidate(2, "c1", 0.0, "draw", True),
            "Blocks X's win at c1 and threatens to win at a3; a draw with best play.",
        ),
        (
            "tictactoe",
            "x2/1o1/2x o",
            Candidate(2, "c1", -1.0, "loss", True, 4, line=(2, 6, 3, 7)),
            "Threatens to win at a3; X wins in 2 moves (c1 a3 a2 b3).",
        ),
        (
            "tictactoe",
            "x1o/3/o2 x",
            Candidate(1, "b1", 0.31, visits=40),
            "Lets O win at b2.",
        ),
        (
            "tictactoe",
            "3/3/3 x",
            Candidate(4, "b2", 0.31, visits=40),
            "Slightly better (X ≈ 66 ± 15 %).",
        ),
        (
            "tictactoe",
            "3/3/3 x",
            Candidate(4, "b2"),
            "Not searched.",
        ),
        (
            "tictactoe",
            "3/3/3 x",
            Candidate(4, "b2", line=(4, 0)),
            "Undecided as far as it was searched.",
        ),
        (
            "tictactoe",
            "xx1/1o1/3 o",
            Candidate(2, "c1"),
            "Blocks X's win at c1 and threatens to win at a3; not searched further.",
        ),
        (
            "connect-four",
            "7/7/7/7/3o3/2xx2o x",
            Candidate(4, "e", 1.0, "win", True, 3, line=(4, 5, 1)),
            "Threatens to win in two places: b1 and f1; Red wins in 2 moves (e f b).",
        ),
    ],
)
def test_sentences_by_example(game, position, candidate, sentence):
    assert explain_move(position_from_text(game, position), candidate) == sentence


@pytest.mark.parametrize(
    "line",
    [
        (8, 0),  # begins with another move
        (4, 4),  # is not legal
        (4, 0, 1, 2, 5, 3),  # is longer than the proof says
        (4, 2, 0, 1),  # still running
    ],
)
def test_a_line_is_shown_only_as_far_as_it_can_be_trusted(line):
    env = make_game("tictactoe")
    claimed = Candidate(4, "b2", 1.0, "win", True, 5, line=line)
    verdict = verdict_of(env, claimed)
    assert verdict == Proven("win", 3, line if line == (4, 2, 0, 1) else (), False)


def test_a_line_that_ends_in_another_outcome_is_not_shown():
    env = make_game("tictactoe")
    to_a_win = (0, 3, 1, 4, 2)
    assert verdict_of(env, Candidate(0, "a1", 1.0, "win", True, line=to_a_win)) == Proven(
        "win", None, to_a_win, True
    )
    assert verdict_of(env, Candidate(0, "a1", 0.0, "draw", True, line=to_a_win)).line == ()


def test_an_outcome_that_is_not_proven_is_an_estimate():
    env = make_game("tictactoe")
    assert verdict_of(env, Candidate(4, "b2", 1.0, "win", False, 5)) == Estimate(1.0)
    assert verdict_of(env, Candidate(4, "b2", 0.0, visits=3)) == Estimate(0.0)
    assert verdict_of(env, Candidate(4, "b2", 0.0)) == Estimate(0.0)
    assert verdict_of(env, Candidate(4, "b2")) == Unknown()
    sentence = explain_move(env, Candidate(4, "b2", 1.0, "win", False, 5, line=(4, 0)))
    assert sentence == "Probably winning (X ≈ 99 %)."
    sentence = explain_move(env, Candidate(4, "b2", -0.004))
    assert sentence == "About even (X ≈ 50 %)."


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.95, "Probably winning (X ≈ 98 %)."),
        (0.46, "Clearly better (X ≈ 73 %)."),
        (0.34, "Slightly better (X ≈ 67 %)."),
        (-0.05, "About even (X ≈ 48 %)."),
        (-0.34, "Slightly worse (X ≈ 33 %)."),
        (-0.46, "Clearly worse (X ≈ 27 %)."),
        (-0.95, "Probably losing (X ≈ 3 %)."),
    ],
)
def test_the_words_for_an_estimate(value, words):
    assert explain_move(make_game("tictactoe"), Candidate(4, "b2", value)) == words


def test_a_move_that_search_never_visited_has_only_a_prior():
    env = make_game("tictactoe")
    untried = Candidate(4, "b2", visits=0, prior=0.96)
    assert verdict_of(env, untried) == Unknown(0.96)
    assert explain_move(env, untried) == "Not searched (prior 96.0 %)."
    tried = Candidate(4, "b2", -0.7, visits=1, prior=0.96)
    assert verdict_of(env, tried) == Estimate(-0.7)


# --- games of eight methods ----------------------------------------------------------------------


class Sticks(BaseGameEnv):
    """Take one to three sticks (moves 0 to 2); taking the last one wins. No lines, no squares."""

    def __init__(self):
        super().__init__((1, 7))

    def reset(self, first_player=1):
        self.board = np.ones(7)
        self.current_player, self.winner, self.done = first_player, None, False
        return self.board.copy()

    def step(self, move):
        if move not in self.get_legal_moves():
            raise ValueError(f"there are fewer than {move + 1} sticks")
        left = int(self.board.sum()) - move - 1
        self.board = [1] * left + [0] * (7 - left)
        self.done = left == 0
        if self.done:
            self.winner = self.current_player
        else:
            self.current_player = -self.current_player
        info = {"winner": self.winner, "winning_line": None, "move_count": 0, "last_move": None}
        return self.board.copy(), float(self.winner or 0), self.done, info

    def get_legal_moves(self):
        return [] if self.done else list(range(min(3, int(self.board.sum()))))

    def is_terminal(self):
        return self.done

    def check_win(self, player):
        return self.winner == player

    def get_result(self, player):
        return float(self.winner * player)

    def copy(self):
        twin = Sticks()
        twin.board, twin.current_player = self.board, self.current_player
        twin.winner, twin.done = self.winner, self.done
        return twin

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player


class Corner(Sticks):
    """The same game, in which the last stick is said to be a line: a win with a line, no square."""

    def copy(self):
        twin = Corner()
        twin.board, twin.current_player = self.board, self.current_player
        twin.winner, twin.done = self.winner, self.done
        return twin

    def step(self, move):
        board, reward, done, info = super().step(move)
        return board, reward, done, info | {"winning_line": [0, 1] if done else None}


@pytest.mark.parametrize("game", [Sticks, Corner])
def test_a_game_of_eight_methods_is_explained_too(game):
    solver, env = Solver(), game()
    env.reset()
    while not env.is_terminal():
        for thinker in (GreedyEngine(), RandomEngine(3), MinimaxSolver.strong()):
            for candidate in explain(env, thinker.analyse(env)).candidates:
                value, plies = solver.of_move(env, candidate.move)
                said = candidate.note.lower()
                assert said.endswith(".")
                assert (re.search("lets [xo] win", said) is not None) == ((value, plies) == (-1, 2))
                assert ("and wins" in said) == ((value, plies) == (1, 1))
        env.step(0)


def test_wins_without_a_square_are_named_by_their_moves():
    env = Sticks()
    env.reset()
    env.step(2)  # four sticks are left
    assert explain_move(env, Candidate(0, "a1", 0.0)) == "Lets X win with c1."
