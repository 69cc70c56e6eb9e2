"""The arena in a real browser: start with the token, watch, reload, open a game, stop."""

from web_page import PATIENCE

from rl_toolkit.web.arena.pages import HALL

pytest_plugins = ("web_browser",)


def test_a_tournament_is_started_watched_reloaded_and_its_games_opened(open_page, web_app):
    token = web_app.extensions[HALL].token
    page = open_page("/arena", width=390, height=844)
    assert token not in page.content()
    assert page.locator("#now").is_hidden()
    for name in ("easy", "medium", "hard"):
        page.uncheck(f'#levels input[value="{name}"]')
    for name in ("random", "easy"):
        page.check(f'#levels input[value="{name}"]')
    page.fill("#pairing", "2")
    page.select_option("#pause", "0")
    page.locator("#cost", has_text="2 games").wait_for()
    page.fill("#token", token)
    page.click("#begin")
    page.wait_for_selector('body[data-status="done"]', timeout=PATIENCE)
    page.wait_for_selector("#games li:nth-child(2)")
    assert page.locator("#standings tbody tr").count() == 2
    page.wait_for_selector("#boards svg >> nth=1")
    labels = page.locator("#boards svg").evaluate_all("all => all.map(e => e.ariaLabel)")
    assert len(labels) == 2
    assert all("random" in label and "easy" in label for label in labels)
    assert all("opening c2," in label for label in labels)
    assert "1 balanced opening, each from both sides" in page.inner_text("#openings")
    assert "No player leads" in page.inner_text("#scale")
    assert "No player leads" in page.inner_text("#announcer")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.reload()
    page.wait_for_selector("#games li:nth-child(2)", timeout=PATIENCE)
    assert page.locator("#standings tbody tr").count() == 2
    assert page.input_value("#token") == token  # of this tab
    link = page.locator("#games a").first
    said = link.inner_text()
    assert "opening c2" in page.inner_text("#games li >> nth=0")
    link.click()
    page.wait_for_selector("#board .piece", timeout=PATIENCE)
    assert page.locator("#history button").first.inner_text() == "Turn 1: Opening (X) → c2 (5)"
    assert page.locator("#history button").nth(1).inner_text().startswith("Turn 2: AI (O)")
    page.wait_for_selector("#status.final", timeout=PATIENCE)
    drawn = "drawn" in said
    assert ("Draw" in page.inner_text("#status")) == drawn

    # A slow tournament is stopped by the button; its table stays.
    page.go_back()
    page.wait_for_selector("body[data-ready]", timeout=PATIENCE)
    page.fill("#pairing", "20")
    page.select_option("#pause", "1000")
    page.wait_for_selector("#begin:not(:disabled)")
    page.click("#begin")
    page.wait_for_selector("#stop:visible", timeout=PATIENCE)
    page.wait_for_selector("#boards svg", timeout=PATIENCE)
    page.click("#stop")
    page.wait_for_selector('body[data-status="stopped"]', timeout=PATIENCE)
    page.wait_for_selector("#earlier li")
    assert "Stopped" in page.inner_text("#state")
