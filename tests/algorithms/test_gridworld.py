"""The world of cells: its values against ways counted by hand, and the Bellman equation."""

import pytest

from rl_toolkit.algorithms.gridworld import MOST, MOVES, GridWorld


def last(world, discount):
    *_, sweep = world.sweeps(discount)
    return sweep


@pytest.mark.parametrize(("discount", "cost", "steps", "end"), [
    (0.9, 0, 7, "F"), (0.75, 0, 2, "N"), (1, 0.3, 7, "F"), (1, 0.5, 2, "N"),
])  # fmt: skip
def test_the_start_is_worth_its_best_way(discount, cost, steps, end):
    world = GridWorld(cost=cost)
    sweep = last(world, discount)
    way = world.way(sweep.best)
    assert (len(way) - 1, world.cells[way[-1]]) == (steps, end)
    paid = sum(cost * discount**step for step in range(steps))
    worth = discount**steps * world.rewards[end] - paid
    assert sweep.values[world.start] == pytest.approx(worth)


@pytest.mark.parametrize("slip", [0, 0.2])
def test_the_equation_holds_when_nothing_changes(slip):
    world = GridWorld(cost=0.1, slip=slip)
    sweep = last(world, 0.9)
    assert sweep.changed == 0
    for cell, letter in world.cells.items():
        if letter not in world.rewards:
            best = max(world.worth(cell, move, sweep.values, 0.9) for move in MOVES)
            assert sweep.values[cell] == pytest.approx(best, abs=0.001)
            assert sum(chance for chance, _ in world.leads(cell, "up")) == pytest.approx(1)


def test_a_wave_goes_one_step_further_with_every_sweep():
    world = GridWorld()
    first = {}
    for sweep in world.sweeps(0.9):
        for cell, value in sweep.values.items():
            if value > 0:
                first.setdefault(cell, sweep.number)
    assert first[3, 0] == 2  # two steps from the near end
    assert first[1, 3] == 2  # two steps from the far end, beside the pit
    assert first[3, 4] == 6


def test_a_pit_can_be_better_than_to_walk_on():
    world = GridWorld(cost=2)
    assert last(world, 1).best[2, 4] == ["up"]
    assert last(GridWorld(slip=0.2), 0.9).best[1, 3] == ["left"]
    assert last(GridWorld(), 0.9).best[1, 3] == ["up"]


def test_values_that_sink_for_long_stop_at_some_time():
    world = GridWorld(dict.fromkeys("NFP", -9.0), cost=0.01)
    sweep = last(world, 1)
    assert (sweep.number, sweep.changed > 0) == (MOST, True)
