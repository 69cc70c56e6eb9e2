"""The settings.toml of the lab: read, judged, and turned into the settings of a training run.

Nothing here needs JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rl_toolkit.labs.model.names import NamesError, names_table
from rl_toolkit.learning.training import Settings, Stage, preset_settings
from rl_toolkit.utils import did_you_mean, listed

FILE = "settings.toml"
TODO = "TODO"


class RunSettingsError(ValueError):
    """A settings.toml with which no good run is possible.

    Attributes:
        entry: the entry that is wrong, "" for the whole file.
        given: what it holds. wanted: what it should hold, in words.
        mistake: the id of the typical mistake, "" if it is none.
    """

    def __init__(
        self, sentence: str, entry: str = "", given: str = "", expected: str = "", mistake: str = ""
    ) -> None:
        super().__init__(sentence)
        self.entry, self.given, self.wanted, self.mistake = entry, given, expected, mistake


@dataclass(frozen=True, slots=True)
class Entry:
    """What an entry of the file may be: ``low`` to ``high``; with a sentence for either side.

    A sentence may begin with the id of a typical mistake and a colon.
    """

    low: float
    high: float
    whole: bool
    too_low: str
    too_high: str


ENTRIES: Mapping[str, Entry] = {
    "simulations": Entry(
        8,
        64,
        True,
        "few-simulations: A search of {given} simulations cannot try the nine moves of an empty "
        "board, so it knows nothing that the network does not know. 16 are a good number here.",
        "{given} simulations a move are slow. A short run learns more from many games than from "
        "deep ones: 8 to 64.",
    ),
    "noise": Entry(
        0.25,
        1.5,
        False,
        "no-noise: The noise in self-play is {given}: the same network plays the same moves, and "
        "moves that it underrates are never tried.",
        "Noise of {given} drowns what the search has found. The usual scale is 1.",
    ),
    "empty_starts": Entry(
        0,
        0.5,
        False,
        "A share cannot be negative.",
        "always-empty: {percent} of the games begin with the empty board. Then the network sees "
        "its favourite openings and little else; most of the 4,520 positions never occur.",
    ),
    "learning_rate": Entry(
        0.0003,
        0.01,
        False,
        "rate-too-low: With a learning rate of {given} the steps are so small that a short run "
        "ends where it began. A few thousandths fit a network of this size.",
        "rate-too-high: With a learning rate of {given} every step overshoots: losses jump up "
        "instead of falling. A few thousandths fit a network of this size.",
    ),
    "reuse": Entry(
        1,
        10,
        True,
        "reuse must be at least 1: every position should be learned from once.",
        "memorises: Each new position is used {given} times: the network learns these games by "
        "heart instead of playing new ones. 4 to 8 are usual.",
    ),
    "iterations": Entry(
        15,
        60,
        True,
        "{given} iterations are too few to learn anything: 20 take less than a minute.",
        "{given} iterations are too many for a check: 20 are enough here.",
    ),
    "seed": Entry(0, 2**31 - 1, True, "The seed must not be negative.", "The seed is too large."),
}


def read_entries(text: str) -> dict[str, Any]:
    """The entries of a settings.toml; raises `RunSettingsError` if it is not one."""
    try:
        data = names_table(text, FILE)
    except NamesError as error:
        raise RunSettingsError(f"{error}.") from error
    for name in data:
        if name not in ENTRIES:
            meant = did_you_mean(name, ENTRIES)
            hint = f"did you mean {meant}?" if meant else f"there are {listed(ENTRIES)}"
            raise RunSettingsError(f"{FILE} has no entry {name}; {hint}", name)
    for name in ENTRIES:
        if name not in data:
            raise RunSettingsError(f"{name} is missing in {FILE}.", name)
    return data


def run_settings(text: str) -> Settings:
    """The run that a settings.toml describes; raises `RunSettingsError`."""
    data = read_entries(text)
    for name, entry in ENTRIES.items():
        _judge(name, entry, data[name])
    reuse, simulations = data["reuse"], data["simulations"]
    laptop = preset_settings("tictactoe", "laptop", iterations=data["iterations"])
    return replace(
        laptop,
        preset="lab",
        channels=16,
        blocks=1,
        policy_channels=8,
        hidden=32,
        games=128,
        plies=8,
        stages=(Stage(0, simulations, reuse),),
        gumbel_scale=float(data["noise"]),
        starts=_starts(laptop, float(data["empty_starts"])),
        learning_rate=float(data["learning_rate"]),
        average=0.9,
        warm_up=20,
        seed=data["seed"],
    )


def _starts(laptop: Settings, empty: float) -> Any:
    return replace(laptop.starts, empty=empty, early=min(laptop.starts.early, 1 - empty))


def _judge(name: str, entry: Entry, given: Any) -> None:
    kinds = (int,) if entry.whole else (int, float)
    expected = f"{entry.low:g} to {entry.high:g}" if name != "seed" else "a whole number"
    if given == TODO:
        raise RunSettingsError(f"{name} still says {TODO}.", name, TODO, expected)
    if isinstance(given, bool) or not isinstance(given, kinds):
        kind = "a whole number" if entry.whole else "a number"
        raise RunSettingsError(
            f"{name} must be {kind}, without quotes.", name, repr(given), expected
        )
    if entry.low <= given <= entry.high:
        return
    text = entry.too_low if given < entry.low else entry.too_high
    mistake, colon, sentence = text.partition(": ")
    if not colon or " " in mistake:
        mistake, sentence = "", text
    sentence = sentence.format(given=f"{given:g}", percent=f"{100 * given:.0f} %")
    raise RunSettingsError(sentence, name, f"{given:g}", expected, mistake)
