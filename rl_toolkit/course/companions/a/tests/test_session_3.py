"""Handout A, labs 3.1 and 3.2: names and words."""

from companion import equal, refuses, require, take


def names(name):
    return take("my_names.py", name, 3)


def test_index_and_name():
    """0 is a1, 4 is b2, 8 is c3; and back"""
    for index, name in ((0, "a1"), (4, "b2"), (8, "c3"), (3, "a2")):
        equal(names("index_to_algebraic")(index, 3), name, f"index_to_algebraic({index}, 3)")
        equal(names("algebraic_to_index")(name, 3), index, f"algebraic_to_index({name!r}, 3)")


def test_pairs():
    """(1, 2) is c2: row first, and the row's number is from the top"""
    equal(names("tuple_to_algebraic")((1, 2), 3), "c2", "tuple_to_algebraic((1, 2), 3)")
    equal(tuple(names("algebraic_to_tuple")("c2", 3)), (1, 2), "algebraic_to_tuple('c2', 3)")


def test_validate():
    """validate_position knows the squares of the board"""
    for name, right in (("b2", True), ("c3", True), ("d1", False), ("a4", False), ("", False)):
        equal(bool(names("validate_position")(name, 3)), right, f"validate_position({name!r}, 3)")


def test_names_off_the_board():
    """d1 and a0 are refused on 3x3 (erratum R13)"""
    for name in ("d1", "a0", "b", "2b"):
        refuses(lambda name=name: names("algebraic_to_index")(name, 3), f"the name {name!r} on 3x3")


def test_board_as_text():
    """render_board_ascii shows the letters, the numbers and the pieces"""
    text = names("render_board_ascii")([1, 0, 0, 0, -1, 0, 0, 0, 0], 3)
    require(isinstance(text, str), "render_board_ascii returns the text, it does not print it")
    lines = [line for line in text.splitlines() if line.strip()]
    require(
        all(letter in lines[0].lower() for letter in "abc"), "the first line has the letters a b c"
    )
    rows = [line for line in lines if line.strip()[:1] in "123"]
    equal(len(rows), 3, "lines that begin with the number of a row")
    require("X" in rows[0] and "O" in rows[1], "X stands in row 1 and O in row 2")
    large = [line for line in names("render_board_ascii")([0] * 16, 4).splitlines() if line.strip()]
    require("d" in large[0].lower(), "the first line of a 4x4 board has the letters a b c d")


def test_outcome_words():
    """format_outcome: five words by the AI's value"""
    outcome = take("my_terminal.py", "format_outcome", 3)
    for value, word in ((1, "AI wins"), (0.4, "AI advantage"), (0, "Draw")):
        require(word in outcome(value), f"format_outcome({value}) should say {word!r}")
    for value, word in ((-0.4, "Human advantage"), (-1, "Human wins")):
        require(word in outcome(value), f"format_outcome({value}) should say {word!r}")


def test_outcome_for_the_other_side():
    """seen by the human, +1 is the human's win (erratum R12)"""
    outcome = take("my_terminal.py", "format_outcome", 3)
    said = outcome(1, "human")
    require(
        "Human wins" in said,
        f"format_outcome(1, 'human') is a win of the human, yours says {said!r}. If the AI is O, "
        "turn X's value round before you ask for words",
    )
