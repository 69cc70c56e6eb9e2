"""Laws about words and pictures: names of moves, drawings, and silence."""

from __future__ import annotations

import contextlib
import io
from functools import partial
from typing import Any
from xml.etree import ElementTree

from rl_toolkit.testing.scene import Scene, require, require_equal, require_refused


def notation(scene: Scene) -> None:
    """Every name of a move parses back to that move; what is no name is refused."""
    env = scene.env
    moves = list(range(env.num_moves)) if not scene.moves else list(scene.here.legal_moves)
    names = [env.move_name(move) for move in moves]
    for move, name in zip(moves, names, strict=True):
        require(isinstance(name, str) and bool(name.strip()), f"the name of {move} is {name!r}")
        require_equal(f"parse_move({name!r})", move, env.parse_move(name))
    require_equal("how many names the moves have", len(moves), len(set(names)))
    not_names: list[Any] = ["", "?!", "no such move", "a1b2c3", "٣", None]
    for text in not_names:
        require_refused(f"parse_move({text!r})", partial(env.parse_move, text))
    for move in (-1, env.num_moves):
        require_refused(f"move_name({move})", partial(env.move_name, move))


def drawing(scene: Scene) -> None:
    """What render() prints is what render(mode="ansi") gives; pictures are SVG."""
    env = scene.env
    text = env.render(mode="ansi")
    require(isinstance(text, str) and bool(text.strip()), f'render(mode="ansi") gives {text!r}')
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        answer = env.render()
    require_equal("what render() gives back", None, answer)
    require_equal("what render() prints", str(text).strip(), printed.getvalue().strip())
    root = ElementTree.fromstring(env._repr_svg_())
    require(root.tag.endswith("svg"), f"_repr_svg_() draws a <{root.tag}>, not an <svg>")
    require(bool(repr(env).strip()), "repr() is empty")
