"""The page of puzzles as a visitor meets it: wrong, why, hints, solved; a set; on a phone."""

import csv
import json
from pathlib import Path

import pytest
from web_page import PATIENCE

from rl_toolkit.puzzles import shipped

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"


def play(page, env, move):
    """Click where a move lands, once the board takes moves."""
    page.locator(f'#board[aria-readonly="false"] [data-cell="{env.landing_cell(move)}"]').click()


def test_a_puzzle_is_missed_explained_hinted_and_solved(open_page):
    puzzle = next(each for each in shipped("connect-four") if each.kind == "win" and each.missed)
    page = open_page(f"/puzzles?id={puzzle.name}", alone=True)
    env, verdict = puzzle.env(), page.locator("#verdict")
    expect(page.locator("#task")).to_contain_text("to play and win.")
    expect(page.locator("#story")).to_contain_text("What was better?")
    expect(page.locator("#why")).to_be_hidden()
    play(page, env, puzzle.played)
    expect(verdict).to_have_attribute("data-tone", "bad")
    page.click("#why")
    expect(verdict).to_contain_text(env.move_name(puzzle.played))
    expect(page.locator('#board[aria-readonly="false"]')).to_be_visible()
    page.keyboard.press("h")
    expect(verdict).to_contain_text("force the win")
    for ply in range(0, len(puzzle.line), 2):
        play(page, env.after(puzzle.line[:ply]), puzzle.line[ply])
    expect(verdict).to_contain_text("Solved")
    expect(page.locator("#next")).to_have_text("Next")
    expect(page.locator("#standing")).to_contain_text("0 of 1 puzzle solved")
    kept = json.loads(page.evaluate("localStorage.getItem('puzzle-attempts')"))
    assert [(each["puzzle"], each["solved"]) for each in kept] == [(puzzle.name, False)]
    page.keyboard.press("n")
    expect(page.locator("#verdict")).to_have_text("Your move.")
    page.click("#analyse")
    expect(page.locator("#mode-analyse")).to_have_attribute("aria-pressed", "true")


def test_a_set_by_link_ends_with_results_for_a_teacher(open_page):
    some = [each for each in shipped("tictactoe") if each.kind == "take"][:2]
    page = open_page(f"/puzzles?set=tictactoe:{','.join(each.number for each in some)}", alone=True)
    expect(page.locator("#set-list li")).to_have_count(2)
    for number, puzzle in enumerate(some):
        expect(page.locator("#meter")).to_contain_text(f"{number + 1} of 2")
        play(page, puzzle.env(), puzzle.line[0])
        expect(page.locator("#verdict")).to_contain_text("Solved")
        page.click("#next")
    expect(page.locator("#verdict")).to_contain_text("All 2 puzzles are done.")
    page.fill("#solver", "Ada")
    with page.expect_download() as saved:
        page.click("#results")
    rows = list(csv.DictReader(Path(saved.value.path()).read_text().splitlines()))
    assert [(row["name"], row["solved"]) for row in rows] == [("Ada", "1")] * 2


def test_on_a_phone_the_board_and_the_buttons_are_in_sight(open_page):
    page = open_page(
        "/puzzles?game=gomoku-15", width=390, height=844, color_scheme="dark", alone=True
    )
    expect(page.locator('#board[aria-readonly="false"]')).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator("#next").bounding_box()
    assert box["y"] + box["height"] <= 844
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    assert [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found] == []
