"""`serve`: the application under waitress, on this machine only by default."""

from __future__ import annotations

import sys
import threading
import webbrowser
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rl_toolkit.kernels.compiling.warm_up import WarmUp
from rl_toolkit.web import HOST, PORT
from rl_toolkit.web.api import SEARCHES
from rl_toolkit.web.app import create_app
from rl_toolkit.web.arena.hall import Hall
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.learn.live import WORKSPACE
from rl_toolkit.web.learn.workspace import Workspace
from rl_toolkit.web.library.pages import SHELF
from rl_toolkit.web.serving.host_check import is_loopback, names_of
from rl_toolkit.web.serving.job_pool import QUICK_SLOTS
from rl_toolkit.web.serving.limits import ServerLimits

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
    own_folder: Path | None = None,
    library: Path | None = None,
    trusted_proxy: str | None = None,
) -> Any:
    """A waitress server, listening but not yet serving; ``run()`` serves until ``close()``.

    ``effective_port`` is the port chosen for port 0, ``app`` the application. ``names``,
    ``warm_up``, ``engines``, ``games``, the folders and the library are as in `create_app`.
    Requests from the address ``trusted_proxy`` are those of the clients that it names in
    ``X-Forwarded-For``; from other addresses that header is ignored.
    """
    from waitress import create_server

    from rl_toolkit.web.serving.connections import Connections, Threads

    limits = limits or ServerLimits()
    listening: dict[int, Any] = {}
    known = names_of(host, names)
    only_here = is_loopback(host) and not names and not trusted_proxy
    app = create_app(
        limits, known, warm_up, engines, games, lab_folder, own_folder, library, only_here
    )
    server = create_server(
        app,
        map=listening,
        _dispatcher=Threads(limits.slots + QUICK_SLOTS + 2 * limits.queue + _SPARE_THREADS),
        host=host,
        port=port,
        connection_limit=limits.connections,
        asyncore_use_poll=True,  # select takes no more than 1,024 files
        trusted_proxy=trusted_proxy,
        trusted_proxy_headers={"x-forwarded-for"} if trusted_proxy else (),
        clear_untrusted_proxy_headers=True,
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
            listener.channel_class = Connections(limits, trusted_proxy)
    if not hasattr(server, "effective_port"):  # a name that has several addresses
        server.effective_port = server.effective_listen[0][1]
    server.app = app
    return server


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
    own_folder: Path | None = None,
    library: Path | None = None,
    trusted_proxy: str | None = None,
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
        own_folder=own_folder,
        library=library,
        trusted_proxy=trusted_proxy,
    )
    student: Workspace | None = server.app.extensions[WORKSPACE]
    shown = f"[{host}]" if ":" in host else "localhost" if host == HOST else host
    site = f"http://{shown}:{server.effective_port}"
    address = f"{site}/{quote(page, safe='/?=&%+')}"
    hall: Hall = server.app.extensions[HALL]
    print(f"Serving {address} until Ctrl-C.", file=sys.stderr, flush=True)
    token = f" with the token {hall.token}" if hall.needs_token else ""
    print(f"Tournaments are started at {site}/arena{token}", file=sys.stderr)
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
        server.app.extensions[SHELF].close()
        server.app.extensions[SEARCHES].first_answers.close()
        warm_up.stop()
        server.close()


def _import_engines() -> None:
    """Import what the first search needs."""
    from rl_toolkit.kernels import jit  # noqa: F401
