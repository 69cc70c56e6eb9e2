"""A server and a real Chromium for tests; a plugin for test files: ``pytest_plugins``.

Tests skip where no browser can be had. Every page fails its test if the console has an error.
Pages share one browser context, and so what they have loaded before, unless they ask for options
of their own.
"""

import os
import shutil

import pytest
from web_page import PATIENCE
from web_running import running_server

from rl_toolkit.web import ServerLimits


def find_chromium():
    """The system's Chromium, or ``None``."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
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
        running = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield running
        running.close()


@pytest.fixture(scope="session")
def web_server():
    """The address of a server that lives as long as the tests."""
    with running_server(ServerLimits(time=10)) as server:
        yield f"http://127.0.0.1:{server.effective_port}"


@pytest.fixture(scope="session")
def usual_context(browser):
    context = browser.new_context(accept_downloads=True)
    yield context
    context.close()


@pytest.fixture
def open_page(browser, web_server, usual_context):
    """``open_page("/tictactoe?…", width=…, …)``: the page, ready to be played on.

    With ``refusals`` the server may refuse something, which Chromium notes on the console.
    """
    opened_here, problems = [], []

    def opened(address, width=1440, height=900, refusals=False, **options):
        def hear(message):
            refused = refusals and "status of 400" in message.text
            if message.type in ("error", "warning") and not refused:
                problems.append(message.text)

        context = browser.new_context(**options) if options else usual_context
        page = context.new_page()
        opened_here.append(context if options else page)
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        page.on("console", hear)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(web_server + address)
        if address.split("?")[0] != "/":
            page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
        return page

    yield opened
    for page_or_context in opened_here:
        page_or_context.close()
    assert problems == []
