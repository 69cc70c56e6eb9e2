"""The trees on the page: they agree with the analysis and say where they stopped."""

import pytest
from web_page import PATIENCE, cell, pieces

pytest_plugins = ["web_browser", "web_engines"]
pytestmark = pytest.mark.usefixtures("patient_trees")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
TWO_PEOPLE = "x=human&o=human"


def grow(page, kind, depth="1"):
    page.click("#tab-tree")
    page.select_option("#tree-levels", depth)
    page.click(f"#grow-{kind}")
    expect(page.locator("#tree-legend")).to_be_visible()


def labels(page):
    """``{"c": "Yellow wins in 18 moves", …}`` for the first ply."""
    texts = page.locator("#tree .node[data-path] text").all_text_contents()
    return dict(text.split(" ", 1) for text in texts if " " in text)


def test_the_minimax_tree_agrees_with_thinking(open_page):
    page = open_page(f"/connect-four?{TWO_PEOPLE}&mode=analyse&moves=d+d+d+d+e")
    expect(page.locator("#verdict")).to_have_text("Yellow wins in 18 moves")
    page.click("#all-lines")
    chips = page.locator("#lines .worth-chip").evaluate_all(
        "chips => chips.map(chip => chip.ariaLabel.match(/: play (.), (.*)/).slice(1))"
    )
    thought = dict(chips)
    assert len(thought) == 7
    grow(page, "game")
    expect(page.locator("#tree-state")).to_contain_text("exact: Yellow wins in 18 moves.")
    expect(page.locator("#tree-legend")).to_contain_text("Solid outline: proven.")
    expect(page.locator("#tree-dashed")).to_be_hidden()  # all is proven
    as_yellow = {
        name: text.replace("Yellow wins", "wins").replace("Red wins", "loses")
        for name, text in labels(page).items()
    }
    assert as_yellow == thought
    best = page.locator("#tree .link.best")
    expect(best).to_have_count(sum(text.startswith("wins") for text in thought.values()))


def test_what_was_not_searched_has_no_colour_and_is_not_best(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=a1")
    node = {"name": None, "move": None, "mover": None, "player": -1, "over": False, "best": True,
            "cut_off": False, "value": 0.1, "proven": False, "label": "X ≈ 55 %", "moves": 2,
            "text": "X ≈ 55 %", "children": []}  # fmt: skip
    known = {**node, "name": "b2", "move": 4}
    unknown = {**node, "name": "c3", "move": 8, "value": None, "label": "?", "best": False}
    tree = {**node, "children": [known, unknown]}
    page.route("**/api/game-tree", lambda route: route.fulfill(json={
        "tree": tree, "engine": "minimax", "depth": 1, "nodes": 3, "cut_off": 0,
        "notes": ["Depth 2 would be 47,962 nodes; showing depth 1.",
                  "Time ran out: 1 move not searched."]}))  # fmt: skip
    grow(page, "game")
    for note in ("Depth 2 would be 47,962 nodes; showing depth 1.", "Time ran out: 1 move not"):
        expect(page.locator("#tree-state")).to_contain_text(note)
    expect(page.locator('#tree .node[data-path="c3"]')).to_contain_text("c3 ?")
    expect(page.locator("#tree .node.unknown")).to_have_count(1)
    expect(page.locator("#tree .link.best")).to_have_count(1)
    fill = page.locator("#tree .node.unknown rect").evaluate("r => getComputedStyle(r).fill")
    assert fill == "none"


def test_both_trees_are_coloured_by_the_side_that_is_ahead(open_page):
    page = open_page(
        f"/connect-four?{TWO_PEOPLE}&mode=analyse&moves=d+a+d+a+d+a+e"
    )  # Yellow wins at a
    share = "node => +node.style.getPropertyValue('--share')"
    won = page.locator('#tree .node.proven[data-path="a"]')
    grow(page, "game")
    expect(won.locator("rect")).to_be_attached()
    assert won.evaluate(share) == 0  # nothing of it is Red's
    expect(won).to_contain_text("a Yellow wins in 1 move")
    grow(page, "mcts")
    expect(won.locator("circle")).to_be_attached()
    assert won.evaluate(share) == 0
    expect(won).to_contain_text("a Yellow wins in 1 move")
    expect(page.locator("#tree-legend")).to_contain_text("Red ahead")
    expect(page.locator("#tree-legend")).to_contain_text("Yellow ahead")


def test_the_board_follows_the_tree_and_depth_acts_at_once(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=a1+a2+b1+b2")
    grow(page, "game")
    root = page.locator('#tree .node[data-path=""] text')
    expect(root).to_have_text("now")
    page.locator('#tree .node[data-path="c3"]').click()
    expect(root).to_have_text("c3")
    expect(page.locator(".piece")).to_have_count(5)
    assert pieces(page)["c3"] == "x"
    expect(page.locator("#notice")).to_contain_text("after c3. Your game is unchanged.")
    expect(page.locator("#moves .move")).to_have_count(4)
    before = page.locator("#tree .node").count()
    page.select_option("#tree-levels", "2")
    expect(page.locator("#tree .node")).not_to_have_count(before)
    expect(root).to_have_text("c3")
    page.locator("#tree-path button").first.click()
    expect(root).to_have_text("now")
    expect(page.locator(".piece")).to_have_count(4)
    cell(page, "c1").click()
    expect(page.locator("#status")).to_have_text("X wins")


def test_a_tree_can_have_the_whole_window(open_page):
    page = open_page("/tictactoe?x=human&o=human&mode=analyse&moves=b2+a1", width=844, height=390)
    page.click("#tab-tree")
    page.click("#grow-game")
    expect(page.locator("#tree .node").first).to_be_visible()
    page.click("#tree-full")
    box = page.locator("#tree-view").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 844, 390)
    expect(page.locator("#tree-full")).to_be_focused()
    assert page.locator("#back").evaluate("button => button.closest('[inert]') !== null")
    page.keyboard.press("Escape")
    expect(page.locator("#tree-full")).to_have_text("Full screen")
    page.click("#back")
    expect(page.locator(".piece")).to_have_count(1)


def test_a_tree_has_one_tab_stop_and_arrows(open_page):
    two_columns_are_full = "+".join("ddddddccccccab")
    page = open_page(f"/connect-four?{TWO_PEOPLE}&mode=analyse&moves={two_columns_are_full}")
    grow(page, "game", "2")
    expect(page.locator("#tree .node")).to_have_count(1 + 5 + 5 * 5)
    assert page.locator("#tree [tabindex='0']").count() == 1
    page.keyboard.press("Tab")  # from now on arrows belong to what has the focus
    page.locator("#tree [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tree .node[role=button]").nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator("#tree .node[role=button]").last).to_be_focused()
    assert page.locator("#tree [tabindex='0']").count() == 1


def test_where_the_game_is_over_there_is_no_tree_to_ask_for(open_page):
    page = open_page(f"/tictactoe?{TWO_PEOPLE}&mode=analyse&moves=a1+a2+b1+b2+c1")
    page.click("#tab-tree")
    expect(page.locator("#tree-state")).to_have_text("The game is over here.")
    expect(page.locator("#grow-mcts")).to_be_disabled()
    expect(page.locator("#grow-game")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.locator("#tree-state")).to_contain_text("Show a tree")
    expect(page.locator("#grow-mcts")).to_be_enabled()
