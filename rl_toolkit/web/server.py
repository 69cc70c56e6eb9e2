"""`serve`: the application under waitress, bound to this machine unless told otherwise."""

from __future__ import annotations

import sys
import threading
import webbrowser
from typing import Any

from rl_toolkit.web import HOST, PORT
from rl_toolkit.web.app import create_app
from rl_toolkit.web.limits import ServerLimits

#: Threads beside those that wait for searches: pages and small questions are always answered.
_SPARE_THREADS = 16


def make_server(host: str = HOST, port: int = PORT, limits: ServerLimits | None = None) -> Any:
    """A waitress server, listening but not yet serving; ``run()`` serves until ``close()``.

    ``effective_port`` tells the port where 0 was asked for.
    """
    from waitress import create_server

    limits = limits or ServerLimits()
    return create_server(
        create_app(limits),
        host=host,
        port=port,
        threads=limits.slots + limits.queue + _SPARE_THREADS,
        connection_limit=1000,
        channel_timeout=60,
        # With a look ahead at the connection waitress notices that a client has hung up.
        channel_request_lookahead=1,
        # Bodies up to this size get our sentence; beyond, waitress hangs up with its own.
        max_request_body_size=max(16 << 20, 2 * limits.body_bytes),
        max_request_header_size=1 << 16,
        ident=None,
    )


def serve(
    host: str = HOST,
    port: int = PORT,
    *,
    open_browser: bool = False,
    limits: ServerLimits | None = None,
) -> None:
    """Serve until interrupted; says where on the terminal."""
    server = make_server(host, port, limits)
    shown = f"[{host}]" if ":" in host else "localhost" if host == HOST else host
    address = f"http://{shown}:{server.effective_port}/"
    print(f"Serving {address} until Ctrl-C.", file=sys.stderr, flush=True)
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    if open_browser:
        threading.Timer(0.3, webbrowser.open, (address,)).start()
    try:
        server.run()
    finally:
        server.close()


def _warm_up() -> None:
    """Import what the first search needs, so that it does not wait for the import."""
    from rl_toolkit.algorithms import mcts, minimax  # noqa: F401
    from rl_toolkit.kernels import jit  # noqa: F401
