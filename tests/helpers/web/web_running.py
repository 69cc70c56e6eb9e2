"""A server in a thread of the tests, and what an application offers."""

import threading
import time
from contextlib import contextmanager

from stopping import PATIENCE
from waitress import wasyncore

from rl_toolkit.players import register_engine, registry
from rl_toolkit.web.api import OFFERED
from rl_toolkit.web.exchange.offered import OfferedEngines
from rl_toolkit.web.server import make_server


def let_offer(app, kind, monkeypatch):
    """Register a kind of engine, and let ``app`` offer it as if it had been there at the start."""
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register_engine(kind)
    monkeypatch.setitem(app.extensions, OFFERED, OfferedEngines.named(()))


def eventually(condition):
    """Whether the condition becomes true in a time that is long enough on a busy machine."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if condition():
            return True
        time.sleep(0.01)
    return False


@contextmanager
def running_server(limits, port=0, **more):
    """Serve on ``port``, or on a free one, while the block runs."""
    server, closing = make_server(port=port, limits=limits, **more), threading.Event()

    def run():
        try:
            server.run()
        except (OSError, ValueError):  # the loop may wait for sockets that have just been closed
            if not closing.is_set():
                raise

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        closing.set()
        server.close()
        # A browser keeps its connections open, and the loop would wait for them.
        wasyncore.close_all(server._map, ignore_all=True)
        thread.join(10)
