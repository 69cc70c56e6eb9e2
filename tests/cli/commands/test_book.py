"""`rl-toolkit book`: built, shown, refused when damaged."""


def test_a_book_is_built_shown_and_refused_when_damaged(run, tmp_path):
    path = tmp_path / "small.book"
    built = run("book", "build", "connect-four-4x4x4", "--plies", "3", "-o", str(path))
    assert built.code == 0
    assert "4×4, every position with up to 3 stones" in built.words
    assert run("book", "show", str(path)).words in built.words
    path.write_bytes(path.read_bytes()[:-1])
    assert "No such file" in run("book", "show", "connect-four").err
    damaged = run("book", "show", str(path))
    assert (damaged.code, "damaged" in damaged.err) == (1, True)
    assert run("book", "build", "gomoku", "--plies", "2").code == 2
