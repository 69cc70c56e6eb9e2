"""Boards as text and as SVG: what stands where, in words and in XML."""

import doctest
import re
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT

from rl_toolkit.utils import board_viz
from rl_toolkit.utils.board_viz import (
    get_index_from_name_rect,
    get_position_name_rect,
    render_board_ascii,
    render_board_plain,
    render_board_svg,
)
from rl_toolkit.utils.svg import canvas, styles
from rl_toolkit.utils.svg.palettes import DISCS, FLIPS, MARKS, STONES
from rl_toolkit.utils.svg.styles import STYLES, star_points

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = list(product(STYLES, ("light", "dark")))

boards = st.tuples(st.integers(1, 16), st.integers(1, 16)).flatmap(
    lambda shape: st.lists(
        st.lists(st.sampled_from([-1, 0, 1]), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def parsed(svg):
    return ElementTree.fromstring(svg)


def child_text(svg, name):
    return parsed(svg).find(f"{SVG}{name}").text


def texts(svg):
    """``{text: (x, y)}`` of everything written on the picture."""
    return {
        node.text: (float(node.get("x")), float(node.get("y")))
        for node in parsed(svg).iter(f"{SVG}text")
    }


def shapes(svg, name, **attributes):
    """The elements called ``name`` with these attributes (``_`` reads as ``-``)."""
    wanted = {key.replace("_", "-"): value for key, value in attributes.items()}
    return [
        node
        for node in parsed(svg).iter(f"{SVG}{name}")
        if all(node.get(key) == value for key, value in wanted.items())
    ]


# --- text ------------------------------------------------------------------------------------


def test_boxed_cells_with_letters_and_numbers():
    assert render_board_ascii(np.array([[1, 0, -1], [0, -1, 0]], dtype=np.int8)).split("\n") == [
        "    a   b   c",
        "  +---+---+---+",
        "1 | X |   | O |",
        "  +---+---+---+",
        "2 |   | O |   |",
        "  +---+---+---+",
    ]


def test_boxed_cells_without_indices():
    assert render_board_ascii([[1, 0]], show_indices=False).split("\n") == [
        "+---+---+",
        "| X |   |",
        "+---+---+",
    ]


def test_boxed_cells_with_row_one_at_the_bottom_and_other_symbols():
    board = [[1, -1], [0, 1]]
    assert render_board_ascii(board, {1: "●", -1: "○", 0: "·"}, row_one_at="bottom").split(
        "\n"
    ) == [
        "    a   b",
        "  +---+---+",
        "2 | · | ● |",
        "  +---+---+",
        "1 | ● | ○ |",
        "  +---+---+",
    ]


def test_row_numbers_of_two_digits_stay_aligned():
    lines = render_board_ascii(np.zeros((10, 2), int)).split("\n")
    assert lines[0] == "     a   b"
    assert lines[2] == " 1 |   |   |"
    assert lines[20] == "10 |   |   |"


def test_wide_and_long_symbols_keep_the_columns_straight():
    wide = render_board_ascii([[1, 0]], {1: "🔴"}, show_indices=False).split("\n")
    assert wide == ["+----+----+", "| 🔴 |    |", "+----+----+"]  # 🔴 takes two columns
    long = render_board_plain([[1, 0, -1]], symbols={0: "..", -1: "abc"}).split("\n")
    assert long == ["   a   b   c", "1  X  ..  abc"]


def test_a_nameless_board_can_still_be_boxed():
    board = [[0] * 27]
    assert render_board_ascii(board, show_indices=False).count("+") == 2 * 28
    with pytest.raises(ValueError, match="columns are named a to z"):
        render_board_ascii(board)


def test_plain_board_with_the_top_row_first():
    board = np.zeros((6, 7), dtype=np.int8)
    board[0, 3], board[1, 3], board[0, 6] = 1, -1, 1
    assert render_board_plain(board, row_one_at="bottom").split("\n") == [
        "  a b c d e f g",
        "6 . . . . . . .",
        "5 . . . . . . .",
        "4 . . . . . . .",
        "3 . . . . . . .",
        "2 . . . O . . .",
        "1 . . . X . . X",
    ]
    assert render_board_plain(board).split("\n")[1] == "1 . . . X . . X"


@given(boards, st.sampled_from(["top", "bottom"]))
def test_plain_text_can_be_read_back(board, row_one_at):
    header, *lines = render_board_plain(board, row_one_at).split("\n")
    assert header.split() == list("abcdefghijklmnop"[: len(board[0])])
    read = {}
    for line in lines:
        number, *cells = line.split()
        read[int(number)] = [{".": 0, "X": 1, "O": -1}[cell] for cell in cells]
    assert [read[number] for number in sorted(read)] == board
    assert (list(read) == sorted(read)) == (row_one_at == "top" or len(board) == 1)


@given(boards)
def test_boxed_lines_are_all_of_one_width(board):
    assert (
        len({len(line) for line in render_board_ascii(board, show_indices=False).split("\n")}) == 1
    )


@given(st.integers(1, 26), st.integers(1, 26), st.data())
def test_rectangular_names_lead_back_to_the_cell(rows, cols, data):
    cell = data.draw(st.integers(0, rows * cols - 1))
    assert get_index_from_name_rect(get_position_name_rect(cell, rows, cols), rows, cols) == cell


def test_rectangular_names_off_the_board():
    assert get_position_name_rect(41, 6, 7) == "g6"
    with pytest.raises(ValueError, match="off the 6×7 board"):
        get_position_name_rect(42, 6, 7)
    with pytest.raises(ValueError, match="off the 6×7 board"):
        get_index_from_name_rect("h1", 6, 7)


# --- boards and symbols that cannot be drawn -------------------------------------------------


@pytest.mark.parametrize("render", [render_board_ascii, render_board_plain, render_board_svg])
@pytest.mark.parametrize(
    ("board", "sentence"),
    [
        ([], "at least one row"),
        ([[]], "at least one row"),
        ([0, 1, 0], "two-dimensional"),
        (np.zeros(9, int), "two-dimensional"),
        (3, "two-dimensional"),
        (None, "two-dimensional"),
        ([[0, 1], [0]], "same length"),
        ([[0, 2]], "a cell holds 0, 1 or -1, not 2"),
        ([[0.5, 1]], "a cell holds 0, 1 or -1, not 0.5"),
        ([[True, 0]], "a cell holds 0, 1 or -1, not True"),
        ([["X", 0]], "a cell holds 0, 1 or -1, not 'X'"),
        (np.zeros((3, 3, 3), int), "a cell holds 0, 1 or -1"),
    ],
)
def test_what_is_no_board_is_refused(render, board, sentence):
    with pytest.raises(ValueError, match=sentence):
        render(board)


@pytest.mark.parametrize("render", [render_board_ascii, render_board_plain])
@pytest.mark.parametrize("symbols", [{2: "Z"}, {0: ""}, {1: 1}, {1: None}, {1: "X\n"}])
def test_symbols_that_cannot_be_used_are_refused(render, symbols):
    with pytest.raises(ValueError, match="symbol"):
        render([[0]], symbols=symbols)


@pytest.mark.parametrize("render", [render_board_ascii, render_board_plain, render_board_svg])
def test_row_one_is_at_the_top_or_at_the_bottom(render):
    with pytest.raises(ValueError, match="row_one_at is 'top' or 'bottom', not 'left'"):
        render([[0]], row_one_at="left")


# --- SVG -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("style", "theme"), LOOKS)
@given(board=boards, row_one_at=st.sampled_from(["top", "bottom"]), bare=st.booleans())
def test_every_board_is_a_described_image_that_needs_nothing_else(
    style, theme, board, row_one_at, bare
):
    last = len(board) * len(board[0]) - 1
    svg = render_board_svg(
        board,
        style=style,
        theme=theme,
        row_one_at=row_one_at,
        last_move=last,
        winning_line=[0, last],
        legal_moves=[0],
        heat={0: 0.5},
        labels={last: "7"},
        show_coordinates=not bare,
    )
    root = parsed(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text
    assert not re.search(r"<(script|style|image|use|foreignObject)\b|href=|@import", svg)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    defined = {node.get("id") for node in root.iter() if node.get("id")}
    assert set(re.findall(r"url\(#([^)]*)\)", svg)) <= defined


@pytest.mark.parametrize(("style", "theme"), LOOKS)
def test_gradients_of_different_looks_can_share_a_page(style, theme):
    own = set(re.findall(r'id="([^"]*)"', render_board_svg([[1]], style=style, theme=theme)))
    others = {
        name
        for look in LOOKS
        if look != (style, theme)
        for name in re.findall(
            r'id="([^"]*)"', render_board_svg([[1]], style=look[0], theme=look[1])
        )
    }
    assert not own & others


def test_the_longer_side_is_the_size_asked_for():
    for board in (np.zeros((3, 9), int), np.zeros((9, 3), int), np.zeros((3, 3), int)):
        root = parsed(render_board_svg(board, size=np.int64(300)))
        width, height = float(root.get("width")), float(root.get("height"))
        _, _, box_width, box_height = map(float, root.get("viewBox").split())
        assert max(width, height) == pytest.approx(300)
        assert width / height == pytest.approx(box_width / box_height, rel=1e-3)


def test_the_picture_describes_itself():
    board = np.zeros((6, 7), int)
    board[0, :4], board[1, :3] = 1, -1
    svg = render_board_svg(
        board,
        style="discs",
        last_move=3,
        winning_line=[3, 0, 1, 2],
        legal_moves=[4, 10],
        heat={4: -0.5, 10: 1},
        value_texts={10: "Red wins in 1 move"},
    )
    assert child_text(svg, "title") == "Board of 6 rows and 7 columns: 4 red, 3 yellow"
    assert child_text(svg, "desc") == (
        "Red: a1, b1, c1, d1. Yellow: a2, b2, c2. Last move: d1. Winning line: a1, b1, c1, d1. "
        "Legal moves: e1, d2. e1: value -0.50. d2: Red wins in 1 move."
    )
    empty = render_board_svg([[0]])
    assert child_text(empty, "desc") == "X: none. O: none."


@given(st.text(st.characters(), max_size=12))
def test_any_title_and_label_is_escaped(text):
    root = parsed(render_board_svg([[1]], title=text, labels={0: text}))
    # XML reads every kind of line end as \n, and cannot hold some characters at all.
    kept = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
    expected = re.sub("\r\n?", "\n", kept)
    assert (root[0].text or "") == expected
    assert expected in [node.text or "" for node in root.iter(f"{SVG}text")]


def test_markup_in_a_title_stays_text():
    svg = render_board_svg([[0]], title="</title><script>alert(1)</script>", labels={0: '"&<'})
    assert "<script>" not in svg
    assert '"&<' in texts(svg)


def test_axis_labels_stand_beside_their_cells():
    for row_one_at in ("top", "bottom"):
        placed = texts(
            render_board_svg(np.zeros((6, 7), int), row_one_at=row_one_at, labels={8: "here"})
        )
        assert placed["b"][0] == placed["here"][0]
        assert placed["2"][1] == placed["here"][1]
        assert placed["a"][0] < placed["g"][0]
        letters_above = placed["a"][1] < placed["here"][1]
        assert letters_above == (row_one_at == "top")
        assert (placed["1"][1] < placed["6"][1]) == (row_one_at == "top")


def test_axis_labels_can_be_left_out():
    assert texts(render_board_svg([[0, 0]], show_coordinates=False)) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_style_draws_its_own_pieces(theme):
    board = [[1, -1, -1]]
    marks = render_board_svg(board, style="marks", theme=theme)
    assert len(shapes(marks, "path", stroke=MARKS[theme].first)) == 1
    assert len(shapes(marks, "circle", stroke=MARKS[theme].second)) == 2
    discs = render_board_svg(board, style="discs", theme=theme)
    assert len(shapes(discs, "circle", fill=DISCS[theme].first)) == 1
    assert len(shapes(discs, "circle", fill=DISCS[theme].second)) == 2
    for style in ("stones", "flips"):
        svg = render_board_svg(board, style=style, theme=theme)
        first, second = (node.get("id") for node in shapes(svg, "radialGradient"))
        assert len(shapes(svg, "circle", fill=f"url(#{first})")) == 1
        assert len(shapes(svg, "circle", fill=f"url(#{second})")) == 2


def test_pieces_stand_on_the_row_they_belong_to():
    board = np.zeros((6, 7), int)
    board[0, 0] = 1
    placed = {
        row_one_at: shapes(
            render_board_svg(board, style="discs", row_one_at=row_one_at, show_coordinates=False),
            "circle",
            fill=DISCS["light"].first,
        )[0].get("cy")
        for row_one_at in ("top", "bottom")
    }
    assert float(placed["bottom"]) - float(placed["top"]) == 5 * canvas.CELL


def test_heat_grows_with_the_value_and_changes_colour_with_the_sign():
    svg = render_board_svg([[0] * 4], heat={0: 1.0, 1: 0.25, 2: -1, 3: np.float32(-0.25)})
    good = [
        float(node.get("fill-opacity")) for node in shapes(svg, "rect", fill=MARKS["light"].good)
    ]
    bad = [float(node.get("fill-opacity")) for node in shapes(svg, "rect", fill=MARKS["light"].bad)]
    assert len(good) == len(bad) == 2
    assert good == bad
    assert good[0] == pytest.approx(4 * good[1])
    assert 0.5 < good[0] <= 1


def test_legal_moves_get_a_dot_or_a_rim_round_their_label():
    ink = FLIPS["light"].ink
    plain = render_board_svg([[0, 0, 0]], style="flips", legal_moves=[0, 2])
    assert len(shapes(plain, "circle", fill=ink)) == 2
    labelled = render_board_svg([[0, 0, 0]], style="flips", legal_moves=[0, 2], labels={2: "+4"})
    assert len(shapes(labelled, "circle", fill=ink)) == 1
    assert len(shapes(labelled, "circle", stroke=ink)) == 1


def test_the_last_move_is_marked_in_every_style():
    for style, theme in LOOKS:
        accent = STYLES[style](theme).palette.accent
        look = {"style": style, "theme": theme}

        def marked(accent=accent, look=look, **kwargs):
            svg = render_board_svg([[1, -1]], **look, **kwargs)
            return sum(
                accent in (node.get("fill"), node.get("stroke")) for node in parsed(svg).iter()
            )

        assert marked(last_move=1) == marked() + 1
        assert marked(last_move=np.int64(1), labels={1: "12"}) >= marked(labels={1: "12"}) + 1


def test_labels_on_pieces_are_written_in_a_colour_that_shows():
    svg = render_board_svg([[1, -1, 0]], style="stones", labels={0: "p", 1: "q", 2: "r"})
    palette = STONES["light"]
    colours = {node.text: node.get("fill") for node in parsed(svg).iter(f"{SVG}text")}
    assert (colours["p"], colours["q"], colours["r"]) == (
        palette.on_first,
        palette.on_second,
        palette.ink,
    )


def test_a_straight_winning_line_is_struck_through():
    svg = render_board_svg(
        np.eye(4, dtype=int), winning_line=[15, 0, 5, 10], labels={0: "p", 15: "q"}
    )
    (line,) = shapes(svg, "line")
    ends = [(float(line.get(f"x{i}")), float(line.get(f"y{i}"))) for i in (1, 2)]
    assert ends == [texts(svg)["p"], texts(svg)["q"]]


def test_winning_cells_that_form_no_line_are_only_marked():
    svg = render_board_svg(np.ones((3, 3), int), style="stones", winning_line=[0, 1, 2, 5, 8])
    assert shapes(svg, "line") == []
    assert len(shapes(svg, "circle", stroke=STONES["light"].win)) == 5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"last_move": 9}, "index 9 is off the 3×3 board"),
        ({"last_move": -1}, "index -1 is off the 3×3 board"),
        ({"last_move": True}, "whole number, not True"),
        ({"winning_line": [0, 1, 9]}, "index 9 is off"),
        ({"legal_moves": [64]}, "index 64 is off"),
        ({"heat": {9: 0.0}}, "index 9 is off"),
        ({"heat": {0: 1.01}}, r"the heat of cell 0 must be in \[-1, 1\], not 1.01"),
        ({"heat": {0: float("nan")}}, r"must be in \[-1, 1\], not nan"),
        ({"heat": {0: "hot"}}, r"must be in \[-1, 1\], not 'hot'"),
        ({"heat": {0: True}}, r"must be in \[-1, 1\], not True"),
        ({"labels": {9: "x"}}, "index 9 is off"),
        ({"labels": {0: 5}}, "the label of cell 0 must be text, not 5"),
        ({"style": "chess"}, "style is one of marks, discs, stones, flips, not 'chess'"),
        ({"theme": "sepia"}, "theme is 'light' or 'dark', not 'sepia'"),
        ({"size": 0}, "a positive whole number of pixels, not 0"),
        ({"size": True}, "a positive whole number of pixels, not True"),
        ({"size": 99.5}, "a positive whole number of pixels, not 99.5"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        render_board_svg(np.zeros((3, 3), int), **arguments)


def test_star_points_are_symmetric_and_include_the_centre():
    names = {get_position_name_rect(cell, 15, 15) for cell in star_points(15, 15)}
    assert names == {"d4", "l4", "h8", "d12", "l12"}
    assert len(star_points(19, 19)) == 9
    assert len(star_points(9, 9)) == 5
    assert len(star_points(8, 12)) == 4  # no cell is the centre
    assert star_points(6, 15) == []
    for rows, cols in [(7, 9), (15, 15), (19, 21), (13, 14)]:
        cells = set(star_points(rows, cols))
        assert cells == {rows * cols - 1 - cell for cell in cells}
    svg = render_board_svg(np.zeros((15, 15), int), style="stones")
    assert len(shapes(svg, "circle", fill=STONES["light"].line)) == 5


@pytest.mark.parametrize("module", [board_viz, canvas, styles])
def test_the_examples_in_the_docstrings(module):
    failed, tried = doctest.testmod(module)
    assert failed == 0
    assert tried > 0


def test_the_examples_in_the_guide():
    guide = ROOT / "docs" / "reference" / "utils.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 0
