"""One figure of the chapters: its page, one HTML file with all of it, and its picture.

The scripts under ``static/figures`` draw a figure wherever it is shown. So a picture is drawn by a
browser: `Figure.svg` and `Figure.png` run an installed Chromium, Chrome or Edge without a window.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Literal

from flask import Blueprint, Response, abort, render_template, request

from rl_toolkit.envs.hand_trees import read_tree
from rl_toolkit.explain.traces import SENTENCES
from rl_toolkit.learning.alphazero import shipped_generations
from rl_toolkit.web.learn.figure_fields import FigureError, Value, check_state, script_text, text_of

#: The kinds of figures, and what each shows.
FIGURE_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "tree": "minimax and alpha-beta on a tree whose leaves can be dragged",
        "order": "a regular tree, its moves from the worst order to the best",
        "whole": "all 549,946 nodes of Tic-Tac-Toe, lit where alpha-beta looks",
        "arms": "slot machines, a policy that chooses among them, and its regret",
        "waves": "value iteration over all 5,478 positions of Tic-Tac-Toe",
        "gridworld": "a world of cells with rewards to drag, and the best moves sweep by sweep",
        "proof": "proof numbers in an AND/OR tree, and a proof to contradict",
        "threats": "proof numbers on a chain of fours in Gomoku, step by step",
        "uct": "a tree of simulations, a bandit at every node",
        "graph": "a game tree that slides into a graph, and what a table saves",
        "mixture": "two moves each at the same time, and what a mixture of yours secures",
        "priors": "priors to drag on the board, and what a search that they guide visits",
        "generations": "priors of a network as heat on the board, before and while it learns",
    }
)
#: The endpoint that other sites may show in a frame.
FRAMABLE = "figures.alone"
#: The size of a picture, unless another is asked for.
WIDTH, HEIGHT = 860, 560
_SMALLEST, _LARGEST = 200, 4000
_BROWSERS = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
    "google-chrome-stable", "chrome", "msedge", "microsoft-edge",
)  # fmt: skip
#: How the folder of the scripts is named in the addresses of a file.
_BASE = "figures"
_SENTENCES = "sentences.js"
_GENERATIONS = "generations.js"
_IMPORT = re.compile(r'(\bfrom\s+|\bimport\s*\(?\s*)"(\.[^"]+)"')
_REFUSED = re.compile(r'<p id="refused"[^>]*>(.*?)</p>', re.DOTALL)
_WRITTEN = re.compile(r'<pre id="written">(.*?)</pre>', re.DOTALL)
_SECONDS = 60

Format = Literal["svg", "png"]
figures = Blueprint("figures", __name__, url_prefix="/figures")


@figures.get("/<kind>")
def alone(kind: str) -> str:
    """One figure that fills the window: a link, a page for a projector, a frame elsewhere."""
    if kind not in FIGURE_KINDS:
        abort(404)
    return render_template("learn/figure.html", kind=kind, title=FIGURE_KINDS[kind])


@figures.get("/<kind>.html")
def one_file(kind: str) -> Response:
    """The figure in the state of the address, as one file that needs no server."""
    if kind not in FIGURE_KINDS:
        abort(404)
    try:
        page = Figure(kind, request.args.to_dict()).html()
    except FigureError as error:
        return Response(f"{error}.\n", 400, mimetype="text/plain")
    response = Response(page, mimetype="text/html")
    response.headers["Content-Disposition"] = f'attachment; filename="{kind}.html"'
    return response


@figures.get(f"/{_SENTENCES}")
def sentences() -> Response:
    """The sentences of `rl_toolkit.explain` for the figures: one table for Python and page."""
    return Response(_sentences(), mimetype="text/javascript")


@figures.get(f"/{_GENERATIONS}")
def generations() -> Response:
    """What the generations of the shipped record of self-play said."""
    return Response(_generations(), mimetype="text/javascript")


@dataclass(frozen=True)
class Figure:
    """A live figure in some state; `FigureError` for a kind, field or value that there is not.

    >>> figure = Figure("tree", {"tree": "(3 5) (2 9)", "at": "cut"})
    >>> "<title>" in figure.html()
    True

    In a notebook a figure shows itself.
    """

    kind: str
    state: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in FIGURE_KINDS:
            raise FigureError(f"{self.kind!r} is not a figure: {', '.join(FIGURE_KINDS)}")
        check_state(self.kind, self.state)

    def html(self, theme: str = "") -> str:
        """The figure as one HTML file: it loads nothing."""
        return self._page(theme, "")

    def svg(self, width: int = WIDTH, height: int = HEIGHT, theme: str = "light") -> str:
        """The picture as SVG, drawn by an installed browser."""
        return self._drawn("svg", width, height, theme)

    def png(self, width: int = WIDTH, height: int = HEIGHT, theme: str = "light") -> bytes:
        """The picture with twice as many pixels as ``width`` and ``height`` say."""
        _, _, data = self._drawn("png", width, height, theme).partition(",")
        return base64.b64decode(data)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html())}" width="960" height="600"></iframe>'

    def _page(self, theme: str, write: str) -> str:
        start = {name: text_of(value) for name, value in self.state.items()}
        if "tree" in start:
            start["tree"] = read_tree(start["tree"]).text  # the scripts read no brackets
        modules = _modules(self.kind)
        scripts = json.dumps({"imports": {name: _address(text) for name, text in modules.items()}})
        shown = {"data-figure": self.kind, "data-start": json.dumps(start), "data-write": write}
        attributes = "".join(f' {name}="{escape(text)}"' for name, text in shown.items() if text)
        chosen = f' data-theme="{escape(theme)}"' if theme else ""
        style = "\n".join(script_text(path) for path in ("css/base.css", "figures/figures.css"))
        return (
            f'<!doctype html>\n<html lang="en"{chosen}>\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(FIGURE_KINDS[self.kind])}</title>\n<style>\n{style}\n</style>\n"
            f'<script type="importmap">{scripts}</script>\n</head>\n'
            f'<body class="alone"><main><figure{attributes}></figure></main>\n'
            f'<script type="module">import "{_BASE}/alone.js";</script>\n</body>\n</html>\n'
        )

    def _drawn(self, form: Format, width: int, height: int, theme: str) -> str:
        for name, size in (("width", width), ("height", height)):
            if not _SMALLEST <= size <= _LARGEST:
                raise FigureError(f"{name} is from {_SMALLEST} to {_LARGEST}, not {size}")
        return dumped(self._page(theme, f"{form} {width} {height}"))


def dumped(page: str) -> str:
    """What the scripts of a page leave in its element ``written``, run by an installed browser."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise FigureError(
            "a picture is drawn by Chromium, Chrome or Edge, and none is on the path; "
            "--html needs none, and the page of a figure saves pictures too"
        )
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "figure.html"
        file.write_text(page, "utf-8")
        ran = subprocess.run(
            [
                browser, "--headless", "--disable-gpu", "--dump-dom",
                f"--user-data-dir={folder}/profile", "--virtual-time-budget=20000",
                *(["--no-sandbox"] if as_root else []), file.as_uri(),
            ],
            capture_output=True, text=True, encoding="utf-8", timeout=_SECONDS, check=False,
        )  # fmt: skip
    written, refused = _WRITTEN.search(ran.stdout), _REFUSED.search(ran.stdout)
    if refused is not None:
        raise FigureError(unescape(refused[1]).removesuffix("."))
    if written is None:
        raise FigureError("the browser could not draw this figure")
    return unescape(written[1])


def computed(script: str) -> str:
    """What a script leaves in its element ``written``; it may import all modules of the figures."""
    modules: dict[str, str] = {}
    for kind in FIGURE_KINDS:
        modules |= _modules(kind, f"{_BASE}/frame/claims.js")
    scripts = json.dumps({"imports": {name: _address(text) for name, text in modules.items()}})
    return dumped(
        f'<!doctype html><meta charset="utf-8"><script type="importmap">{scripts}</script>'
        f'<pre id="written"></pre><script type="module">{script}</script>'
    )


def _sentences() -> str:
    return f"export const SENTENCES = {json.dumps(SENTENCES, ensure_ascii=False)};\n"


def _generations() -> str:
    return f"export const GENERATIONS = {shipped_generations('tictactoe').as_json()};\n"


#: The scripts that are made, not files.
_MADE = {f"{_BASE}/{_SENTENCES}": _sentences, f"{_BASE}/{_GENERATIONS}": _generations}


def _modules(kind: str, entry: str = f"{_BASE}/alone.js") -> dict[str, str]:
    """The scripts that a figure needs by their names, with imports by these names."""
    found: dict[str, str] = {}
    waiting = [entry, f"{_BASE}/kinds/{kind}.js"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        text = _MADE[name]() if name in _MADE else script_text(name)
        found[name] = _renamed(name, text)
        # The kinds are loaded when they are needed, and only one of them is.
        needed = [_name(name, match[2]) for match in _IMPORT.finditer(text) if "(" not in match[1]]
        waiting += needed
    return found


def _renamed(script: str, text: str) -> str:
    """The text of a script whose imports name scripts as a file does."""
    return _IMPORT.sub(lambda match: f'{match[1]}"{_name(script, match[2])}"', text)


def _name(importer: str, target: str) -> str:
    """The name of a script that another one imports."""
    parts = list(PurePosixPath(importer).parent.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            if parts:
                parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _address(script: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(script.encode()).decode()}"
