"""The page of puzzles as a visitor meets it: wrong, why, hints, solved; a set; on a phone."""

import csv
import json
import re
from pathlib import Path

import pytest
from web_page import PATIENCE, axe, cell

from rl_toolkit.puzzles import shipped

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)

WIDTH_OF_THE_GAME = """() => {
  const choice = document.querySelector("#game");
  const pen = document.createElement("canvas").getContext("2d");
  const { font, paddingLeft, paddingRight } = getComputedStyle(choice);
  pen.font = font;
  const words = pen.measureText(choice.selectedOptions[0].text).width;
  return words + parseFloat(paddingLeft) + parseFloat(paddingRight);
}"""


def play(page, env, move):
    """Click where a move lands, once the board shows the position and takes moves."""
    stones = sum(1 for cell in env.board if cell)
    expect(page.locator("#board .piece")).to_have_count(stones)
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


def test_a_move_that_takes_long_to_judge_says_so_until_it_is_judged(open_page):
    puzzle = next(each for each in shipped("connect-four") if each.kind == "win" and each.missed)
    page = open_page(f"/puzzles?id={puzzle.name}", alone=True, refusals=True)
    verdict, held = page.locator("#verdict"), []
    page.route("**/api/puzzles/answer", lambda route: held.append(route))
    play(page, puzzle.env(), puzzle.played)
    expect(verdict).to_have_text("Judging your move …")
    held.pop().continue_()
    expect(verdict).to_have_attribute("data-tone", "bad")
    play(page, puzzle.env(), puzzle.played)
    expect(verdict).to_have_text("Judging your move …")
    held.pop().abort()
    expect(verdict).to_have_text("Your move.")
    expect(page.locator("#complaint")).to_be_visible()
    # Without an answer there is no solution to see, and the puzzle can still be solved.
    page.route("**/api/puzzles/solution", lambda route: route.abort())
    verdict.evaluate("e => e.textContent = ''")
    page.click("#solution")
    expect(verdict).to_have_text("Your move.")
    play(page, puzzle.env(), puzzle.line[0])
    expect(verdict).to_have_text("Judging your move …")


def test_next_leaves_the_puzzle_of_the_day_and_skip_one_that_is_due(open_page):
    page = open_page("/puzzles?mode=daily", alone=True)
    expect(page.locator("#meter")).to_contain_text("The puzzle of ")
    expect(page.locator("#next")).to_be_enabled()
    page.click("#next")
    expect(page.locator("#meter")).to_have_text(re.compile(r"^Difficulty \d+$"))
    expect(page.locator('[data-mode="next"]')).to_have_attribute("aria-pressed", "true")
    missed = [
        {"puzzle": each.name, "kind": each.kind, "rating": each.rating, "time": 1e9 + k}
        | {"solved": False, "seconds": 1, "hints": 0, "mode": "next"}
        for k, each in enumerate(shipped("connect-four")[:2])
    ]
    page.evaluate("log => localStorage.setItem('puzzle-attempts', JSON.stringify(log))", missed)
    page.goto(page.url.split("?")[0] + "?mode=next&game=connect-four")
    numbers = {each["puzzle"].rpartition("/")[2] for each in missed}
    while numbers:
        expect(page).to_have_url(re.compile("|".join(numbers)))
        expect(page.locator('#board[aria-readonly="false"]')).to_be_visible()
        numbers = {number for number in numbers if number not in page.url}
        page.click("#next")
    shown = "|".join(each["puzzle"].rpartition("/")[2] for each in missed)
    expect(page).not_to_have_url(re.compile(shown))


def test_answers_that_come_too_late_are_not_shown(open_page):
    page = open_page(f"/puzzles?id={shipped('connect-four')[0].name}", alone=True)
    verdict, said = page.locator("#verdict"), []
    page.expose_function("heard", lambda text: said.append(text))
    verdict.evaluate(
        "e => new MutationObserver(() => heard(e.textContent)).observe(e, { childList: true })"
    )
    late = []  # the first answer is held back
    asked = re.compile("puzzles/(hint|solution)")
    page.route(asked, lambda route: route.continue_() if late else late.append(route))
    hint, solution = re.compile("^(?!Your move|The solution)"), re.compile("^The solution: ")
    for key, other, words in (("h", "s", solution), ("s", "h", hint)):
        late.clear()
        expect(page.locator('#board[aria-readonly="false"]')).to_be_visible()
        with page.expect_request(asked):
            page.keyboard.press(key)
        left = page.url
        page.keyboard.press("n")
        expect(page).not_to_have_url(left)
        expect(page.locator('#board[aria-readonly="false"]')).to_be_visible()
        expect(verdict).to_have_text("Your move.")
        said.clear()
        with page.expect_response(asked):
            late[0].continue_()
        page.keyboard.press(other)  # what is asked now is answered
        expect(verdict).to_have_text(words)
        assert len(said) == 1
        page.keyboard.press("n")


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
    assert axe(page) == []
    expect(page.locator("#meter")).to_have_text(re.compile(r"^Difficulty \d+$"))
    game = page.locator("#game").bounding_box()
    words = page.evaluate(WIDTH_OF_THE_GAME)
    assert words < game["width"] <= 390


def test_a_full_column_says_so(open_page):
    puzzle = next(
        each
        for each in shipped("connect-four")
        if len(each.env().get_legal_moves()) < each.env().cols
    )
    env = puzzle.env()
    full = next(col for col in range(env.cols) if col not in env.get_legal_moves())
    page = open_page(f"/puzzles?id={puzzle.name}", alone=True)
    cell = page.locator(f'#board[aria-readonly="false"] [data-cell="{full}"]')
    cell.click(force=True)  # it is marked as one that cannot be chosen
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^Column \w is full\.$"))
    expect(page.locator("#board .refused")).to_have_count(1)
    assert page.evaluate("localStorage.getItem('puzzle-attempts')") is None


def test_a_reload_keeps_the_mode_and_the_run(open_page):
    page = open_page("/puzzles?mode=daily", alone=True)
    expect(page.locator("#meter")).to_contain_text("The puzzle of ")
    task = page.locator("#task").inner_text()
    page.reload()
    expect(page.locator("#meter")).to_contain_text("The puzzle of ")
    expect(page.locator("#task")).to_have_text(task)
    page.get_by_role("button", name="Mine").click()
    expect(page.locator("#task")).to_contain_text("You have no puzzles of your own yet")
    expect(page.locator("#complaint")).to_be_hidden()
    expect(page.locator("#verdict")).to_be_hidden()
    expect(page).to_have_url(re.compile("mode=mine"))
    page.get_by_role("button", name="Storm").click()
    expect(page).to_have_url(re.compile("mode=storm"))
    kept = {"mode": "storm", "game": page.locator("#game").input_value(), "solved": 3, "tried": []}
    keep = "run => sessionStorage.setItem('puzzle-run', JSON.stringify(run))"
    page.evaluate(keep, {**kept, "end": 1e15})  # milliseconds: in a long time
    page.reload()
    expect(page.locator("#meter")).to_contain_text("3 solved · ")
    page.wait_for_selector("body[data-ready]")
    shown = page.evaluate("sessionStorage.getItem('puzzle-run')")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("sessionStorage.getItem('puzzle-run')") == shown  # the same puzzle
    page.evaluate(keep, {**kept, "end": 1})  # long ago
    page.reload()
    expect(page.locator("#verdict")).to_contain_text("3 puzzles solved in three minutes.")
    expect(page.locator("#next")).to_have_text("Again")


def test_mistakes_are_found_in_the_games_that_the_browser_has_kept(open_page, web_server):
    page = open_page("/tictactoe?x=human&o=human", alone=True)
    for move in ("b1", "a1", "c2", "b2", "c1", "c3"):
        cell(page, move).click()
        expect(cell(page, move).locator(".piece")).to_be_visible()
    expect(page.locator("#end-card")).to_be_visible()
    page.goto(f"{web_server}/puzzles?mode=mine")
    page.wait_for_selector("body[data-ready]")
    page.get_by_role("button", name="Find my mistakes").click()
    said = page.locator("#main")
    expect(said).to_contain_text("1 game looked at: ")
    page.get_by_role("button", name="Find my mistakes").click()
    expect(said).to_contain_text("0 games looked at: 0 new puzzles.")
    page.get_by_role("button", name="Mine").click()
    expect(page.locator("#board .piece").first).to_be_visible()
