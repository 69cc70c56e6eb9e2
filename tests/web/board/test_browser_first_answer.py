"""A page whose engines are being compiled shows who answers first, and keeps no such answer."""

import json

import pytest
from web_page import PATIENCE, cell

from rl_toolkit.web.app import create_app

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)


def test_a_stand_in_is_named_until_the_engine_itself_answers(open_page):
    page = open_page("/tictactoe")
    client, asked, real = create_app().test_client(), [], []

    def found(fields, engine):
        left_out = ("endless", "stand_in", "time")
        question = {name: said for name, said in fields.items() if name not in left_out}
        return client.post("/api/analyse", json={**question, "engine": engine}).get_json()

    def answer(route):
        fields = route.request.post_data_json
        asked.append(fields)
        if real:
            return route.continue_()
        data = {**found(fields, "minimax:depth=1"), "stand_in": True}
        name = "first" if fields.get("endless") else "done"
        waiting = {"kernel": None, "left": "about 7 s left"}
        sent = [(name, data), ("compiling", waiting)][: 2 if name == "first" else 1]
        body = "".join(f"event: {each}\ndata: {json.dumps(said)}\n\n" for each, said in sent)
        return route.fulfill(body=body, content_type="text/event-stream")

    page.route("**/api/search", answer)
    cell(page, "b2").click()
    expect(page.locator("#notice")).to_contain_text("minimax in Python has moved")
    expect(page.locator(".piece")).to_have_count(2)
    page.click("#mode-analyse")
    expect(page.locator("#engine-name")).to_have_text("minimax in Python")
    expect(page.locator("#engine-facts")).to_contain_text("estimate")
    assert [fields["stand_in"] for fields in asked] == [True, True]
    values = page.locator(".hint")
    expect(values).to_have_count(7)
    page.uncheck("#engine-on", force=True)  # no other answer comes: this one stays in sight
    expect(values).to_have_count(7)
    expect(page.locator("#engine-name")).to_have_text("minimax in Python")
    real.append(True)
    page.check("#engine-on", force=True)
    page.click("#back")
    page.click("#forward")  # what the stand-in said was not kept
    expect(page.locator("#engine-name")).to_have_text("minimax")
    expect(page.locator("#engine-facts")).to_contain_text("proven")
