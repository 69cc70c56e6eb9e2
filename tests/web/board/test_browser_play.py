"""Playing on the page, in a real browser: people, engines, moves taken back, links, files."""

import json

import pytest
from web_page import FOREVER, PATIENCE, cell, go_back, new_game, pieces

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


def status(page):
    return page.locator("#status")


def play(page, *names):
    for name in names:
        cell(page, name).click()
        expect(cell(page, name).locator(".piece:not(.early)")).to_be_visible()


def idle(page):
    """Whether the server soon has no search left; what is being compiled is compiled first."""
    for _ in range(PATIENCE // 50):
        health = page.evaluate("fetch('/api/health').then(answer => answer.json())")
        if health["searches"]["running"] == 0:
            return True
        page.wait_for_timeout(50)
    return False


# --- people ---------------------------------------------------------------------------------------


def test_two_people_play_to_the_end(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    play(page, "b2", "a1", "c3")
    for taken in ("a1", "b2"):
        cell(page, taken).click(force=True)
    assert pieces(page) == {"b2": "x", "a1": "o", "c3": "x"}
    play(page, "c1", "b1", "b3", "a3", "c2", "a2")
    expect(status(page)).to_have_text("Draw")
    expect(page.locator("#moves .move b").nth(3)).to_have_text("c1")

    page.click("#card-rematch")  # the winning cells are marked, and nobody moves on
    expect(page.locator(".piece")).to_have_count(0)
    play(page, "a1", "a2", "b1", "b2", "c1")
    expect(status(page)).to_have_text("X wins")
    won = page.locator(".cell.win").evaluate_all("cs => cs.map(c => c.dataset.cell)")
    assert won == ["0", "1", "2"]
    cell(page, "c3").click(force=True)
    assert len(pieces(page)) == 5


def test_connect_four_pieces_fall_and_the_whole_game_lives_in_the_address(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    for name in ("d6", "d6", "d3", "a4"):  # any square of a column means the column
        before = len(pieces(page))
        cell(page, name).click()
        expect(page.locator(".piece:not(.early)")).to_have_count(before + 1)
    played = {"d1": "x", "d2": "o", "d3": "x", "a1": "o"}
    assert pieces(page) == played
    expect(status(page)).to_contain_text("Red to move")

    other = open_page(page.url[page.url.index("/connect") :])
    assert pieces(other) == played


def test_reversi_discs_turn_and_legal_moves_have_dots(open_page):
    page = open_page(f"/reversi?{TWO_PEOPLE}")
    dots = page.locator(".cell.landing").evaluate_all("cs => cs.map(c => c.ariaLabel.slice(0, 2))")
    assert sorted(dots) == ["c4", "d3", "e6", "f5"]
    play(page, "f5")
    expect(page.locator("#score")).to_have_text("4 : 1")
    expect(cell(page, "e5")).to_have_attribute("aria-label", "e5, Black (X)")
    assert pieces(page)["e5"] == "x"


def test_a_pass_in_reversi_is_a_button(open_page):
    page = open_page(f"/reversi?game=reversi-4&start=xo2%2F4%2F4%2F4+o&{TWO_PEOPLE}")
    expect(page.locator("#pass")).to_be_visible()
    page.click("#pass")
    expect(status(page)).to_contain_text("Black to move")
    play(page, "c1")
    expect(status(page)).to_have_text("Black wins")


def test_gomoku_on_another_board_with_the_other_rule(open_page):
    page = open_page("/gomoku")
    new_game(page, opponent="human", size="9", rule="exactly five")
    expect(page.locator(".cell")).to_have_count(81)
    play(page, "e5", "e6")
    assert "game=gomoku-9-standard" in page.url


def test_size_and_length_can_be_chosen_and_nonsense_is_explained(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", refusals=True)
    new_game(page, rows="4", cols="5", length="4")
    expect(page.locator(".cell")).to_have_count(20)
    new_game(page, length="9")
    expect(page.locator("#error-board")).to_have_text(
        "On a 4 × 5 board you need 3 to 5 in a row, not 9."
    )
    expect(page.locator("#complaint")).to_be_hidden()
    expect(page.locator("#setup")).to_be_visible()  # to be corrected
    page.click("#setup-cancel")
    expect(page.locator(".cell")).to_have_count(20)


def test_the_first_move_can_be_chosen_or_random(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    new_game(page, first="o")
    expect(status(page)).to_have_text("O to move")
    play(page, "b2")
    assert pieces(page) == {"b2": "o"}
    seen = set()
    for _ in range(40):
        new_game(page, first="random")
        expect(page.locator(".piece")).to_have_count(0)
        expect(page.locator("#setup")).to_be_hidden()
        seen.add(status(page).inner_text()[0])
        if len(seen) == 2:
            break
        play(page, "b2")  # so that the next new game is seen to begin
    assert seen == {"X", "O"}


#: Collects what screen readers are told from now on.
HEAR = """
window.heard = [];
const announcer = document.querySelector("#announcer");
const hear = () => window.heard.push(announcer.textContent);
new MutationObserver(hear).observe(announcer, { childList: true });
"""


def test_resigning_ends_the_game(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}")
    play(page, "b2")
    page.evaluate(HEAR)
    page.click("#resign")
    expect(status(page)).to_have_text("X wins by resignation")
    expect(page.locator("#announcer")).not_to_contain_text("resign")  # but of the review
    said = [text for text in page.evaluate("window.heard") if "resign" in text]
    assert said == ["1. X played b2. X wins by resignation."]
    cell(page, "a1").click(force=True)
    assert pieces(page) == {"b2": "x"}
    page.reload()
    expect(status(page)).to_have_text("X wins by resignation")


# --- engines -----------------------------------------------------------------------------------


def test_a_perfect_engine_answers_and_taking_back_takes_two_plies(open_page):
    page = open_page("/tictactoe?x=human&o=perfect")
    play(page, "a1")
    expect(page.locator(".piece")).to_have_count(2)
    assert pieces(page)["b2"] == "o"  # all else loses
    expect(status(page)).to_have_text("Your move")
    page.click("#take-back")
    expect(page.locator(".piece")).to_have_count(0)
    expect(page.locator("#moves .move")).to_have_count(2)  # nothing is lost
    page.click("#to-end")
    expect(page.locator(".piece")).to_have_count(2)


def test_a_move_after_one_that_was_taken_back_leaves_a_variation(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1+c3")
    page.click("#take-back")
    play(page, "c1")
    assert pieces(page) == {"b2": "x", "a1": "o", "c1": "x"}
    expect(page.locator("#moves .pair .move.played b")).to_have_text(["b2", "a1", "c1"])
    expect(page.locator("#moves .variation .move b")).to_have_text(["c3"])
    page.reload()
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#moves .variation .move b")).to_have_text(["c3"])


def test_the_engine_opens_where_it_plays_x(open_page):
    page = open_page("/connect-four?x=random&o=human")
    expect(page.locator(".piece")).to_have_count(1)
    expect(status(page)).to_have_text("Your move")
    expect(page.locator("#take-back")).to_be_disabled()


def test_two_engines_step_and_wait_while_somebody_looks_back(open_page):
    moves = "a1+b2+c3+b1+b3+c2+a2"
    page = open_page(f"/tictactoe?x=random&o=random&moves={moves}")
    expect(page.locator("#pause")).to_have_text("Resume")  # a link is not played on at once
    page.click("#step")
    expect(page.locator(".piece")).to_have_count(8)
    expect(page.locator("#pause")).to_have_text("Resume")
    page.click("#back")
    page.click("#back")
    expect(page.locator(".piece")).to_have_count(6)
    expect(page.locator("#pause")).to_have_text("Resume")
    page.click("#to-end")
    held = []  # the first question only
    page.route("**/api/search", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/search"):
        page.click("#pause")
    expect(page.locator("#pause")).to_have_text("Pause")
    held[0].continue_()
    expect(page.locator("#status.final")).to_be_visible()
    for nothing_left_to_do in ("#pause", "#step", "#stop", "#move-now"):
        expect(page.locator(nothing_left_to_do)).to_be_hidden()


def test_an_engine_by_spec_and_a_wrong_one(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}", refusals=True)
    new_game(page, opponent="custom", spec="mcts:simulations=50,seed=1")
    expect(page.locator("#seat-top b")).to_have_text("mcts:simulations=50,seed=1")
    play(page, "b2")
    expect(page.locator(".piece")).to_have_count(2)
    assert "o=mcts" in page.url
    new_game(page, opponent="custom", spec="deepblue")
    play(page, "a1")
    expect(page.locator("#complaint")).to_contain_text("neither a level nor an engine")
    expect(page.locator("#pause")).to_have_text("Resume")


def test_stop_ends_the_search_resume_goes_on_and_leaving_ends_it_too(open_page):
    page = open_page(f"/connect-four?x=human&o=mcts:time={FOREVER}")
    play(page, "d1")
    expect(page.locator("#move-now")).to_be_visible()
    page.click("#stop")
    expect(page.locator("body.thinking")).to_have_count(0)
    assert idle(page)
    assert len(pieces(page)) == 1
    page.click("#pause")
    expect(page.locator("#move-now")).to_have_text("Move now")
    page.click("#move-now")
    expect(page.locator(".piece:not(.early)")).to_have_count(2)

    cell(page, "a6").click()
    expect(page.locator("body.thinking")).to_be_visible()
    expect(page.locator("#move-now")).to_be_visible()
    page.click(".brand")
    expect(page.locator(".cards")).to_be_visible()
    assert idle(page)


# --- going back, links, files ------------------------------------------------------------------


def test_the_list_of_moves_leads_back_and_back_in_the_browser_leaves_the_game(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=b2+a1+c3+c1")
    page.locator("#moves .move").nth(1).click()
    expect(page.locator(".piece")).to_have_count(2)
    assert pieces(page) == {"b2": "x", "a1": "o"}
    assert "at=2" in page.url
    page.click("#to-end")
    expect(page.locator(".piece")).to_have_count(4)
    page.click("#to-start")
    expect(page.locator(".piece")).to_have_count(0)
    page.click("#to-end")
    play(page, "c2")
    page.click("#rematch")
    expect(page.locator(".piece")).to_have_count(0)
    go_back(page)  # to the game before, not one move back
    expect(page.locator(".piece")).to_have_count(5)


def test_a_link_can_be_copied(open_page):
    page = open_page(
        f"/tictactoe?{TWO_PEOPLE}&moves=b2", permissions=["clipboard-read", "clipboard-write"]
    )
    page.click("#share-open")
    page.click("#copy-link")
    expect(page.locator("#link-state")).to_have_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_game_is_saved_and_opened_again(open_page, tmp_path):
    page = open_page(f"/reversi?{TWO_PEOPLE}")
    play(page, "f5", "d6")
    page.click("#share-open")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "game.json"
    download.value.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8"))["moves"] == ["f5", "d6"]
    page.keyboard.press("Escape")
    page.click("#rematch")
    expect(page.locator("#moves .move")).to_have_count(0)
    page.click("#share-open")
    with page.expect_file_chooser() as chooser:
        page.click("#open")
    chooser.value.set_files(path)
    expect(page.locator("#moves .move")).to_have_count(2)
    assert pieces(page)["d6"] == "o"


def test_a_file_of_another_program_is_opened_and_one_of_its_games_chosen(open_page, tmp_path):
    page = open_page(f"/reversi?{TWO_PEOPLE}&moves=f5")
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[2]PB[Ada]PW[Max];B[dc])(;GM[2]PB[Eve]PW[Max];B[dc];W[cc])")

    def choose(file):
        if not page.locator("#share").is_visible():
            page.click("#share-open")
        with page.expect_file_chooser() as chooser:
            page.click("#open")
        chooser.value.set_files(file)

    choose(path)
    expect(page.locator("#chosen-game option")).to_have_text(
        ["1. Ada – Max, unfinished, 1 move", "2. Eve – Max, unfinished, 2 moves"]
    )
    page.click("#choose-cancel")
    expect(page.locator("#moves .move")).to_have_count(1)
    choose(path)
    page.select_option("#chosen-game", "2")
    page.click("#choose-open")
    expect(page.locator("#moves .move")).to_have_count(2)
    assert pieces(page)["c3"] == "o"
    expect(page.locator("#choose-game")).to_be_hidden()
    path.write_bytes(b"\xff" * (1 << 20))
    choose(path)
    expect(page.locator("#error-file")).to_contain_text("This file is too large: up to 785 kB")


def test_a_transcript_can_be_pasted(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}")
    page.click("#share-open")
    page.fill("#paste", "4453")
    page.click("#paste-open")
    expect(page.locator(".piece")).to_have_count(4)


def test_the_board_can_be_flipped(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&moves=a1")
    before = cell(page, "a1").bounding_box()
    page.click("#flip")
    after = cell(page, "a1").bounding_box()
    assert after["x"] > before["x"]
    assert after["y"] > before["y"]
    assert pieces(page) == {"a1": "x"}
