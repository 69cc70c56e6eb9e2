"""Train a network, and keep what it says of every position of the game after some iterations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rl_toolkit.learning.alphazero.generations import Generations, asked, classes
from rl_toolkit.learning.alphazero.inference import NumpyNetwork
from rl_toolkit.learning.alphazero.weights import NetworkWeights
from rl_toolkit.learning.training.export import tensors_of
from rl_toolkit.learning.training.log import Entry
from rl_toolkit.learning.training.settings import Settings, SettingsError
from rl_toolkit.learning.training.trainer import Trainer

#: What of the log of an iteration is kept, and its digits.
LOGGED = {"policy_loss": 3, "value_loss": 3, "positions": 0, "games": 0}


def record_generations(
    settings: Settings,
    numbers: Sequence[int],
    folder: Path,
    on_event: Callable[[Entry, float], None] = lambda entry, share: None,
) -> Generations:
    """Run ``settings`` in ``folder``, and ask the network after these iterations; 0 is the first.

    A run whose length is in iterations repeats: on the same machine the record is the same.
    `SettingsError` if the run does not have these iterations, `ValueError` if the game is too
    large.
    """
    numbers = sorted(set(numbers))
    if settings.iterations is None or not numbers:
        raise SettingsError("a record needs a run with a length in iterations, and their numbers")
    if numbers[0] < 0 or numbers[-1] > settings.iterations:
        raise SettingsError(f"the numbers of iterations lie between 0 and {settings.iterations}")
    classes(settings.game)
    tables: dict[int, bytes] = {}
    log: list[dict[str, float]] = []

    def ask() -> None:
        if trainer.state.iteration in numbers:
            tables[trainer.state.iteration] = asked(NumpyNetwork(_weights(trainer)), settings.game)

    def hear(entry: Entry, share: float) -> None:
        if entry["kind"] == "iteration":
            log.append({name: round(entry[name], digits) for name, digits in LOGGED.items()})
            ask()
        on_event(entry, share)

    trainer = Trainer(settings, folder, on_event=hear)
    ask()
    trainer.run()
    made = tuple(tables[number] for number in numbers)
    return Generations(settings.game, tuple(numbers), made, settings.as_json(), tuple(log))


def _weights(trainer: Trainer) -> NetworkWeights:
    """The averaged network as it is now."""
    settings, game = trainer.settings, trainer.game
    tensors = tensors_of(trainer.state.playing)
    planes = tensors["stem.w"].shape[2]
    return NetworkWeights(
        settings.game, game.rows, game.cols, planes, game.moves, settings.channels,
        settings.blocks, tensors,
    )  # fmt: skip
