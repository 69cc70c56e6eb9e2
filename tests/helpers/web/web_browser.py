"""A server and a real Chromium for tests; a plugin for test files: ``pytest_plugins``.

Tests skip where no browser can be had. Every page fails its test if the console has an error.
Opening a page takes longer than most tests: they share one, and what it has loaded before.

A test must not depend on who is first, the page or the next click. With
``RL_TOOLKIT_TESTS_LATE=300`` the server holds back each answer by 300 ms or less, scripts take
several times as long, and what a page does in a later frame (draw, measure, a timer) comes up to
300 ms later: tests then meet every time what a busy machine does now and then (`make late`).
"""

import os
import random
import shutil
import time

import flask
import pytest
from web_page import ELSEWHERE, FOREVER, HERE, PATIENCE
from web_running import running_server

from rl_toolkit.web import ServerLimits

#: The first has no windows to draw, and takes a third less of the processor's time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

#: Forgets the games and values that pages have kept.
FORGET = """() => new Promise((done) => {
  const asked = indexedDB.deleteDatabase('rl_toolkit');
  asked.onsuccess = asked.onerror = asked.onblocked = () => done();
})"""

#: What the shared page looks like, unless a test wants it otherwise.
LOOK = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "reduce"}

#: Seconds by which answers are held back at most, and how many times as long scripts take then.
LATE, SLOW = float(os.environ.get("RL_TOOLKIT_TESTS_LATE", 0)) / 1000, 6


#: Frames, changes of size and timers reach the page late, each one at another time.
LATE_FRAMES = """(() => {
  const late = () => (0.5 + Math.random() / 2) * LATE;
  const { setTimeout: wait, requestAnimationFrame: frame, ResizeObserver: Sizes } = globalThis;
  const drawLater = (draw) => wait(() => draw(performance.now()), late());
  globalThis.requestAnimationFrame = (draw) => frame(() => drawLater(draw));
  globalThis.ResizeObserver = class extends Sizes {
    constructor(tell) { super((...all) => wait(() => tell(...all), late())); }
  };
  globalThis.setTimeout = (then, ms = 0, ...rest) => wait(then, ms + late(), ...rest);
})()"""


def hold_back():
    """Let an answer of the API wait, each one for another time."""
    if flask.request.path.startswith("/api/"):
        time.sleep(random.uniform(LATE / 2, LATE))


def slow_down(page):
    """Let scripts of the page take `SLOW` times as long, and frames be late, where tests are."""
    if LATE:
        page.add_init_script(LATE_FRAMES.replace("LATE", str(1000 * LATE)))
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})


def find_chromium():
    """The system's Chromium, or ``None``."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return None


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on this machine; `make chromium` installs it where it may")
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with api.sync_playwright() as playwright:
        flags = [
            "--disable-gpu",  # there is none, and imitating one is slow
            f"--host-resolver-rules=MAP {ELSEWHERE} {HERE}",
            *sandbox,
        ]
        running = playwright.chromium.launch(executable_path=path, args=flags)
        yield running
        running.close()


@pytest.fixture(scope="session")
def _served():
    # Nothing is cut short because the machine is busy.
    bounds = ("time", "patience", "trace_time", "experiment_time")
    with running_server(ServerLimits(**dict.fromkeys(bounds, FOREVER))) as server:
        # Scripts do not change while tests run: the browser need not ask for each one again.
        server.app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600
        if LATE:
            server.app.before_request(hold_back)
        yield server


@pytest.fixture(scope="session")
def web_server(_served):
    """The address of a server that lives as long as the tests."""
    return f"http://{HERE}:{_served.effective_port}"


@pytest.fixture(scope="session")
def web_app(_served):
    """The application of that server."""
    return _served.app


@pytest.fixture(scope="session")
def shared_page(browser):
    """A page where nothing glides: no script waits for it, and tests need not either."""
    with browser.new_context(**LOOK) as context:
        page = context.new_page()
        slow_down(page)
        yield page


@pytest.fixture
def open_page(browser, web_server, shared_page):
    """``open_page("/tictactoe?…", width=…, …)``: the page, ready to be played on.

    With ``refusals`` the server may refuse something or not answer, which Chromium notes on the
    console. A second page, one ``alone``, or one with options other than its look shares nothing.
    """
    contexts, pages, problems = [], [], []

    def hear_error(error):
        problems.append(str(error))

    def opened(address, width=1440, height=900, refusals=False, alone=False, **options):
        def hear(message):
            expected = ("status of 400", "net::ERR_")
            refused = refusals and any(words in message.text for words in expected)
            if message.type in ("error", "warning") and not refused:
                problems.append(message.text)

        if pages or alone or not options.keys() <= LOOK.keys():
            contexts.append(browser.new_context(**options))
            page = contexts[-1].new_page()
            slow_down(page)
        else:
            page = shared_page
            page.emulate_media(**LOOK | options)
        pages.append((page, hear))
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        page.on("console", hear)
        page.on("pageerror", hear_error)
        page.goto(web_server + address)
        if address.split("?")[0] != "/":
            page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        return page

    yield opened
    for page, hear in pages:
        if page is shared_page:  # leave it as if nothing had been there
            page.unroute_all(behavior="ignoreErrors")
            # A file of the same site: from there the next page needs no new process.
            page.goto(f"{web_server}/static/icon.svg")
            # Not before: a late answer could still have been kept by the page.
            page.evaluate("sessionStorage.clear(); localStorage.clear()")
            page.evaluate(FORGET)
            page.mouse.move(0, 0)  # nothing of the next page lies under the pointer
        page.remove_listener("console", hear)
        page.remove_listener("pageerror", hear_error)
    for context in contexts:
        context.close()
    assert problems == []
