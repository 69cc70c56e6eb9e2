"""What may be asked for: a game, who plays, and bounds on what it costs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rl_toolkit.envs import GameFamily, game_families, make_game, size_text
from rl_toolkit.players import Spec, kind_named, ratings_for
from rl_toolkit.players.levels import described_levels, named_levels
from rl_toolkit.utils import listed, shown
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.offered import OfferedEngines
from rl_toolkit.web.exchange.requests import safe_spec
from rl_toolkit.web.serving.limits import ServerLimits

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments import Tournament

#: The player without a level that may take part, as the foot of the scale.
RANDOM = "random"
#: The most characters of the text that names a player.
_LONGEST = 200
#: Boards that are shown side by side, which is also the number of games that are under way.
BOARDS = 4


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a tournament on the page may take."""

    players: int = 40
    games: int = 20  # of each pairing
    total: int = 2000
    minutes: int = 120
    pause: float = 2.0  # seconds after each move of a game


BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """A tournament on the page.

    Attributes:
        players: what readers call the players: levels, engines with options, names of bots.
        games: games of each pairing.
        minutes: after this time the tournament ends, finished or not.
        pause: seconds after each move, so that people can follow; no engine thinks longer for it.
        specs: the texts that name the players, in the same order; empty if these are their names.
    """

    game: str
    players: tuple[str, ...]
    games: int
    minutes: int
    pause: float
    seed: int = 0
    specs: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """The text that names a player → what readers call it."""
        return dict(zip(self.specs or self.players, self.players, strict=True))

    def tournament(self) -> Tournament:
        """The plan for the arena; raises ``ValueError`` if it cannot be played."""
        from rl_toolkit.arena.tournaments import Tournament

        return Tournament(self.game, self.specs or self.players, self.games, seed=self.seed)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data, as everybody may see it: a spec may name a file."""
        data = asdict(self)
        del data["specs"]
        return data


def plan_in(fields: Fields, offered: OfferedEngines, limits: ServerLimits) -> ArenaPlan:
    """The tournament that a request asks for, within all bounds."""
    game = fields.text("game", longest=60)
    offers = {each["game"]: each for each in games_offered(offered)}
    if game not in offers:
        raise BadRequestError(f"game is one of {', '.join(offers)}, not {shown(game)}")
    levels = [level["name"] for level in offers[game]["levels"]]
    names = _names(fields)
    players = tuple(names)
    specs = tuple(_spec(name, game, levels, offered, limits) for name in names)
    games = fields.whole("games", 2, BOUNDS.games) or 4
    if games % 2:
        raise BadRequestError(f"games must be even, as each opening is played twice, not {games}")
    pairings = len(players) * (len(players) - 1) // 2
    if games * pairings > BOUNDS.total:
        raise BadRequestError(
            f"{len(players)} players with {games} games a pairing are {games * pairings} games; "
            f"this server plays up to {BOUNDS.total}"
        )
    minutes = fields.whole("minutes", 1, BOUNDS.minutes) or 5
    pause = fields.whole("pause_ms", 0, int(1000 * BOUNDS.pause))
    seed = fields.whole("seed", 0, 2**31) or 0
    seconds = (300 if pause is None else pause) / 1000
    plan = ArenaPlan(game, players, games, minutes, seconds, seed, specs)
    try:
        plan.tournament()
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return plan


def _names(fields: Fields) -> list[str]:
    names = fields.raw("players")
    if not isinstance(names, list) or not 2 <= len(names) <= BOUNDS.players:
        raise BadRequestError(f"players is a list of 2 to {BOUNDS.players} names")
    for name in names:
        if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST:
            raise BadRequestError(f"a player is a short text, not {shown(name)}")
    stripped = [name.strip() for name in names]
    for name in stripped:
        if stripped.count(name) > 1:
            raise BadRequestError(f"{shown(name)} is there twice; players need different names")
    return stripped


def _spec(
    name: str, game: str, levels: list[str], offered: OfferedEngines, limits: ServerLimits
) -> str:
    """What a player is made from: a level, a bot of this server, or an engine with options."""
    if name in levels:
        return name
    env = make_game(game)
    try:
        if name in offered.specs:
            spec = offered.specs[name]
            offered.check_plays(name, env)
            return spec.text
        if kind_named(name) is None:
            bots = [bot for bot in offered.specs if offered.plays(bot, env)]
            some = listed([*levels, *bots, "an engine with options"], "or")
            raise BadRequestError(f"a player is {some} in this game, not {shown(name)}")
        safe = safe_spec(name, env, limits, offered)
        chosen = Spec.read(safe)
        chosen.check_plays(env)
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return chosen.text


def games_offered(offered: OfferedEngines) -> list[dict[str, Any]]:
    """The games with a board, each in its sizes, and the levels that may play.

    ``label`` is how a form names a level, null if it has the engine of another one.
    """
    listed = []
    for family in game_families():
        if not family.traits.has_grid:
            continue
        for name in _boards(family):
            env = make_game(name)
            levels, described = offered.levels(env), described_levels(name)
            about = {RANDOM: "plays a random legal move"} if offered.allows(RANDOM) else {}
            names = named_levels(name)
            about |= {level: described[level] for level in levels}
            bots = [bot for bot in offered.specs if offered.plays(bot, env)]
            rated = {level: round(found.rating) for level, found in ratings_for(env.name).items()}
            listed.append(
                {
                    "game": env.name,
                    "title": _title(family, env.rows, env.cols),
                    "bots": bots,
                    "levels": [
                        {
                            "name": each,
                            "label": RANDOM if each == RANDOM else names.get(each),
                            "about": words,
                            "rating": rated.get(each),
                        }
                        for each, words in about.items()
                    ],
                }
            )
    return listed


def _boards(family: GameFamily) -> list[str]:
    """The usual board first, then the other sizes."""
    usual = make_game(family.name).name
    others = [f"{family.name}-{size_text(size)}" for size in family.traits.sizes]
    return [usual, *(name for name in others if name != usual)]


def _title(family: GameFamily, rows: int, cols: int) -> str:
    if not family.traits.sizes:
        return family.title
    return f"{family.title} {rows} × {cols}"
