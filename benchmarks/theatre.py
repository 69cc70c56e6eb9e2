"""What a step costs on stage, and what the pages of the theatre weigh.

A step is drawn in Chromium with a forced layout after it: forward one by one, back one by one, and
jumps to random moments. What counts is the processor time of script, styles and layout, which
does not depend on how busy the machine is; it should stay below 8 ms at the 95th percentile. The
first trace has more than 20,000 events, and so have both tree searches; those get the middle of
their simulations from the server first. Pages weigh what they load uncompressed, without traces.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks import Row
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.server import make_server

STEPS = 300
STAGES = {
    "Tic-Tac-Toe, empty, alpha-beta with ordering": "search?game=tictactoe&ordering=on&depth=",
    "Tic-Tac-Toe, 5 empty squares": "search?game=tictactoe&position=x1o/1x1/2o x",
    "Connect Four, depth 4": "search?game=connect-four&position=4453&depth=4",
    "Tic-Tac-Toe, tree search": "mcts?game=tictactoe&simulations=3000",
    "Connect Four, tree search": "mcts?game=connect-four&simulations=1000",
}
PAGES = ("", "/search", "/mcts", "/workbench", "/bandits", "/experiments")
_EVENTS = "() => theatre.model?.T ?? theatre.recording.length"
_GO = """t => {
  theatre.transport.go(t);
  return document.querySelector('#stage, #box').getBoundingClientRect().height;
}"""
#: Whether the steps around this moment are there: a tree search gets them from the server.
_THERE = """t => {
  const search = theatre.recording;
  return !search || search.loaded(search.at(t).s);
}"""
#: What Chromium counts of a step: running scripts, styles and layout, in seconds of its thread.
_COUNTED = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
_WEIGHT = """() => [...performance.getEntriesByType('resource'),
  ...performance.getEntriesByType('navigation')].filter(e => !e.name.includes('/api/'))
  .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""


@contextmanager
def _browser() -> Iterator[tuple[Any, str]]:
    """Chromium, and the address of a server."""
    import shutil

    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    server = make_server(port=0, limits=ServerLimits(trace_time=60, time=60))
    threading.Thread(target=server.run, daemon=True).start()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running, f"http://127.0.0.1:{server.effective_port}"
        running.close()


def _step_times(page: Any, kind: str, events: int) -> list[float]:
    """Milliseconds of each step, sorted."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    rng, steps = random.Random(1), min(STEPS, events - 1)
    first = (events - steps) // 2
    moments = {
        "forward": range(first, first + steps),
        "back": range(first + steps, first, -1),
        "jump": [rng.randrange(events) for _ in range(steps)],
    }[kind]

    def counted() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(sum(each["value"] for each in metrics if each["name"] in _COUNTED))

    page.evaluate(_GO, moments[0])
    page.wait_for_function(_THERE, arg=moments[0], timeout=120_000)
    times = []
    for moment in moments[1:]:
        before = counted()
        page.evaluate(_GO, moment)
        times.append(1000 * (counted() - before))
    session.detach()
    return sorted(times)


def run() -> list[Row]:
    rows: list[Row] = []
    with _browser() as (browser, server):
        for name, query in STAGES.items():
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{server}/theatre/{query}")
            page.wait_for_selector("body[data-ready]", timeout=120_000)
            events = page.evaluate(_EVENTS)
            for kind in ("forward", "back", "jump"):
                times = _step_times(page, kind, events)
                rows.append(
                    {
                        "what": f"{name}: {kind}",
                        "events": events,
                        "ms, median": times[len(times) // 2],
                        "ms, 95th percentile": times[int(0.95 * len(times))],
                        "kB": None,
                    }
                )
            page.close()
        for address in PAGES:
            page = browser.new_context().new_page()
            page.goto(f"{server}/theatre{address}", wait_until="networkidle")
            rows.append(
                {
                    "what": f"/theatre{address}",
                    "events": None,
                    "ms, median": None,
                    "ms, 95th percentile": None,
                    "kB": page.evaluate(_WEIGHT) / 1000,
                }
            )
            page.close()
    return rows
