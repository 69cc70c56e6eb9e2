"""A server in a thread of the tests."""

import threading
from contextlib import contextmanager

from rl_toolkit.web.server import make_server


@contextmanager
def running_server(limits, **more):
    """Serve on a free port while the block runs."""
    server, closing = make_server(port=0, limits=limits, **more), threading.Event()

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
        thread.join(10)
