"""Levels are what they say: these engines with these options, and none plays at random."""

import pytest

from rl_toolkit.algorithms.by_game.exact import ExactEngine
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.simple import GreedyEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import GameTraits, TicTacToe, make_game, register_game
from rl_toolkit.envs import registry as game_registry
from rl_toolkit.envs.bases.board_game import RUNNING, BoardGame, Verdict
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.players import SpecError, levels_for, make_engine, make_level
from rl_toolkit.players.kinds.mixed_engine import MixedEngine

#: Written out once more, so that a level that becomes another is noticed.
GOMOKU = {
    "beginner": "greedy:slips=0.6",
    "easy": "greedy:slips=0.1",
    "medium": "gomoku:depth=1",
    "hard": "gomoku:nodes=3000",
    "expert": "gomoku:nodes=200000",
}
SPECS = {
    "tictactoe": {
        "beginner": "mix:strong=greedy:slips=1,weak=random,slips=0.4",
        "easy": "greedy:slips=0.85",
        "medium": "greedy:slips=0.3",
        "hard": "minimax:depth=18",
        "expert": "minimax:depth=18",
        "perfect": "minimax:depth=18",
    },
    "tictactoe-4x4x4": {
        "beginner": "greedy:slips=0.7",
        "easy": "greedy:slips=0.35",
        "medium": "greedy",
        "hard": "minimax:depth=4",
        "expert": "minimax:depth=6",
        "perfect": "minimax:depth=32",
    },
    "connect-four": {
        "beginner": "mix:strong=greedy:slips=1,weak=random,slips=0.4",
        "beginner+": "greedy:slips=0.9",
        "novice": "greedy:slips=0.3",
        "easy": "minimax:depth=2",
        "medium": "minimax:depth=4",
        "hard": "minimax:depth=6",
        "hard+": "mix:strong=alphazero:simulations=50,weak=minimax:depth=4,slips=0.24",
        "expert": "mix:strong=alphazero:simulations=50,weak=minimax:depth=4,slips=0.24",
        "perfect": "exact",
    },
    "connect-four-5x6x4": {
        "beginner": "greedy:slips=0.5",
        "easy": "minimax:depth=2",
        "medium": "minimax:depth=4",
        "hard": "minimax:depth=6",
        "expert": "mcts:simulations=50000",
        "perfect": "exact",
    },
    "gomoku": {
        "beginner": "mix:strong=greedy:slips=1,weak=random,slips=0.945",
        "beginner+": "mix:strong=greedy:slips=1,weak=random,slips=0.84",
        "novice": "mix:strong=greedy:slips=1,weak=random,slips=0.62",
        "novice+": "mix:strong=greedy:slips=1,weak=random,slips=0.33",
        "easy": "mix:strong=greedy:slips=1,weak=random,slips=0.05",
        "easy+": "greedy:slips=0.75",
        "medium": "greedy:slips=0.35",
        "hard": "greedy:slips=0.05",
        "hard+": "mix:strong=gomoku:depth=1,weak=greedy,slips=0.4",
        "expert": "gomoku:nodes=200000",
    },
    "gomoku-9": {
        "beginner": "mix:strong=greedy:slips=1,weak=random,slips=0.88",
        "beginner+": "mix:strong=greedy:slips=1,weak=random,slips=0.7",
        "novice": "mix:strong=greedy:slips=1,weak=random,slips=0.5",
        "novice+": "mix:strong=greedy:slips=1,weak=random,slips=0.28",
        "easy": "greedy:slips=1",
        "easy+": "greedy:slips=0.65",
        "medium": "greedy:slips=0.3",
        "medium+": "greedy",
        "hard": "gomoku:depth=1",
        "expert": "gomoku:nodes=50000",
    },
    "gomoku-19": GOMOKU,
    "gomoku-12-standard": GOMOKU,
    "gomoku-9x9x4": {
        "beginner": "greedy:slips=0.5",
        "easy": "greedy:slips=0.1",
        "medium": "minimax:depth=2,time=5",
        "hard": "minimax:depth=4,time=5",
        "expert": "minimax:time=10",
    },
    "reversi": {
        "beginner": "greedy:slips=0.7",
        "beginner+": "greedy",
        "novice": "mix:strong=reversi:depth=1,weak=greedy,slips=0.6",
        "novice+": "mix:strong=reversi:depth=1,weak=greedy",
        "easy": "reversi:depth=1",
        "medium": "reversi:depth=2",
        "medium+": "mix:strong=reversi:depth=4,weak=reversi:depth=2,slips=0.2",
        "hard": "reversi:depth=6",
        "hard+": "reversi:depth=9",
        "expert": "reversi:nodes=200000",
    },
    "reversi-6": {
        "beginner": "mix:strong=greedy:slips=1,weak=random,slips=0.75",
        "beginner+": "greedy:slips=0.8",
        "novice": "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.95",
        "easy": "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.55",
        "medium": "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.12",
        "hard": "mix:strong=reversi:depth=8,weak=reversi:depth=2,slips=0.6",
        "expert": "mix:strong=reversi:depth=8,weak=reversi:depth=2,slips=0.1",
        "perfect": "exact:every=off",
    },
}
ENGINES = {
    "greedy": GreedyEngine,
    "minimax": MinimaxSolver,
    "mcts": MCTSSolver,
    "alphazero": AlphaZeroEngine,
    "reversi": ReversiEngine,
    "gomoku": GomokuEngine,
    "exact": ExactEngine,
    "mix": MixedEngine,
}
#: So much is enough for a quick test where a level itself would think longer.
LESS = Limit(simulations=20, nodes=2000)


@pytest.mark.parametrize("game", SPECS)
def test_levels_are_these_engines(game):
    assert levels_for(game) == SPECS[game]
    assert list(levels_for(game)) == list(SPECS[game])
    for level, spec in levels_for(game).items():
        player = make_level(game, level)
        assert type(player.engine) is ENGINES[spec.partition(":")[0]]
        assert player.name == player.engine.name == spec.partition(":")[0]


@pytest.mark.parametrize(
    ("game", "level", "pairs", "least"),
    [
        ("tictactoe", "beginner", 10, 12),
        pytest.param("tictactoe", "easy", 10, 15, marks=pytest.mark.full),
        ("tictactoe", "medium", 5, 9),
        pytest.param("tictactoe", "hard", 5, 8, marks=pytest.mark.full),
        ("connect-four", "beginner", 5, 9),
        pytest.param("connect-four", "easy", 3, 6, marks=pytest.mark.full),
        ("connect-four", "expert", 3, 6),
        ("gomoku-9", "beginner", 3, 5),
        ("gomoku-9", "easy", 3, 6),
        pytest.param("gomoku-9", "medium", 3, 6, marks=pytest.mark.full),
        pytest.param("gomoku-9", "hard", 3, 6, marks=pytest.mark.full),
        ("gomoku-9", "expert", 3, 6),
        pytest.param("reversi", "easy", 8, 12, marks=pytest.mark.full),
        ("reversi", "medium", 3, 6),
        pytest.param("reversi", "hard", 3, 6, marks=pytest.mark.full),
        ("reversi", "expert", 1, 2),
        pytest.param("reversi", "expert", 3, 6, marks=pytest.mark.full),
    ],
)
def test_every_level_beats_a_random_player(game, level, pairs, least):
    """Pairs of games from fixed seeds; a random player gets fewer points from each of them.

    Reversi's beginner is left out: nine of its ten moves are slips, and it would take many games.
    """
    points = sum(play(game, level, seed, side) for seed in range(pairs) for side in (1, -1))
    assert points >= least


def play(game, level, seed, side):
    """The points of the level, which plays ``side``."""
    env, player = make_game(game), make_level(game, level, seed=seed)
    other = make_engine(f"random:seed={seed + 100}")
    limit = LESS if level == "expert" else None
    while not env.is_terminal():
        mover, limited = (player, limit) if env.current_player == side else (other, None)
        env.step(mover.analyse(env, limited).best_move)
    return (env.get_result(side) + 1) / 2


# --- games from outside -------------------------------------------------------------------------


class Race(BoardGame):
    """The first to have three pieces anywhere wins."""

    def __init__(self, board_size=3):
        super().__init__(board_size)

    def verdict(self, cell=None):
        for player in (1, -1):
            if self.piece_count(player) >= 3:
                return Verdict(player, [])
        return RUNNING


class JudgedRace(Race):
    """The same with a heuristic."""

    def evaluate_heuristic(self, player):
        return (self.piece_count(player) - self.piece_count(-player)) / 9


@pytest.fixture
def register(monkeypatch):
    """``register(class, levels)``: a game known for this test, with levels of its own if given."""
    monkeypatch.setattr(game_registry, "_FAMILIES", dict(game_registry._FAMILIES))

    def register(base, **levels):
        traits = GameTraits(name="outside", sizes=(3,), levels=levels)
        register_game(type("Outside", (base,), {"traits": traits, "__doc__": base.__doc__}))
        return "outside"

    return register


def engines(game):
    return [spec.partition(":")[0] for spec in levels_for(game).values()]


def test_a_game_from_outside_is_searched_by_its_heuristic_if_it_has_one(register):
    below = engines(register(JudgedRace))[:-1]
    assert below == ["greedy", "greedy", "minimax", "minimax", "minimax"]


def test_without_a_heuristic_its_levels_play_games_to_the_end(register):
    assert engines(register(Race))[:-1] == ["greedy", "mcts", "mcts", "mcts", "mcts"]


def test_a_game_may_bring_levels_of_its_own(register):
    game = register(TicTacToe, easy="random", perfect="minimax:depth=9")
    assert levels_for(game) == {"easy": "random", "perfect": "minimax:depth=9"}
    assert make_level(game, "easy", seed=1).spec.text == "random:seed=1"


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ({"godlike": "random"}, "'godlike' is not a level; levels are beginner, beginner"),
        ({"easy": "randm"}, "level easy: there is no engine 'randm'"),
        ({"easy": "minimax:depth=0"}, "level easy: depth is a whole number"),
    ],
)
def test_levels_that_cannot_be_played_are_refused_when_asked_for(register, levels, sentence):
    game = register(TicTacToe, **levels)
    with pytest.raises(SpecError, match=sentence):
        levels_for(game)
