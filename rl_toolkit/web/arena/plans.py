"""What may be asked for: a game, levels that are built in, and bounds on what it costs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rl_toolkit.envs import GameFamily, game_families, make_game, size_text
from rl_toolkit.players import ratings_for
from rl_toolkit.players.levels import described_levels, named_levels
from rl_toolkit.utils import shown
from rl_toolkit.web.json_fields import BadRequestError, Fields
from rl_toolkit.web.offered import OfferedEngines

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments import Tournament

#: The player without a level that may take part, as the foot of the scale.
RANDOM = "random"
#: Boards that are shown side by side, which is also the number of games that are under way.
BOARDS = 4


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a tournament on the page may take."""

    players: int = 8
    games: int = 20  # of each pairing
    total: int = 240
    minutes: int = 30
    pause: float = 2.0  # seconds after each move of a game


BOUNDS = Bounds()


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """A tournament on the page.

    Attributes:
        players: names of levels, or `RANDOM`.
        games: games of each pairing.
        minutes: after this time the tournament ends, finished or not.
        pause: seconds after each move, so that people can follow; no engine thinks longer for it.
    """

    game: str
    players: tuple[str, ...]
    games: int
    minutes: int
    pause: float
    seed: int = 0

    def tournament(self) -> Tournament:
        """The plan for the arena; raises ``ValueError`` if it cannot be played."""
        from rl_toolkit.arena.tournaments import Tournament

        return Tournament(self.game, self.players, self.games, seed=self.seed)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return asdict(self)


def plan_in(fields: Fields, offered: OfferedEngines) -> ArenaPlan:
    """The tournament that a request asks for, within all bounds."""
    game = fields.text("game", longest=60)
    offers = {each["game"]: each for each in games_offered(offered)}
    if game not in offers:
        raise BadRequestError(f"game is one of {', '.join(offers)}, not {shown(game)}")
    allowed = [level["name"] for level in offers[game]["levels"]]
    players = _names(fields, allowed)
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
    plan = ArenaPlan(game, players, games, minutes, (300 if pause is None else pause) / 1000, seed)
    try:
        plan.tournament()
    except ValueError as error:
        raise BadRequestError(str(error)) from error
    return plan


def _names(fields: Fields, allowed: list[str]) -> tuple[str, ...]:
    names = fields.raw("players")
    if not isinstance(names, list) or not 2 <= len(names) <= BOUNDS.players:
        raise BadRequestError(f"players is a list of 2 to {BOUNDS.players} levels")
    for name in names:
        if name not in allowed:
            raise BadRequestError(
                f"a player is one of {', '.join(allowed)} in this game, not {shown(name)}"
            )
    return tuple(names)


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
            rated = {level: round(found.rating) for level, found in ratings_for(env.name).items()}
            listed.append(
                {
                    "game": env.name,
                    "title": _title(family, env.rows, env.cols),
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
