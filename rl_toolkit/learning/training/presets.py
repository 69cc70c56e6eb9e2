"""Named settings: ``gpu`` for one large accelerator, ``laptop`` and ``lite`` for two cores.

The budgets of ``gpu`` and ``laptop`` were measured; `docs/explanation/alphazero.md` has the
figures. ``lite`` is a short run for a course: it should beat random moves, and no more. ``tiny`` is
for trying things out: it learns next to nothing, but runs every part in seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.learning.training.settings import Settings, SettingsError, Stage, StartMix


def preset_settings(
    game: str,
    preset: str,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
) -> Settings:
    """The settings of a preset for a game; ``minutes`` or ``iterations`` override its length.

    `SettingsError` for an unknown preset.

    >>> preset_settings("connect-four", "gpu").channels
    64
    """
    if preset not in PRESETS:
        known = ", ".join(PRESETS)
        raise SettingsError(f"there is no preset {preset!r}; there are {known}")
    settings = PRESETS[preset](make_game(game))
    return replace(settings.with_budget(minutes, iterations), preset=preset, seed=seed)


def _gpu(env: BaseGameEnv) -> Settings:
    cells = env.rows * env.cols
    small = cells <= 42
    return Settings(
        game=env.name,
        preset="gpu",
        channels=64,
        blocks=5,
        games=8192 if small else 4096,
        plies=32,
        stages=(Stage(0, 16, 4), Stage(0.06, 32, 4), Stage(0.22, 64, 6)),
        considered=7 if env.num_moves == 7 else 16,
        batch=4096 if small else 2048,
        buffer_chunks=16 if small else 24,
        learning_rate=1.5e-3,
        starts=_starts(env),
        minutes=9,
    )


def _gpu_wide(env: BaseGameEnv) -> Settings:
    return replace(_gpu(env), channels=128, learning_rate=1e-3, minutes=14)


def _laptop(env: BaseGameEnv) -> Settings:
    settings = Settings(
        game=env.name,
        preset="laptop",
        channels=32,
        blocks=3,
        games=256,
        plies=16,
        stages=(Stage(0, 12, 4), Stage(0.15, 16, 4), Stage(0.5, 24, 6)),
        considered=min(env.num_moves, 16),
        batch=512,
        buffer_chunks=48,
        learning_rate=2e-3,
        starts=_starts(env),
        average=0.998,
        warm_up=200,
        minutes=60,
    )
    if env.rows * env.cols > 12:
        return settings
    return replace(
        settings,
        blocks=2,
        plies=8,
        stages=(Stage(0, 16, 4), Stage(0.5, 32, 4)),
        considered=9,
        batch=256,
        average=0.99,
        warm_up=100,
        minutes=4,
    )


def _lite(env: BaseGameEnv) -> Settings:
    return replace(
        _laptop(env),
        preset="lite",
        channels=16,
        blocks=2,
        hidden=64,
        games=128,
        stages=(Stage(0, 8, 4), Stage(0.5, 12, 4)),
        batch=256,
        buffer_chunks=24,
        average=0.99,
        warm_up=50,
        minutes=8,
    )


def _tiny(env: BaseGameEnv) -> Settings:
    return Settings(
        game=env.name,
        preset="tiny",
        channels=8,
        blocks=1,
        policy_channels=4,
        value_channels=4,
        hidden=16,
        games=16,
        plies=4,
        stages=(Stage(0, 4, 1), Stage(0.5, 6, 2)),
        considered=4,
        batch=32,
        buffer_chunks=4,
        learning_rate=2e-3,
        starts=_starts(env),
        minutes=0.5,
    )


def _starts(env: BaseGameEnv) -> StartMix:
    """The mix of starting positions, by the size of the board."""
    cells = env.rows * env.cols
    if env.traits.score_unit:  # the game lasts until the board is full
        plies = cells - env.piece_count(1) - env.piece_count(-1)
        return StartMix(0.15, 0.5, max(2, plies // 4), (plies // 6, plies * 3 // 4))
    if cells <= 12:
        # Every position matters here, even those that good play never reaches.
        return StartMix(0.05, 0.45, cells // 2, (1, cells - 1), noise=1.0)
    if env.num_moves < cells:
        return StartMix(0.15, 0.45, 2 * cells // 7, (cells // 5, cells * 6 // 7))
    return StartMix(0.15, 0.5, 6, (4, cells // 3))


PRESETS: dict[str, Callable[[BaseGameEnv], Settings]] = {
    "laptop": _laptop,
    "gpu": _gpu,
    "gpu-wide": _gpu_wide,
    "lite": _lite,
    "tiny": _tiny,
}
