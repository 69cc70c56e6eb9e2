"""The levels of each game as data: level → engine spec, weakest first.

Six games have a *ladder*: steps about 150 to 300 Elo apart, without clocks, whose ratings are
measured (`rated_ladder`). Their other boards, and games from outside, have five standard levels.
``perfect`` is not listed there: a game has it if some engine plays it perfectly, see `levels`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, TicTacToe, for_game
from rl_toolkit.players.registry import engine_kind
from rl_toolkit.players.spec import Spec

#: All names of levels, weakest first. No game has all of them.
LEVELS = (
    "beginner",
    "beginner+",
    "novice",
    "novice+",
    "easy",
    "easy+",
    "medium",
    "medium+",
    "hard",
    "hard+",
    "expert",
    "expert+",
    "perfect",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a ladder: its name, its engine, and other names that mean the same step."""

    name: str
    spec: str
    also: tuple[str, ...] = ()


_NEARLY_RANDOM = "mix:strong=greedy:slips=1,weak=random,slips={}"
#: Connect Four: a network that seldom errs, and a search that does.
_NEARLY_PERFECT = "mix:strong=alphazero:simulations=50,weak=minimax:depth=4,slips={}"

#: The ladders, by the full name of the game.
STEPS: dict[str, tuple[Step, ...]] = {
    "tictactoe": (
        Step("beginner", _NEARLY_RANDOM.format(0.4)),
        Step("easy", "greedy:slips=0.85"),
        Step("medium", "greedy:slips=0.3"),
        Step("perfect", "minimax:depth=18", also=("hard", "expert")),
    ),
    "connect-four": (
        Step("beginner", _NEARLY_RANDOM.format(0.4)),
        Step("beginner+", "greedy:slips=0.9"),
        Step("novice", "greedy:slips=0.3"),
        Step("easy", "minimax:depth=2"),
        Step("medium", "minimax:depth=4"),  # the courses want 2, 4 and 6 plies
        Step("hard", "minimax:depth=6"),
        Step("expert", _NEARLY_PERFECT.format(0.24), also=("hard+",)),
        Step("perfect", "exact"),
    ),
    "reversi-6": (
        Step("beginner", _NEARLY_RANDOM.format(0.75)),
        Step("beginner+", "greedy:slips=0.8"),
        Step("novice", "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.95"),
        Step("easy", "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.55"),
        Step("medium", "mix:strong=reversi:depth=2,weak=greedy:slips=0.4,slips=0.12"),
        Step("hard", "mix:strong=reversi:depth=8,weak=reversi:depth=2,slips=0.6"),
        Step("expert", "mix:strong=reversi:depth=8,weak=reversi:depth=2,slips=0.1"),
        Step("perfect", "exact:every=off"),
    ),
    "gomoku-9": (
        Step("beginner", _NEARLY_RANDOM.format(0.88)),
        Step("beginner+", _NEARLY_RANDOM.format(0.7)),
        Step("novice", _NEARLY_RANDOM.format(0.5)),
        Step("novice+", _NEARLY_RANDOM.format(0.28)),
        Step("easy", "greedy:slips=1"),
        Step("easy+", "greedy:slips=0.65"),
        Step("medium", "greedy:slips=0.3"),
        Step("medium+", "greedy"),
        Step("hard", "gomoku:depth=1"),
        Step("expert", "gomoku:nodes=50000"),
    ),
    "reversi-8": (
        Step("beginner", "greedy:slips=0.7"),
        Step("beginner+", "greedy"),
        Step("novice", "mix:strong=reversi:depth=1,weak=greedy,slips=0.6"),
        Step("novice+", "mix:strong=reversi:depth=1,weak=greedy"),
        Step("easy", "reversi:depth=1"),
        Step("medium", "reversi:depth=2"),
        Step("medium+", "mix:strong=reversi:depth=4,weak=reversi:depth=2,slips=0.2"),
        Step("hard", "reversi:depth=6"),
        Step("hard+", "reversi:depth=9"),
        Step("expert", "reversi:nodes=200000"),
    ),
    "gomoku-15": (
        Step("beginner", _NEARLY_RANDOM.format(0.945)),
        Step("beginner+", _NEARLY_RANDOM.format(0.84)),
        Step("novice", _NEARLY_RANDOM.format(0.62)),
        Step("novice+", _NEARLY_RANDOM.format(0.33)),
        Step("easy", _NEARLY_RANDOM.format(0.05)),
        Step("easy+", "greedy:slips=0.75"),
        Step("medium", "greedy:slips=0.35"),
        Step("hard", "greedy:slips=0.05"),
        Step("hard+", "mix:strong=gomoku:depth=1,weak=greedy,slips=0.4"),
        Step("expert", "gomoku:nodes=200000"),
    ),
}
#: Random moves at the beginning of the games that rate a ladder.
_OPENING_PLIES = {
    "tictactoe": 1,
    "connect-four": 4,
    "reversi-6": 8,
    "gomoku-9": 4,
    "reversi-8": 6,
    "gomoku-15": 6,
}

LADDERS: dict[type[BaseGameEnv], Mapping[str, str]] = {
    TicTacToe: {
        "beginner": "greedy:slips=0.7",
        "easy": "greedy:slips=0.35",
        "medium": "greedy",
        "hard": "minimax:depth=4",
        "expert": "minimax:depth=6",
    },
    ConnectFour: {
        "beginner": "greedy:slips=0.5",
        "easy": "minimax:depth=2",
        "medium": "minimax:depth=4",
        "hard": "minimax:depth=6",
        "expert": "mcts:simulations=50000",
    },
    Gomoku: {
        "beginner": "greedy:slips=0.6",
        "easy": "greedy:slips=0.1",
        "medium": "gomoku:depth=1",
        "hard": "gomoku:nodes=3000",
        "expert": "gomoku:nodes=200000",
    },
    Reversi: {
        "beginner": "greedy:slips=0.9",
        "easy": "minimax:depth=1",
        "medium": "reversi:depth=1",
        "hard": "reversi:depth=4",
        "expert": "reversi:nodes=200000",
    },
}
#: The level to play against by default, where it is not ``medium``.
USUAL = {"tictactoe": "easy"}

# For games from outside the toolkit, which run in plain Python, so levels have a time limit; and
# for rules that an engine of the ladder above does not play.
_WITH_HEURISTIC = {
    "beginner": "greedy:slips=0.5",
    "easy": "greedy:slips=0.1",
    "medium": "minimax:depth=2,time=5",
    "hard": "minimax:depth=4,time=5",
    "expert": "minimax:time=10",
}
# Without a heuristic minimax is blind before the end of the game; playouts always reach it.
_WITHOUT_HEURISTIC = {
    "beginner": "greedy:slips=0.5",
    "easy": "mcts:simulations=50,time=5",
    "medium": "mcts:simulations=200,time=5",
    "hard": "mcts:simulations=1000,time=5",
    "expert": "mcts:time=10",
}


def steps_of(env: BaseGameEnv) -> tuple[Step, ...] | None:
    """The ladder of a game, ``None`` if it has only standard levels or brings its own."""
    return None if env.traits.levels else STEPS.get(env.name)


def opening_plies(env: BaseGameEnv) -> int:
    """The random moves at the beginning of each game that rates the ladder of a game."""
    return _OPENING_PLIES[env.name]


def ladder_of(env: BaseGameEnv) -> dict[str, str]:
    """The levels of a game: from its ladder, its traits, its class, or the default ones.

    A ladder has ``perfect`` where there is one; for the others `levels` adds it.
    """
    if (steps := steps_of(env)) is not None:
        specs = {name: step.spec for step in steps for name in (step.name, *step.also)}
        return {name: specs[name] for name in LEVELS if name in specs}
    own = env.traits.levels or _played(for_game(LADDERS, env), env)
    if own is None:
        own = _WITH_HEURISTIC if env.traits.has_heuristic else _WITHOUT_HEURISTIC
    return dict(own)


def _played(ladder: Mapping[str, str] | None, env: BaseGameEnv) -> Mapping[str, str] | None:
    """``ladder`` if its engines play by the rules of ``env``, such as its length of a line."""
    kinds = [engine_kind(Spec.read(spec).kind) for spec in (ladder or {}).values()]
    return ladder if all(kind.can_play(env) for kind in kinds) else None
