"""The site of a student's own page, on this machine only."""

from __future__ import annotations

import sys
import threading
import time
import webbrowser
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from rl_toolkit.course import CourseError
from rl_toolkit.utils import listed, one_line
from rl_toolkit.web import HOST, PORT
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.own_page.files import LARGEST, TYPES, OwnFiles, with_script
from rl_toolkit.web.own_page.solver import OwnSolver
from rl_toolkit.web.server import make_server
from rl_toolkit.web.serving.host_check import is_ours
from rl_toolkit.web.theatre.own import OwnStage

#: Nothing from other hosts; scripts and styles inside the page are the student's own.
_POLICY = "; ".join(
    (
        "default-src 'self' data: blob:",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_OURS = "/__rl_toolkit"
_BODY = 1 << 16
#: What a page says is shown so many times in so many seconds, each of so many characters.
_MOST_SAID, _SECONDS, _LONGEST = 30, 10.0, 400
#: Ports after ours that are tried.
_PORTS = 20
_SCRIPT = Path(__file__).resolve().parent.parent / "static" / "own_page" / "page.js"

StartResponse = Callable[..., Any]
Tell = Callable[[str], object]


class OwnSite:
    """A WSGI application: the student's files, their solver, and for the rest of /api ``ours``."""

    def __init__(self, folder: Path, ours: Any, tell: Tell = print) -> None:
        self.files, self.solver = OwnFiles(folder), OwnSolver(folder)
        self._ours, self._tell = ours, tell
        self._said: deque[float] = deque()
        self.app = self._made()

    def __call__(self, environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = environ.get("PATH_INFO", "")
        if path.startswith("/api/") and path != "/api/ai-move":
            return self._ours(environ, start)  # type: ignore[no-any-return]
        return self.app(environ, start)

    def _made(self) -> Flask:
        app = Flask("own_page", static_folder=None)
        app.config["MAX_CONTENT_LENGTH"] = _BODY
        app.before_request(_foreign_host)
        app.add_url_rule("/api/ai-move", view_func=self._move, methods=["POST"])
        app.add_url_rule(f"{_OURS}/page.js", view_func=self._script)
        app.add_url_rule(f"{_OURS}/version", view_func=self._version)
        app.add_url_rule(f"{_OURS}/said", view_func=self._heard, methods=["POST"])
        app.add_url_rule("/", view_func=self._file, defaults={"address": ""})
        app.add_url_rule("/<path:address>", view_func=self._file)
        app.register_error_handler(HTTPException, _refusal)
        app.after_request(_with_headers)
        return app

    # ------------------------------------------------------------------------------ files

    @staticmethod
    def _script() -> Response:
        return Response(_SCRIPT.read_text("utf-8"), content_type=TYPES[".js"])

    def _version(self) -> Response:
        return jsonify(self.files.version())

    def _file(self, address: str) -> Response:
        if address == "" or address.endswith("/"):
            address += "index.html"
        path = self.files.find(address)
        if path is None and address == "favicon.ico":  # browsers ask for it on their own
            return Response(status=204)
        if path is None:
            return self._missing(address)
        if path.stat().st_size > LARGEST:
            return _sentence(f"{address} is larger than {LARGEST >> 20} MB.", 413)
        kind = TYPES[path.suffix.lower()]
        if not kind.startswith("text/html"):
            return Response(path.read_bytes(), content_type=kind)
        page = with_script(path.read_text("utf-8", errors="replace"))
        return Response(page, content_type=kind)

    def _missing(self, address: str) -> Response:
        if address.endswith((".html", ".htm")):
            pages = self.files.pages()
            there = f"There is {listed(pages)}." if pages else "There is no page in it yet."
            return _sentence(f"There is no {address} in your folder. {there}", 404)
        return _sentence(f"There is no file {address} to show.", 404)

    # -------------------------------------------------------------------------------- API

    def _move(self) -> Response:
        body = request.get_json(silent=True)
        if not isinstance(body, dict):
            return _error("send a JSON object: {board, player, board_size, show_thinking}", 400)
        try:
            answer = self.solver.answer(body)
        except BadRequestError as error:
            return _error(str(error), error.status)
        except CourseError as error:
            self._tell(f"/api/ai-move: {error}")
            return _error(str(error), 500)
        if answer is None:
            return self._toolkit(body)
        status, data = answer
        response = jsonify(data)
        response.status_code = status
        return response

    def _toolkit(self, body: dict[str, Any]) -> Response:
        """The answer of the toolkit to the same request."""
        from werkzeug.test import Client

        found = Client(self._ours).post("/api/ai-move", json=body)
        return Response(found.data, found.status_code, content_type="application/json")

    # ------------------------------------------------------------------- what pages say

    def _heard(self) -> Response:
        """Something that went wrong on the page, for the terminal."""
        data = request.get_json(silent=True)
        text = data.get("text") if isinstance(data, dict) else None
        now = time.monotonic()
        while self._said and now - self._said[0] > _SECONDS:
            self._said.popleft()
        if isinstance(text, str) and len(self._said) < _MOST_SAID:
            self._said.append(now)
            self._tell(f"page: {_printable(text)}")
        return Response(status=204)


def _printable(text: str) -> str:
    return "".join(sign for sign in one_line(text)[:_LONGEST] if sign.isprintable())


def _sentence(text: str, status: int) -> Response:
    from markupsafe import escape

    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Your page</title></head>'
        f'<body style="font: 1.1rem system-ui; margin: 3rem"><p>{escape(text)}</p></body></html>'
    )
    return Response(with_script(page), status, content_type=TYPES[".html"])


def _error(text: str, status: int) -> Response:
    response = jsonify(error=text)
    response.status_code = status
    return response


def _foreign_host() -> Response | None:
    if is_ours(request.headers.get("Host", "")):
        return None
    return _error("this server answers to localhost only", 421)


def _refusal(error: HTTPException) -> Response:
    status = error.code or 500
    text = error.description or "this request cannot be answered"
    return _error(text, status) if request.path.startswith("/api/") else _sentence(text, status)


def _with_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response


# ------------------------------------------------------------------------------- serving


def make_own_server(folder: Path, ours: Any, port: int, tell: Tell = print) -> Any:
    """A server for the folder on the next free port from ``port`` on; ``site`` is its `OwnSite`."""
    from waitress import create_server

    site = OwnSite(folder, ours, tell)
    for number in range(port, port + _PORTS):
        try:
            server = create_server(
                site, host=HOST, port=number, threads=8, connection_limit=100, ident=None
            )
        except OSError:
            if port == 0 or number == port + _PORTS - 1:
                raise
            continue
        server.site = site
        return server
    raise AssertionError


def serve_own_page(
    folder: Path, *, port: int = PORT, open_browser: bool = False, tell: Tell | None = None
) -> None:
    """Serve the toolkit, and on the next free port the student's page, until interrupted."""
    tell = tell or (lambda text: print(text, file=sys.stderr, flush=True))
    ours = _on_free_port(port, folder)
    own = make_own_server(folder, ours.app, int(ours.effective_port) + 1, tell)
    address = f"http://localhost:{own.effective_port}/"
    who = own.site.solver.who()
    tell(f"Your page: {address} until Ctrl-C. A saved file reloads it.")
    tell(f"/api/ai-move is answered by {who or 'the toolkit: there is no solver of yours here'}.")
    tell(toolkit_at(f"http://localhost:{ours.effective_port}/", folder))
    threading.Thread(target=ours.run, name="toolkit", daemon=True).start()
    if open_browser:
        threading.Timer(0.3, webbrowser.open, (address,)).start()
    try:
        own.run()
    finally:
        own.site.solver.close()
        own.close()
        ours.close()


def toolkit_at(address: str, folder: Path) -> str:
    """Where the toolkit is, and its stage if the folder has searches for it."""
    staged = OwnStage(folder).searches()
    return f"The toolkit: {address}" + (
        f"; your searches are on its stage, {address}theatre" if staged else ""
    )


def _on_free_port(port: int, folder: Path) -> Any:
    """Our server on that port, or on one of the next ones if it is taken."""
    for number in range(port, port + _PORTS):
        try:
            return make_server(HOST, number, own_folder=folder)
        except OSError:
            if port == 0 or number == port + _PORTS - 1:
                raise
    raise AssertionError
