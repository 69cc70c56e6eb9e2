"""What a player does and overlooks, in a few words: for lists and cards of levels."""

from __future__ import annotations

from collections.abc import Callable

from rl_toolkit.envs import make_game
from rl_toolkit.players.kinds.mixing import Mix
from rl_toolkit.players.levels import levels_for, ratings_for
from rl_toolkit.players.levels.ratings import ANCHOR, Rating
from rl_toolkit.players.registry import engine_kind
from rl_toolkit.players.spec import Spec
from rl_toolkit.utils import counted, listed

_PERFECT = "never gives away a win or a draw"

#: The unit of measured ratings, as tables name it.
RATING_UNIT = "Elo above random"

#: What tells an engine from others that look as far.
_BY = {
    "gomoku": " with a learned evaluation",
    "reversi": " with a learned evaluation",
    "alphazero": " with a trained network",
    "mcts": " with random games",
}

#: What a player that does not check replies overlooks; where pieces are counted, there are no
#: threats to complete a line.
_THREATS, _REPLIES = "threats", "replies"

#: What a player does, by its options; ``{threats}`` stands for one of these two.
_PHRASES: dict[str, Callable[[float], str]] = {
    "depth": lambda plies: f"looks {_plies(plies)} ahead",
    "simulations": lambda count: f"{counted(int(count), 'simulation')} per move",
    "nodes": lambda count: f"{counted(int(count), 'position')} per move",
    "slips": lambda share: (
        "overlooks {threats}"
        if share == 1
        else f"overlooks {{threats}} in {_percent(share)} of its moves"
    ),
    "time": lambda seconds: f"at most {seconds:.12g} s per move",
}

#: The same where the time may be up before.
_WITHIN: dict[str, Callable[[float], str]] = {
    "depth": lambda plies: f"looks up to {_plies(plies)} ahead",
    "simulations": lambda count: f"up to {counted(int(count), 'simulation')}",
    "nodes": lambda count: f"up to {counted(int(count), 'position')}",
}

#: What a player cannot see, by the option that limits it.
_UNSEEN: dict[str, Callable[[float], str]] = {
    "slips": lambda share: (
        "the opponent's {threats}"
        if share == 1
        else f"the opponent's {{threats}}, in {_percent(share)} of its moves"
    ),
    "depth": lambda plies: f"what takes more than {_plies(plies)}",
    "simulations": lambda count: "a single good reply among many",
    "nodes": lambda count: "what lies beyond the positions that it has time for",
    "time": lambda seconds: "what lies beyond the positions that it has time for",
}
_UNSEEN_BY = {
    "random": "everything",
    "first": "everything",
    "greedy": "what the opponent can do in two moves",
}


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"


def _plies(depth: float) -> str:
    return counted(int(depth), "ply").replace("plys", "plies")


def _threats(game: str) -> str:
    """What a player that does not check replies overlooks in a game."""
    return _REPLIES if make_game(game).traits.score_unit else _THREATS


def _chosen(spec: Spec) -> dict[str, float]:
    """The numbers that a spec sets, by option."""
    settings, usual = spec.settings, Spec(spec.kind).settings
    return {
        name: value
        for name, value in settings.items()
        if isinstance(value, (int, float)) and (value != usual[name] or name in spec.given)
    }


def describe_spec(text: str | Spec, threats: str = _THREATS) -> str:
    """What the player of a spec does; ``threats`` is what a slip overlooks.

    >>> describe_spec("minimax:depth=4"), describe_spec("mcts:simulations=50000")
    ('looks 4 plies ahead', '50,000 simulations per move with random games')
    >>> describe_spec("random")
    'plays a random legal move'
    >>> describe_spec("mcts:simulations=1000,time=5")
    'up to 1,000 simulations within 5 s per move with random games'
    >>> describe_spec("mcts:simulations=1"), describe_spec("gomoku:nodes=1")
    ('1 simulation per move with random games', '1 position per move with a learned evaluation')
    >>> describe_spec("mix:strong=minimax:depth=6,weak=minimax:depth=2,slips=0.3")
    'looks 6 plies ahead; 30 % of its moves are weaker: looks 2 plies ahead'
    """
    spec = Spec.read(text)
    options = _chosen(spec)
    if (mix := Mix.of(spec)) is not None:
        strong, share = describe_spec(mix.strong, threats), _percent(mix.slips)
        if mix.weak == Spec(ANCHOR):
            return f"{strong}, and plays {share} of its moves at random"
        return f"{strong}; {share} of its moves are weaker: {describe_spec(mix.weak, threats)}"
    if spec.kind == "exact":
        return _PERFECT
    phrases = [phrase(options[option]) for option, phrase in _PHRASES.items() if option in options]
    counts = [phrase(options[option]) for option, phrase in _WITHIN.items() if option in options]
    if "time" in options and len(counts) == len(phrases) - 1 > 0:
        phrases = [f"{', '.join(counts)} within {options['time']:.12g} s per move"]
    words = ", ".join(phrases).format(threats=threats)
    return words + _BY.get(spec.kind, "") if phrases else engine_kind(spec.kind).help


def overlooked_by(text: str | Spec, threats: str = _THREATS) -> str | None:
    """What the player of a spec does not see, ``None`` if that cannot be said.

    ``threats`` is what a slip overlooks.

    >>> overlooked_by("greedy:slips=0.5")
    "the opponent's threats, in 50 % of its moves"
    >>> overlooked_by("mix:strong=exact,weak=minimax:depth=4,slips=0.5")
    'what takes more than 4 plies, in 50 % of its moves'
    """
    spec = Spec.read(text)
    options = _chosen(spec)
    if (mix := Mix.of(spec)) is not None:
        weak, strong = (overlooked_by(each, threats) for each in (mix.weak, mix.strong))
        part = weak and f"{weak}, in {_percent(mix.slips)} of its moves"
        return part if strong is None else f"{strong}; {part}"
    for option, phrase in _UNSEEN.items():
        if option in options:
            return phrase(options[option]).format(threats=threats)
    return _UNSEEN_BY.get(spec.kind)


def describe_level(game: str, level: str, spec: str) -> str:
    """What a level of a game does: ``perfect`` whatever its engine is."""
    return _PERFECT if level == "perfect" else describe_spec(spec, _threats(game))


def distinct_levels(game: str) -> dict[str, tuple[str, ...]]:
    """The levels of a game that differ, weakest first, each with other names of the same engine.

    >>> distinct_levels("connect-four")["expert"], distinct_levels("tictactoe")["perfect"]
    (('hard+',), ('hard', 'expert'))
    """
    names: dict[str, list[str]] = {}
    for level, spec in levels_for(game).items():
        names.setdefault(spec, []).append(level)
    return {same[-1]: tuple(same[:-1]) for same in names.values()}


def named_levels(game: str) -> dict[str, str]:
    """The levels of a game that differ, as lists name them: ``expert (or hard+)``."""
    return {
        level: f"{level} (or {listed(others, 'or')})" if others else level
        for level, others in distinct_levels(game).items()
    }


def described_levels(game: str) -> dict[str, str]:
    """What each level of a game does; one with the engine of ``perfect`` is perfect, too."""
    levels = levels_for(game)
    perfect = levels.get("perfect")
    return {
        level: describe_level(game, "perfect" if spec == perfect else level, spec)
        for level, spec in levels.items()
    }


def slow_levels(game: str) -> str:
    """A sentence about levels whose time may be up early, "" if the game has none.

    >>> slow_levels("connect-four")
    ''
    """
    env = make_game(game)
    timed = any("time" in _chosen(Spec.read(spec)) for spec in levels_for(game).values())
    if env.kernel_spec() is not None or not timed:
        return ""
    return (
        f"The rules of {env.traits.title} run in Python, so engines are slow here. A level whose "
        "time is up plays the best move so far, after fewer simulations or plies than it may use, "
        "and is weaker."
    )


def overlooked_by_level(game: str, level: str) -> str | None:
    """What a level of a game does not see, ``None`` if that cannot be said."""
    levels = levels_for(game)
    if levels[level] == levels.get("perfect"):
        return "nothing"
    return overlooked_by(levels[level], _threats(game))


def rating_text(rating: Rating | None) -> str:
    """A rating with its 95 % interval as a reader needs it; empty if it was not measured.

    >>> rating_text(Rating("greedy", 812.4, (770.0, 860.0), 500, 1.0))
    '812 ± 48'
    """
    return "" if rating is None else f"{rating.rating:.0f} ± {rating.error:.0f}"


def accuracy_text(rating: Rating | None) -> str:
    """The share of right moves where it matters; empty if it was not measured.

    >>> accuracy_text(Rating("greedy", 812.4, (770.0, 860.0), 500, 1.0, accuracy=0.625))
    '62 %'
    """
    return "" if rating is None or rating.accuracy is None else _percent(round(rating.accuracy, 2))


def level_card(game: str, level: str) -> str:
    """A level in sentences: what it does, what it overlooks, its accuracy and its rating.

    Accuracy and rating are missing where they were not measured.
    """
    described, rating = described_levels(game)[level], ratings_for(game).get(level)
    unseen = overlooked_by_level(game, level)
    sentences = [described]
    if unseen is not None and "overlooks" not in described:
        sentences.append(f"Overlooks {unseen}")
    if accuracy := accuracy_text(rating):
        sentences.append(f"Right in {accuracy} of the moves that matter")
    if rating is not None:
        sentences.append(f"Rating {rating_text(rating)} {RATING_UNIT} play")
    return ". ".join(sentences) + "."
