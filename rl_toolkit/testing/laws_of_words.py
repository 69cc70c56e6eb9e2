"""Laws about text and pictures: names of moves, traits, records, drawings."""

from __future__ import annotations

import contextlib
import inspect
import io
from functools import partial
from typing import Any
from xml.etree import ElementTree

from rl_toolkit.envs import UnknownGameError, make_game
from rl_toolkit.envs.registry import check_traits
from rl_toolkit.records import GameRecord, position_from_text, position_to_text
from rl_toolkit.testing.scene import (
    BrokenLawError,
    Scene,
    require,
    require_equal,
    require_refused,
    require_same_view,
    view,
)


def notation(scene: Scene) -> None:
    """Every name of a move parses back to that move, for step too; other text is refused."""
    env = scene.env
    moves = list(scene.here.legal_moves)
    if not scene.moves and not env.names_vary:
        moves = list(range(env.num_moves))
    names = [env.move_name(move) for move in moves]
    for move, name in zip(moves, names, strict=True):
        require(isinstance(name, str) and bool(name.strip()), f"the name of {move} is {name!r}")
        require_equal(f"parse_move({name!r})", move, env.parse_move(name))
    require_equal("number of different move names", len(moves), len(set(names)))
    not_names: list[Any] = ["", "?!", "no such move", "a1b2c3", "٣", None]
    for text in not_names:
        require_refused(f"parse_move({text!r})", partial(env.parse_move, text))
        require_refused(f"step({text!r})", partial(env.copy().step, text))
    for move in scene.some(list(scene.here.legal_moves), 3):
        by_number, by_name = env.copy(), env.copy()
        by_number.step(move)
        if not env.move_name(move).isdigit():
            by_name.step(env.move_name(move))
            require_same_view("after step with a name", view(by_number), view(by_name))
    for move in (-1, env.num_moves):
        require_refused(f"move_name({move})", partial(env.move_name, move))


def traits(scene: Scene) -> None:
    """The traits agree with the game: its sizes, its preview, its passes, who moves next."""
    kind = type(scene.env)
    if scene.env.traits.alternates and scene.moves and not scene.here.is_terminal:
        mover = scene.trail[-2].current_player
        require(
            scene.here.current_player == -mover,
            f"player {mover:+d} moves twice in a row, but traits.alternates is true",
        )
    if scene.moves:
        return  # traits do not change during a game
    try:
        inspect.signature(kind).bind()
    except TypeError:
        return  # a class that needs arguments cannot be in the registry
    try:
        check_traits(kind)
    except ValueError as error:
        raise BrokenLawError(str(error)) from error


def records(scene: Scene) -> None:
    """A registered game can be restored from its name, its record and its position as text."""
    env = scene.env
    try:
        again = make_game(env.name)
    except UnknownGameError:
        return  # a game that is not in the registry has no records
    if type(again) is not type(env):
        return  # a subclass that inherits the name of a registered game
    shape = (env.rows, env.cols)
    require_equal(f"rows and columns of make_game({env.name!r})", shape, (again.rows, again.cols))
    record = GameRecord.from_json(GameRecord.from_env(env).to_json())
    require_equal(
        "hash of the game replayed", scene.here.state_hash, record.replay().get_state_hash()
    )
    require_equal("moves of the game replayed", env.history, record.replay().history)
    text = position_to_text(env)
    read = position_from_text(env.name, text)
    require_equal(f"hash of the position {text!r}", scene.here.state_hash, read.get_state_hash())


def drawing(scene: Scene) -> None:
    """What render() prints is what render(mode="ansi") returns; pictures are SVG."""
    env = scene.env
    text = env.render(mode="ansi")
    require(isinstance(text, str) and bool(text.strip()), f'render(mode="ansi") returns {text!r}')
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        answer = env.render()
    require_equal("what render() returns", None, answer)
    require_equal("what render() prints", str(text).strip(), printed.getvalue().strip())
    root = ElementTree.fromstring(env._repr_svg_())
    require(root.tag.endswith("svg"), f"_repr_svg_() draws a <{root.tag}>, not an <svg>")
    require(bool(repr(env).strip()), "repr() is empty")
