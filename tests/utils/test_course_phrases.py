"""The short phrases of the courses."""

import pytest

from rl_toolkit.explain import assessment, exploration, format_outcome


@pytest.mark.parametrize(
    ("value", "distance", "words"),
    [
        (1.0, 1, "Forces immediate win"),
        (1.0, 3, "Forces a win in 2 moves"),
        (0.9, 5, "Forces a win in 3 moves"),
        (0.9, None, "Seems to be winning"),
        (0.89, None, "Creates strong winning threats"),
        (0.5, None, "Creates strong winning threats"),
        (0.49, None, "Slight advantage"),
        (0.1, None, "Slight advantage"),
        (0.09, None, "Balanced position"),
        (-0.09, None, "Balanced position"),
        (-0.1, None, "Slight disadvantage"),
        (-0.49, None, "Slight disadvantage"),
        (-0.5, None, "Defensive necessity"),
        (-0.89, None, "Defensive necessity"),
        (-0.9, None, "Seems to be losing"),
        (-1.0, 2, "Cannot prevent loss in 1 move"),
        (-1.0, 6, "Cannot prevent loss in 3 moves"),
        (-1.0, 1, "Cannot prevent loss"),
        (0.0, 9, "Balanced position: best play draws"),
    ],
)
def test_assessment(value, distance, words):
    assert assessment(value, distance) == words


def test_an_assessment_may_be_proven_without_a_distance_and_estimated_with_one():
    assert assessment(1.0, proven=True) == "Forces a win"
    assert assessment(-1.0, proven=True) == "Cannot prevent loss"
    assert assessment(0.0, proven=True) == "Balanced position: best play draws"
    assert assessment(1.0, 1, proven=False) == "Seems to be winning"


@pytest.mark.parametrize(
    ("visits", "value", "words"),
    [
        (201, 0.31, "heavily explored, strong position"),
        (200, 0.3, "moderately explored, balanced position"),
        (51, -0.29, "moderately explored, balanced position"),
        (50, -0.3, "lightly explored, weak position"),
    ],
)
def test_exploration(visits, value, words):
    assert exploration(visits, value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "✓ AI wins"),
        (0.9, "✓ AI wins"),
        (0.3, "🟢 AI advantage"),
        (0.29, "⚖️ Draw"),
        (0.0, "⚖️ Draw"),
        (-0.29, "⚖️ Draw"),
        (-0.3, "🔴 Human advantage"),
        (-0.9, "❌ Human wins"),
    ],
)
def test_format_outcome(value, words):
    assert format_outcome(value) == words
    assert format_outcome(-value, perspective="human") == words


def test_format_outcome_knows_two_perspectives():
    with pytest.raises(ValueError, match="'ai' or 'human', not 'x'"):
        format_outcome(0.0, perspective="x")
