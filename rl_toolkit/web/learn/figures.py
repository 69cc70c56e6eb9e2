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
from importlib.resources import files
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Literal

from flask import Blueprint, Response, abort, render_template, request

from rl_toolkit.envs.hand_trees import TreeNotationError, read_tree
from rl_toolkit.explain.traces import SENTENCES

#: The kinds of figures, and what each shows.
FIGURE_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "tree": "minimax and alpha-beta on a tree whose leaves can be dragged",
        "order": "a regular tree, its moves from the worst order to the best",
        "whole": "all 549,946 nodes of Tic-Tac-Toe, lit where alpha-beta looks",
        "arms": "slot machines, a policy that chooses among them, and its regret",
        "waves": "value iteration over all 5,478 positions of Tic-Tac-Toe",
        "proof": "proof numbers in an AND/OR tree, and a proof to contradict",
        "uct": "a tree of simulations, a bandit at every node",
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
_IMPORT = re.compile(r'(\bfrom\s+|\bimport\s*\(?\s*)"(\.[^"]+)"')
_START = re.compile(r"^  start: \{ (.*) \},$", re.MULTILINE)
_FIELD = re.compile(r'(\w+): ("[^"]*"|true|false|-?[\d.]+)')
_NUMBER, _CUT = re.compile(r"[0-9]+"), re.compile(r"cut([1-9][0-9]*)?")
_WRITTEN = re.compile(r'<pre id="written">(.*?)</pre>', re.DOTALL)
_SECONDS = 60

Format = Literal["svg", "png"]
figures = Blueprint("figures", __name__, url_prefix="/figures")


class FigureError(ValueError):
    """A figure that cannot be made: a kind, field or value that there is not, or no browser."""


@figures.get("/<kind>")
def alone(kind: str) -> str:
    """One figure that fills the window: a link, a page for a projector, a frame elsewhere."""
    if kind not in FIGURE_KINDS:
        abort(404)
    return render_template("learn/figure.html", kind=kind, title=FIGURE_KINDS[kind])


@figures.get("/<kind>.html")
def one_file(kind: str) -> Response:
    """The figure in the state of the address, as one file that needs no server."""
    try:
        page = Figure(kind, request.args.to_dict()).html()
    except FigureError:
        abort(404)
    response = Response(page, mimetype="text/html")
    response.headers["Content-Disposition"] = f'attachment; filename="{kind}.html"'
    return response


@figures.get(f"/{_SENTENCES}")
def sentences() -> Response:
    """The sentences of `rl_toolkit.explain` for the figures: one table for Python and page."""
    return Response(_sentences(), mimetype="text/javascript")


@dataclass(frozen=True)
class Figure:
    """A live figure in some state; `FigureError` for a kind, field or value that there is not.

    >>> figure = Figure("tree", {"tree": "(3 5) (2 9)", "at": "cut"})
    >>> "<title>" in figure.html()
    True

    In a notebook a figure shows itself.
    """

    kind: str
    state: Mapping[str, str | float | bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in FIGURE_KINDS:
            raise FigureError(f"{self.kind!r} is not a figure: {', '.join(FIGURE_KINDS)}")
        known = figure_fields(self.kind)
        for name, value in self.state.items():
            if name not in known:
                raise FigureError(f"{self.kind} has no field {name!r}: {', '.join(known)}")
            _check(name, value, known[name])
        if "tree" in known:
            self._check_tree(str(known["tree"]))

    def _check_tree(self, usual: str) -> None:
        try:
            tree = read_tree(_text(self.state.get("tree", usual)))
        except TreeNotationError as error:
            raise FigureError(f"tree: {error}") from error
        if any(node.named for node in tree.nodes):
            raise FigureError("tree: a figure names the nodes itself, so leave out the names")
        at = _text(self.state.get("at", "end"))
        if at == "end" or _NUMBER.fullmatch(at):
            return
        if self.kind != "tree":
            raise FigureError(f"at is the number of a step or end, not {at!r}")
        if not _CUT.fullmatch(at) and at not in {node.name for node in tree.nodes if node.name}:
            raise FigureError(
                f"at is the number of a step, end, cut, cut2 and so on, or a node such as "
                f"{tree.root.children[0].name}, not {at!r}"
            )

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
        start = {name: _text(value) for name, value in self.state.items()}
        if "tree" in start:
            start["tree"] = read_tree(start["tree"]).text  # the scripts read no brackets
        modules = _modules(self.kind)
        scripts = json.dumps({"imports": {name: _address(text) for name, text in modules.items()}})
        shown = {"data-figure": self.kind, "data-start": json.dumps(start), "data-write": write}
        attributes = "".join(f' {name}="{escape(text)}"' for name, text in shown.items() if text)
        chosen = f' data-theme="{escape(theme)}"' if theme else ""
        style = "\n".join(_static(path) for path in ("css/base.css", "figures/figures.css"))
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
    written = _WRITTEN.search(ran.stdout)
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


def figure_fields(kind: str) -> dict[str, str | float | bool]:
    """The fields of a kind and their values at the start, read from its script."""
    written = _START.search(_static(f"figures/kinds/{kind}.js"))
    assert written is not None, kind
    return {name: json.loads(value) for name, value in _FIELD.findall(written[1])}


def _check(name: str, value: str | float | bool, usual: str | float | bool) -> None:
    text = _text(value)
    if isinstance(usual, bool):
        if text not in ("on", "off"):
            raise FigureError(f"{name} is on or off, not {text!r}")
    elif isinstance(usual, float | int):
        try:
            float(text)
        except ValueError:
            raise FigureError(f"{name} is a number, not {text!r}") from None


def _text(value: str | float | bool) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _static(path: str) -> str:
    return files("rl_toolkit.web").joinpath("static", *path.split("/")).read_text("utf-8")


def _sentences() -> str:
    return f"export const SENTENCES = {json.dumps(SENTENCES, ensure_ascii=False)};\n"


def _modules(kind: str, entry: str = f"{_BASE}/alone.js") -> dict[str, str]:
    """The scripts that a figure needs by their names, with imports by these names."""
    found: dict[str, str] = {}
    waiting = [entry, f"{_BASE}/kinds/{kind}.js"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        text = _sentences() if name == _SENTENCES else _static(name)
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
    name = "/".join(parts)
    return _SENTENCES if name.endswith(_SENTENCES) else name


def _address(script: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(script.encode()).decode()}"
