"""The one language of numbers: every fact has one wording, and no estimate looks like a proof."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.analysis import Analysis, Candidate, estimate, judgement, percent, words_for
from rl_toolkit.envs import ConnectFour, Reversi, TicTacToe
from rl_toolkit.explain import explain

LINES, DISCS = words_for(ConnectFour()), words_for(Reversi())
OPEN = Candidate(3, "d", -0.08)
WIN = Candidate(3, "d", 1.0, "win", True, 5)
LOSS = Candidate(3, "d", -1.0, "loss", True, 4)
DRAW = Candidate(3, "d", 0.0, "draw", True, 8)
LEAD = replace(WIN, score=12.0)
GUESS = Candidate(3, "d", 0.2, score=3.4)


@pytest.mark.parametrize(
    ("words", "what", "short", "mark", "full"),
    [
        (LINES, WIN, "wins in 3 moves", "W3", "Red wins in 3 moves"),
        (LINES, replace(WIN, distance=1), "wins in 1 move", "W1", "Red wins in 1 move"),
        (LINES, replace(WIN, distance=None), "wins", "W", "Red wins"),
        (LINES, LOSS, "loses in 2 moves", "L2", "Yellow wins in 2 moves"),
        (LINES, replace(LOSS, distance=None), "loses", "L", "Yellow wins"),
        (LINES, DRAW, "draw", "=", "A draw with best play"),
        (LINES, OPEN, "≈ 46 %", "46%", "Red ≈ 46 %"),
        (LINES, replace(OPEN, visits=100), "≈ 46 ± 10 %", "46%", "Red ≈ 46 ± 10 %"),
        (LINES, replace(OPEN, visits=10_000), "≈ 46 %", "46%", "Red ≈ 46 %"),
        (LINES, replace(OPEN, value=1.0, visits=5), "≈ 57 to 100 %", "99%", "Red ≈ 57 to 100 %"),
        (LINES, replace(OPEN, value=-1.0, visits=1), "1 visit", "?", "Red: 1 visit"),
        (LINES, replace(WIN, visits=1), "wins in 3 moves", "W3", "Red wins in 3 moves"),
        (LINES, replace(OPEN, value=None), "?", "?", "Unknown"),
        (LINES, replace(OPEN, value=None, prior=0.4, visits=0), "?", "?", "Unknown"),
        # A score without a unit is for engines only.
        (LINES, replace(WIN, score=18.0), "wins in 3 moves", "W3", "Red wins in 3 moves"),
        # An expected outcome is no proof.
        (LINES, replace(OPEN, outcome="loss"), "≈ 46 %", "46%", "Red ≈ 46 %"),
        (DISCS, LEAD, "wins by 12 discs", "+12", "Black wins by 12 discs"),
        (DISCS, replace(LOSS, score=-1.0), "loses by 1 disc", "−1", "White wins by 1 disc"),
        (
            DISCS,
            replace(LEAD, score_bound="lower"),
            "wins by at least 12 discs",
            "≥+12",
            "Black wins by at least 12 discs",
        ),
        (
            DISCS,
            replace(LOSS, score=-4.0, score_bound="upper"),
            "loses by at least 4 discs",
            "≤−4",
            "White wins by at least 4 discs",
        ),
        (
            DISCS,
            replace(LOSS, score=-4.0, score_bound="lower"),
            "loses by at most 4 discs",
            "≥−4",
            "White wins by at most 4 discs",
        ),
        (DISCS, replace(LEAD, score=0.0, score_bound="lower"), "wins", "≥0", "Black wins"),
        # Plies to the end mean little where discs count.
        (DISCS, WIN, "wins", "W", "Black wins"),
        (DISCS, LOSS, "loses", "L", "White wins"),
        (DISCS, replace(DRAW, score=0.0), "draw", "=", "A draw with best play"),
        (DISCS, GUESS, "≈ 3 discs ahead", "≈+3", "Black ≈ 3 discs ahead"),
        (DISCS, replace(GUESS, score=-3.5), "≈ 4 discs behind", "≈−4", "Black ≈ 4 discs behind"),
        (DISCS, replace(GUESS, score=0.2), "≈ level", "≈0", "Black ≈ level"),
        (
            DISCS,
            replace(GUESS, score=-3.5, score_bound="upper"),
            "≈ at least 3 discs behind",  # 4 would say more than is known
            "≤−3",
            "Black ≈ at least 3 discs behind",
        ),
        (
            DISCS,
            replace(GUESS, score=0.0, score_bound="upper"),
            "≈ level at best",
            "≤0",
            "Black ≈ level at best",
        ),
        (DISCS, OPEN, "≈ 46 %", "46%", "Black ≈ 46 %"),
    ],
)
def test_the_table_of_words(words, what, short, mark, full) -> None:  # type: ignore[no-untyped-def]
    assert (words.short(what), words.mark(what), words.full(what, 1)) == (short, mark, full)


def test_the_other_side_has_its_name() -> None:
    assert LINES.full(WIN, -1) == "Yellow wins in 3 moves"
    assert LINES.full(LOSS, -1) == "Red wins in 2 moves"
    assert LINES.full(OPEN, -1) == "Yellow ≈ 46 %"
    assert words_for(TicTacToe.traits).full(OPEN, -1) == "O ≈ 46 %"


@pytest.mark.parametrize(
    ("words", "what", "noun"),
    [
        (LINES, WIN, "a win in 3 moves"),
        (LINES, replace(WIN, distance=None), "a win"),
        (LINES, DRAW, "a draw"),
        (LINES, LOSS, "a loss in 2 moves"),
        (LINES, OPEN, "≈ 46 %"),
        (LINES, replace(OPEN, value=None), "an unknown result"),
        (DISCS, LEAD, "a win by 12 discs"),
        (DISCS, replace(LOSS, score=-4.0, score_bound="upper"), "a loss by at least 4 discs"),
        (DISCS, GUESS, "≈ 3 discs ahead"),
    ],
)
def test_results_as_nouns(words, what, noun) -> None:  # type: ignore[no-untyped-def]
    assert words.noun(what) == noun


values = st.none() | st.floats(-1, 1)
anything = st.builds(
    Candidate,
    move=st.just(0),
    name=st.just("a"),
    value=values,
    outcome=st.sampled_from([None, "win", "draw", "loss"]),
    proven=st.booleans(),
    distance=st.none() | st.integers(0, 80),
    score=st.none() | st.floats(-64, 64),
    score_bound=st.sampled_from(["exact", "lower", "upper"]),
    visits=st.none() | st.integers(0, 10**9),
)


@given(anything, st.sampled_from([LINES, DISCS]), st.sampled_from([1, -1]))
def test_proof_and_estimate_never_look_alike(what, words, player) -> None:  # type: ignore[no-untyped-def]
    for text in (words.short(what), words.full(what, player)):
        assert text
        if what.proven and what.outcome is not None:
            assert not set("%≈?") & set(text)
        else:
            assert text in ("?", "Unknown") or "≈" in text
    if words is LINES and what.value is None and not (what.proven and what.outcome):
        assert words.short(what) == words.mark(what) == "?"
    assert "%" not in words.mark(what) or re.fullmatch(r"[1-9]\d?%", words.mark(what))
    assert "-" not in words.mark(what)  # a minus sign, not a hyphen


@given(st.floats(-1, 1))
def test_both_sides_of_a_percentage_agree(value: float) -> None:
    assert 1 <= percent(value) <= 99
    assert percent(value) + percent(-value) in (100, 101)  # a half is rounded up


def interval(text: str) -> tuple[int, int]:
    """The interval that an estimate shows, in per cent; without one the estimate alone."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if "visit" in text:
        return 0, 100
    if "±" in text:
        return numbers[0] - numbers[1], numbers[0] + numbers[1]
    return numbers[0], numbers[-1]


@given(st.floats(-1, 1), st.integers(1, 10**6))
def test_more_visits_are_never_less_certain_and_stay_on_the_scale(
    value: float, visits: int
) -> None:
    def width(count: int) -> int:
        low, high = interval(estimate(value, count))
        assert 0 <= low <= percent(value) + 1
        assert percent(value) - 1 <= high <= 100
        return high - low

    assert width(4 * visits) <= width(visits) + 1  # rounded at both ends


def test_one_visit_is_not_called_an_estimate() -> None:
    assert {estimate(value, 1) for value in (-1.0, 0.0, 1.0)} == {"1 visit"}
    assert LINES.noun(replace(OPEN, visits=1)) == "an unknown result"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        # Whole numbers, unless the best move would look like another.
        ((0.5, 0.1, 0.1, 0.104), ["≈ 75 %", "≈ 55 %", "≈ 55 %", "≈ 55 %"]),
        ((0.0, 0.0, -0.0017, -0.0024), ["≈ 50.00 %", "≈ 50.00 %", "≈ 49.92 %", "≈ 49.88 %"]),
        ((0.02, 0.01, 0.009), ["≈ 51.00 %", "≈ 50.50 %", "≈ 50.45 %"]),
        ((1.0, 0.9999), ["≈ 99.999 %", "≈ 99.995 %"]),
        ((0.1, 0.1, 0.1), ["≈ 55 %", "≈ 55 %", "≈ 55 %"]),
    ],
)
def test_the_best_move_never_looks_like_a_worse_one(values, texts) -> None:
    found = [Candidate(move, "abcd"[move], value) for move, value in enumerate(values)]
    analysis = Analysis.of(ConnectFour(), "minimax", found)
    words = words_for(ConnectFour(), analysis)
    assert [words.short(each) for each in found] == texts
    assert [each["text"] for each in analysis.to_dict()["candidates"]] == texts
    assert len({words.mark(each) for each in found}) == len(set(texts))
    assert texts[0] in (explain(ConnectFour(), analysis).candidates[0].note or "")


def test_leads_have_decimals_where_the_best_move_would_look_like_a_worse_one() -> None:
    found = [replace(GUESS, move=move, score=score) for move, score in ((19, 3.4), (26, 3.3))]
    words = words_for(Reversi(), Analysis.of(Reversi(), "reversi", found))
    assert [words.short(each) for each in found] == ["≈ 3.4 discs ahead", "≈ 3.3 discs ahead"]
    assert [words.mark(each) for each in found] == ["≈+3.4", "≈+3.3"]
    assert words.short(LEAD) == "wins by 12 discs"


def test_tree_search_chooses_by_visits_so_its_values_need_no_decimals() -> None:
    found = [replace(OPEN, move=move, visits=visits) for move, visits in ((3, 9000), (2, 8000))]
    words = words_for(ConnectFour(), Analysis.of(ConnectFour(), "mcts", found))
    assert [words.short(each) for each in found] == ["≈ 46 %", "≈ 46 %"]


@pytest.mark.parametrize("visits", [5, 10, 30, 100, 250])
@pytest.mark.parametrize("truth", [0.1, 0.3, 0.5, 0.8])
def test_the_uncertainty_covers_the_truth_nearly_always(visits: int, truth: float) -> None:
    covered = 0.0
    for wins in range(visits + 1):
        low, high = interval(estimate(2 * wins / visits - 1, visits))
        off = 5 if low == high else 0
        if low - off - 1 <= 100 * truth <= high + off + 1:
            chance = math.comb(visits, wins) * truth**wins * (1 - truth) ** (visits - wins)
            covered += chance
    assert covered >= 0.9


def test_judgements_follow_the_value() -> None:
    found = [judgement(value) for value in (1, 0.5, 0.2, 0, -0.2, -0.5, -0.95)]
    assert found == [
        "probably winning",
        "clearly better",
        "slightly better",
        "about even",
        "slightly worse",
        "clearly worse",
        "probably losing",
    ]


def test_the_legend_explains_every_wording() -> None:
    for words in (LINES, DISCS):
        phrases = " ".join(phrase for phrase, _ in words.legend())
        shown = [words.short(what) for what in (WIN, DRAW, OPEN)] + ["?", "±", "solved", "⭐"]
        shown += [words.mark(what) for what in (WIN, LOSS, DRAW, OPEN)]
        for text in shown:
            assert text in phrases
        assert all(meaning.endswith(".") for _, meaning in words.legend())
    assert "disc" not in str(LINES.legend())
    assert "wins by 12 discs" in str(DISCS.legend())
    assert "≈−3" in str(DISCS.legend())
