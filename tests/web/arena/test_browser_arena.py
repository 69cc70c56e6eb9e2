"""The arena in a real browser: start with the token, watch, reload, open a game, stop."""

from web_page import PATIENCE

from rl_toolkit.web.arena.hall import _Tournament
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.arena.plans import ArenaPlan

pytest_plugins = ("web_browser",)


def test_a_tournament_is_started_watched_reloaded_and_its_games_opened(
    open_page, web_app, monkeypatch
):
    monkeypatch.setattr(web_app.extensions[HALL], "needs_token", True)
    token = web_app.extensions[HALL].token
    page = open_page("/arena", width=390, height=844)
    assert token not in page.content()
    assert page.locator("#now").is_hidden()
    for name in ("easy", "medium", "perfect"):
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
    assert page.locator("#moves .given b").all_inner_texts() == ["c2"]
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


def test_engines_with_options_play_and_the_room_sees_boards_and_table(open_page):
    page = open_page("/arena?game=tictactoe", width=1024, height=768)
    assert page.locator("#token").is_hidden()  # only this machine reaches the server
    for name in ("easy", "medium", "perfect"):
        page.uncheck(f'#levels input[value="{name}"]')
    page.check('#levels input[value="random"]')
    page.fill("#more", "mcts:simulations=20\n")
    page.fill("#pairing", "2")
    page.select_option("#pause", "0")
    page.locator("#cost", has_text="2 players, 2 games").wait_for()
    page.click("#begin")
    page.wait_for_selector('body[data-status="done"]', timeout=PATIENCE)
    link = page.locator("#standings a", has_text="random")
    link.wait_for(timeout=PATIENCE)
    page.keyboard.press("p")
    page.wait_for_selector(":root[data-presenter]")
    assert page.locator("#setup").is_hidden()
    boards, table = (
        page.locator("#boards").bounding_box(),
        page.locator("#standings").bounding_box(),
    )
    assert boards["x"] + boards["width"] <= table["x"]
    assert max(box["y"] + box["height"] for box in (boards, table)) <= 768
    page.keyboard.press("o")
    page.wait_for_selector("#setup:visible")
    page.keyboard.press("p")
    link.click()
    page.locator("h1", has_text="random").wait_for(timeout=PATIENCE)
    assert "Who beat random?" in page.inner_text("main")


def test_a_game_that_was_not_played_is_said_beside_the_table(open_page, web_app, monkeypatch):
    now = _Tournament(99, ArenaPlan("tictactoe", ("random", "easy"), 2, 1, 0.0), "done")
    row = {"rating": 0.0, "interval": None, "points": 1.0, "games": 1, "seconds_per_move": 0.001}
    row["place"] = 1  # they are equal
    players = [{**row, "rank": 1, "name": "easy"}, {**row, "rank": 2, "name": "random"}]
    crosstable = [{"players": ["easy", "random"], "games": 1, "won": 1, "drawn": 0, "lost": 0}]
    now.table = {
        **{"players": players, "crosstable": crosstable, "anchor": "random", "first_move": 0.0},
        "not_played": "1 of 2 games was not played",
    }
    board = {"players": ["random", "easy"], "winner": None, "ended_by": "not played"}
    now.games = [{**board, "moves": "b2 a1", "plies": 2, "opening": 1}]
    now.boards[0] = {**board, "board": 0, "cells": [0] * 9, "last": None, "ply": 2, "player": 1}
    monkeypatch.setattr(web_app.extensions[HALL], "_now", now)
    page = open_page("/arena")
    page.wait_for_selector("#games li")
    assert "1 of 2 games; 1 of 2 games was not played" in page.inner_text("#state")
    assert page.locator("#standings tbody td:first-child").all_inner_texts() == ["1", "1"]
    assert page.inner_text("#games li") == (
        "random – easy: not played, tried twice and left after 2 moves, opening b2"
    )
    label = page.locator("#boards svg").first.get_attribute("aria-label")
    assert label.endswith("not played")
    assert page.locator("#boards .turn, #boards .won").count() == 0
