"""Scorecards: forced wins, ratings from known levels, positions, the card and its command."""

import json
from html.parser import HTMLParser
from importlib import resources

import pytest
from click.testing import CliRunner

from rl_toolkit.arena.exact_scores import scores_of
from rl_toolkit.arena.grading import Answer, Grade
from rl_toolkit.arena.labelled_samples import Labelled
from rl_toolkit.arena.runs import playing
from rl_toolkit.arena.scorecard import measuring, positions, rating, tactics
from rl_toolkit.arena.scorecard.card import Scorecard
from rl_toolkit.arena.scorecard.card_html import card_html
from rl_toolkit.arena.scorecard.measuring import Effort, measure
from rl_toolkit.arena.scorecard.rating import Opponent, opponents_for, rate
from rl_toolkit.arena.scorecard.subject import check_plays, games_of, spec_of
from rl_toolkit.arena.scorecard.tactics import forced_win_in, forced_wins_of, rates, solve
from rl_toolkit.arena.scorecard.words import interval_text, rating_text, scale_text
from rl_toolkit.cli.program.group import cli
from rl_toolkit.envs import make_game
from rl_toolkit.players import EngineKind, SpecError, make_player, register_engine, registry
from rl_toolkit.records import position_from_text

TINY = Effort(positions=12, puzzles=2, tries=40, opponents=2, games=2)


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setattr(tactics, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))


def wins_in(env, moves):
    """Whether the side to move forces a win within that many moves of its own; by brute force."""
    if moves == 0:
        return False
    for move in env.get_legal_moves():
        after = env.copy()
        after.step(move)
        if after.is_terminal():
            if after.winner == env.current_player:
                return True
            continue
        replies = []
        for reply in after.get_legal_moves():
            later = after.copy()
            later.step(reply)
            replies.append(not later.is_terminal() and wins_in(later, moves - 1))
        if all(replies):
            return True
    return False


# ------------------------------------------------------------------------------- tactics


def test_puzzles_are_forced_wins_of_their_length_and_few_moves_win():
    puzzles = forced_wins_of("tictactoe", 3, 80)
    assert {puzzle.moves for puzzle in puzzles} >= {1, 2}
    for puzzle in puzzles:
        env = position_from_text("tictactoe", puzzle.position)
        assert wins_in(env, puzzle.moves)
        assert not wins_in(env, puzzle.moves - 1)
        scores = scores_of(env)
        assert set(puzzle.winning) == {move for move, score in scores.items() if score > 0}
        assert 2 * len(puzzle.winning) <= len(scores)
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles)


def test_puzzles_are_kept_and_read_again(tmp_path, monkeypatch):
    found = forced_wins_of("tictactoe", 2, 30)
    monkeypatch.setattr(tactics, "forced_win_in", lambda env: pytest.fail("it was searched again"))
    assert forced_wins_of("tictactoe", 2, 30) == found
    file = next((tmp_path / "cache" / "puzzles").iterdir())
    file.write_text("[{")
    with pytest.raises(pytest.fail.Exception, match="searched again"):
        forced_wins_of("tictactoe", 2, 30)


def test_perfect_play_finds_every_win_and_the_first_move_does_not():
    puzzles = forced_wins_of("tictactoe", 4, 80)
    assert all(each.found for each in solve("tictactoe", "perfect", puzzles))
    blind = solve("tictactoe", "first", puzzles)
    assert {each.found for each in blind} == {True, False}
    for each in blind:
        assert each.found == (each.move in each.win.winning)
    found = rates(blind)
    assert sum(rate.of for rate in found.values()) == len(puzzles)
    assert sum(rate.right for rate in found.values()) == sum(each.found for each in blind)


def test_a_game_of_counting_has_no_puzzles():
    assert forced_wins_of("reversi-6", 2, 10) == []


def test_without_exact_scores_a_move_wins_if_the_answer_is_proven_lost():
    env = make_game("gomoku-9")
    for name in ("e5", "a1", "e6", "a9", "e4", "i1"):  # three in a row, open at both ends
        env.step(env.parse_move(name))
    puzzle = forced_win_in(env)
    assert (puzzle.moves, puzzle.exact) == (2, False)
    wins, loses = env.parse_move("e7"), env.parse_move("i9")
    bare = tactics.ForcedWin(puzzle.position, puzzle.moves, (), exact=False)
    assert tactics._wins(env.copy(), bare, wins)
    assert not tactics._wins(env.copy(), bare, loses)
    assert not tactics._wins(env.copy(), bare, env.parse_move("e5"))  # it is occupied


# -------------------------------------------------------------------------------- rating


def test_known_ratings_of_opponents_are_taken_as_they_are(monkeypatch):
    known = {"random": (0.0, 0.0), "easy": (300.0, 30.0)}
    monkeypatch.setattr(rating, "ladder_ratings", lambda game: known)
    found = rate("tictactoe", "greedy", ["random", "easy"], 10)
    assert found.measured
    assert [each.rating for each in found.opponents] == [0.0, 300.0]

    def expected(opponent):
        return 1 / (1 + 10 ** ((opponent.rating - found.rating) / 400))

    points = sum(each.points for each in found.opponents) + 0.5  # with the imagined draw
    games = [each.games + 0.5 for each in found.opponents]
    assert sum(
        count * expected(each) for count, each in zip(games, found.opponents, strict=True)
    ) == pytest.approx(points, abs=1e-6)
    low, high = found.interval
    assert low < found.rating < high
    assert "measured ratings" in scale_text(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_without_known_ratings_random_play_is_zero_and_the_card_says_so(monkeypatch):
    monkeypatch.setattr(rating, "ladder_ratings", lambda game: {})
    found = rate("tictactoe", "greedy", ["random"], 4)
    assert not found.measured
    assert found.rating > 0
    assert "were not measured" in scale_text(found)


@pytest.mark.parametrize(("engine", "end"), [("perfect", 1), ("first", 0)])
def test_who_wins_or_loses_every_game_has_a_bound_only(monkeypatch, engine, end):
    class Result:
        matches = ()

    faced = [Opponent("easy", 10.0 * end, 10, 500.0)]
    found, interval = rating._against_known(Result(), engine, faced, {"easy": (500.0, 0.0)})
    assert interval[end] is None
    assert interval[1 - end] is not None
    assert (found > 900) if end else (found < 100)
    estimate = rating.RatingEstimate(found, interval, True, tuple(faced), 0, 0.0)
    assert rating_text(estimate).startswith("at least" if end else "at most")
    assert "?" in interval_text(interval)


def test_opponents_are_spread_over_the_ladder_and_nobody_meets_itself():
    chosen = opponents_for("connect-four", "hard", 4)
    assert len(chosen) == len(set(chosen)) == 4
    assert chosen[0] == "random"
    assert "hard" not in chosen
    assert "random" not in opponents_for("connect-four", "random", 3)
    specs = [make_player("tictactoe", name).spec for name in opponents_for("tictactoe", "first", 9)]
    assert len(set(specs)) == len(specs)


def test_levels_without_a_rating_are_not_played_where_others_have_one(monkeypatch):
    known = {"beginner": (100.0, 9.0), "medium": (500.0, 9.0)}
    monkeypatch.setattr(rating, "ladder_ratings", lambda game: known)
    assert opponents_for("connect-four", "greedy", 4) == ["random", "beginner", "medium"]
    known.clear()
    assert len(opponents_for("connect-four", "greedy", 4)) == 4


# ----------------------------------------------------------------------------- positions


def test_the_worst_mistakes_and_the_hardest_right_answers_are_shown():
    sample = [
        Labelled("x2/3/3 o", {1: 0, 2: -5, 3: -5}),  # gives a draw away
        Labelled("xo1/3/3 x", {2: 3, 3: 2, 4: -1}),  # gives a win away
        Labelled("3/x2/3 o", {0: 0, 1: 0, 2: -4}),  # right, and easy
        Labelled("3/1x1/3 o", {0: 0, 1: -4, 2: -4}),  # right, and hard
        Labelled("3/3/x2 o", {0: 0, 1: 0}),  # nothing can be wrong
    ]
    grade = Grade("tictactoe", "x", sample, [Answer(move, 0.1) for move in (2, 4, 0, 0, 1)])
    bad = positions.weakest(grade, 5)
    assert [each.position for each in bad] == [sample[1].position, sample[0].position]
    assert bad[0].sentence == "X to move. It played b2, which loses; c1 or a2 wins."
    good = positions.strongest(grade, 5)
    assert [each.position for each in good] == [sample[3].position, sample[2].position]
    assert good[0].sentence == "O to move. It played a1, the only move that draws, of 3."
    assert good[1].sentence == "O to move. It played a1, one of 2 moves that draw, of 3."
    assert good[0].to_dict()["good"] == ["a1"]


def test_of_many_good_moves_the_number_is_said():
    sample = [
        Labelled("3/3/3 x", {0: 0, 1: -4, 2: 0, 3: 0, 4: 0}),
        Labelled("x2/3/3 o", {1: -4, 2: 0}),
    ]
    grade = Grade("tictactoe", "x", sample, [Answer(1, 0.1), Answer(1, 0.1)])
    assert [each.sentence for each in positions.weakest(grade, 2)] == [
        "X to move. It played b1, which loses; 4 other moves draw.",
        "O to move. It played b1, which loses; c1 draws.",
    ]


def test_mirror_images_and_swapped_colours_are_shown_once():
    scores = {2: 0, 3: -4, 5: -4}
    sample = [
        Labelled("xx1/1o1/3 o", scores),
        Labelled("x2/xo1/3 o", scores),  # its mirror image
        Labelled("oo1/1x1/3 x", scores),  # the same with colours swapped
        Labelled("x2/1o1/x2 o", {3: 0, 2: -4, 5: -4}),
    ]
    right = Grade("tictactoe", "x", sample, [Answer(move, 0.1) for move in (2, 2, 2, 3)])
    wrong = Grade("tictactoe", "x", sample, [Answer(5, 0.1)] * 4)
    for shown in (positions.strongest(right, 3), positions.weakest(wrong, 3)):
        assert [each.position for each in shown] == [sample[0].position, sample[3].position]
    assert len(positions.strongest(right, 1)) == 1


# ------------------------------------------------------------------------------ the card


class Reader(HTMLParser):
    """Collects tags, and notes those that are never closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_card_has_everything_resumes_and_is_a_page(tmp_path, monkeypatch):
    steps = []
    folder = tmp_path / "kept"
    card = measure(
        "tictactoe", "greedy", TINY, save=folder, on_progress=lambda *step: steps.append(step)
    )
    assert card.grade.overall.keeps.of == 12
    assert card.tactics
    assert sum(each.games for each in card.rating.opponents) == 4
    assert card.speed.answers == 12 + sum(rate.of for rate in card.tactics.values())
    assert {"playing levels", "solving forced wins", "testing greedy"} <= {s[0] for s in steps}
    json.dumps(Scorecard("greedy", True, [card]).to_dict(), allow_nan=False)

    monkeypatch.setattr(playing, "play_paired_game", lambda task: pytest.fail("played again"))
    again = measure("tictactoe", "greedy", TINY, save=folder)
    assert again.rating.opponents == card.rating.opponents

    html = card_html(Scorecard("greedy <b>", True, [card, again]))
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert "script" not in reader.tags
    assert "b" not in reader.tags
    assert html.count('class="light"') == html.count('class="dark"') > 0


def test_an_engine_that_fails_has_a_card_with_the_reason():
    class Broken:
        name = "broken"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise ZeroDivisionError("no plan")

    register_engine(EngineKind("broken", "always fails", Broken))
    card = measure("tictactoe", "broken", TINY)
    assert "ZeroDivisionError: no plan" in card.problem
    assert card.grade is None
    assert "ended early" in card_html(Scorecard("broken", True, [card]))


def test_who_can_be_measured(tmp_path):
    assert spec_of("hard") == "hard"
    assert spec_of(str(tmp_path / "a, b.npz")).startswith("alphazero:weights=")
    with pytest.raises(SpecError, match=r"has no network\.npz"):
        spec_of(str(tmp_path))
    (tmp_path / "network.npz").write_bytes(b"not a network")
    with pytest.raises(ValueError, match="network"):
        games_of(spec_of(str(tmp_path)))
    assert games_of("gomoku") == ["gomoku-15"]
    shipped = resources.files("rl_toolkit") / "data" / "networks" / "reversi-6.npz"
    assert games_of(spec_of(str(shipped))) == ["reversi-6"]
    assert "tictactoe" in games_of("random")
    with pytest.raises(ValueError, match="does not play"):
        check_plays("tictactoe", "reversi")
    with pytest.raises(ValueError, match="neither a level nor an engine"):
        games_of("no-such-engine")


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "QUICK", TINY)
    html = tmp_path / "card.html"
    asked = ["scorecard", "first", "--game", "tictactoe", "--quick"]
    run = CliRunner().invoke(cli, [*asked, "--json", "--html", str(html)])
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert (found["engine"], found["quick"], found["games"][0]["game"]) == (
        "first",
        True,
        "tictactoe",
    )
    assert found["games"][0]["accuracy"]["positions"] == 12
    assert html.read_text().startswith("<!doctype html>")
    run = CliRunner().invoke(cli, asked)
    assert "first on tictactoe" in run.stdout
    assert "where it matters, all" in run.stdout
    assert "Rating" in run.stdout
    assert "Weakest positions" in run.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["no-such-engine"], "neither a level nor an engine"),
        (["first", "--html", "nowhere/card.html"], "the folder nowhere does not exist"),
        (["gomoku", "--game", "tictactoe"], "gomoku does not play tictactoe"),
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "measure", lambda *any_of, **more: pytest.fail("it began"))
    run = CliRunner().invoke(cli, ["scorecard", *options])
    assert run.exit_code == 2
    assert message in run.stderr
