"""`serve`: the application under waitress, on this machine only by default."""

from __future__ import annotations

import json
import sys
import threading
import webbrowser
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rl_toolkit.web import HOST, PORT
from rl_toolkit.web.api import OUR_MISTAKE
from rl_toolkit.web.app import HEADERS, SENTENCES, create_app
from rl_toolkit.web.arena.hall import Hall
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.host_check import names_of
from rl_toolkit.web.learn.live import WORKSPACE
from rl_toolkit.web.learn.workspace import Workspace
from rl_toolkit.web.limits import ServerLimits
from rl_toolkit.web.warmup import WarmUp

#: Threads beyond those that wait for searches, so that pages are always answered.
_SPARE_THREADS = 16


def make_server(
    host: str = HOST,
    port: int = PORT,
    limits: ServerLimits | None = None,
    *,
    names: Collection[str] = (),
    warm_up: WarmUp | None = None,
    engines: Collection[str] = (),
    games: Collection[str] = (),
    lab_folder: Path | None = None,
) -> Any:
    """A waitress server, listening but not yet serving; ``run()`` serves until ``close()``.

    ``effective_port`` is the port chosen for port 0, ``app`` the application. ``names``,
    ``warm_up``, ``engines``, ``games`` and ``lab_folder`` are as in `create_app`.
    """
    from waitress import create_server

    limits = limits or ServerLimits()
    listening: dict[int, Any] = {}
    app = create_app(limits, names_of(host, names), warm_up, engines, games, lab_folder)
    server = create_server(
        app,
        map=listening,
        host=host,
        port=port,
        threads=limits.slots + limits.queue + _SPARE_THREADS,
        connection_limit=1000,
        channel_timeout=60,
        # With a look ahead at the connection waitress notices that a client has left.
        channel_request_lookahead=1,
        # Bodies up to this size are read to the end; a longer one closes the connection.
        max_request_body_size=max(16 << 20, 2 * limits.body_bytes),
        max_request_header_size=1 << 16,
        ident=None,
    )
    for listener in listening.values():
        if hasattr(listener, "channel_class"):
            listener.channel_class = _channel
    if not hasattr(server, "effective_port"):  # a name that has several addresses
        server.effective_port = server.effective_listen[0][1]
    server.app = app
    return server


def _channel(*where: Any, **how: Any) -> Any:
    """A connection whose errors are sentences in JSON."""
    from waitress.channel import HTTPChannel

    channel = HTTPChannel(*where, **how)
    channel.error_task_class = _error_task
    return channel


def _error_task(channel: Any, request: Any) -> Any:
    from waitress.task import ErrorTask

    request.error = _Refusal(request.error.code, request.error.reason)
    return ErrorTask(channel, request)


class _Refusal:
    """An error that waitress finds, in the words of the application."""

    def __init__(self, code: int, reason: str) -> None:
        self._code, self._reason = code, reason

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and body."""
        text = SENTENCES.get(self._code, OUR_MISTAKE)
        headers = [("Content-Type", "application/json"), *HEADERS.items()]
        return f"{self._code} {self._reason}", headers, json.dumps({"error": text}).encode()


def serve(
    host: str = HOST,
    port: int = PORT,
    *,
    names: Collection[str] = (),
    engines: Collection[str] = (),
    games: Collection[str] = (),
    page: str = "",
    open_browser: bool = False,
    limits: ServerLimits | None = None,
    lab_folder: Path | None = None,
) -> None:
    """Serve until interrupted; the address is printed on the terminal, that of ``page`` if any.

    The work in ``lab_folder`` is checked whenever a file there is saved.
    """
    warm_up = WarmUp()
    server = make_server(
        host,
        port,
        limits,
        names=names,
        warm_up=warm_up,
        engines=engines,
        games=games,
        lab_folder=lab_folder,
    )
    student: Workspace | None = server.app.extensions[WORKSPACE]
    shown = f"[{host}]" if ":" in host else "localhost" if host == HOST else host
    site = f"http://{shown}:{server.effective_port}"
    address = f"{site}/{quote(page)}"
    hall: Hall = server.app.extensions[HALL]
    print(f"Serving {address} until Ctrl-C.", file=sys.stderr, flush=True)
    print(f"Tournaments are started at {site}/arena with the token {hall.token}", file=sys.stderr)
    threading.Thread(target=_import_engines, name="imports", daemon=True).start()
    warm_up.start()
    if student is not None:
        student.start()
    if open_browser:
        threading.Timer(0.3, webbrowser.open, (address,)).start()
    try:
        server.run()
    finally:
        if student is not None:
            student.close()
        hall.close()
        warm_up.stop()
        server.close()


def _import_engines() -> None:
    """Import what the first search needs."""
    from rl_toolkit.kernels import jit  # noqa: F401
