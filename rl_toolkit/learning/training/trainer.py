"""The training loop: play, learn, and from time to time evaluate, save and export.

::

    ┌─► play a chunk with the averaged network ─► ring of positions ─┐
    │                                                               ▼
    └──────── average ◄──────── learn from samples of the ring ◄────┘

With games from files (`recorded_games`) these take the place of the chunks that are played.

A run ends by the clock or after a number of iterations; in the latter case it can be repeated
exactly. All randomness of iteration i comes from the seed and i, so an interrupted run resumes from
its checkpoint as if nothing had happened (if the ring is part of it; see
`learning.training.run_state`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from rl_toolkit.learning.training.checkpoint import (
    Checkpoint,
    CheckpointError,
    has_checkpoint,
    load_checkpoint,
    save_checkpoint,
    settings_of,
)
from rl_toolkit.learning.training.export import export_network, layers_of
from rl_toolkit.learning.training.games import batch_game
from rl_toolkit.learning.training.log import LOG, Entry, append_entry, drop_after
from rl_toolkit.learning.training.loop.compiled_programs import Build, Programs
from rl_toolkit.learning.training.loop.devices import Devices
from rl_toolkit.learning.training.loop.evaluation import NetworkEvaluation
from rl_toolkit.learning.training.loop.learner import LearnerState, Losses, learn, new_learner
from rl_toolkit.learning.training.loop.network import (
    Layers,
    Learned,
    fold,
    new_network,
    shape_for,
)
from rl_toolkit.learning.training.loop.recorded import recorded_facts, take_in
from rl_toolkit.learning.training.loop.replay import Samples, empty_ring, store
from rl_toolkit.learning.training.loop.selfplay import (
    Facts,
    Lanes,
    new_lanes,
    play_chunk,
)
from rl_toolkit.learning.training.loop.solved_positions import load_judge
from rl_toolkit.learning.training.loop.teacher import keep_teacher, kept_teacher, load_teacher
from rl_toolkit.learning.training.recorded_games import read_recorded_games
from rl_toolkit.learning.training.run_state import RunState, iteration_entry, pieces_of, restore
from rl_toolkit.learning.training.settings import Settings, SettingsError, Stage
from rl_toolkit.utils import counted

#: Called with every log entry (and with notes, which are not logged) and the share of the run done.
OnEvent = Callable[[Entry, float], None]

SAVE_EVERY = 60.0  # seconds
EVALUATE_EVERY = 20.0
EVALUATE_SEARCH_EVERY = 60.0
_LEAVING = 3.0  # seconds reserved for the last checkpoint
_TIME_IS_UP = "the time is up"


class Trainer:
    """One training run in one folder; call `run`."""

    def __init__(
        self,
        settings: Settings,
        folder: str | Path,
        *,
        resume: bool = False,
        judge: Path | None = None,
        teacher: Path | None = None,
        games: Sequence[Path] = (),
        stop_after: float | None = None,
        devices: int | None = None,
        on_event: OnEvent = lambda entry, share: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare a run with ``settings``; with ``resume``, from the checkpoint in the folder.

        With a ``teacher`` (a weights file) that network plays all games; a resumed run finds its
        teacher in its folder. With ``games`` (files with analyses, as self-play writes them) the
        run plays nothing and learns from these; when it is resumed, they may be others.
        ``stop_after`` ends this session after that many minutes, even if the run is not finished.
        ``devices`` is the number of GPUs to use, by default all of this machine that can share the
        work; see `loop.devices`.

        `SettingsError` or `CheckpointError` if that is not possible; nothing is changed then.
        """
        self._session_begun = time.monotonic()
        self._begun: float | None = None  # when its programs were compiled
        self.folder = folder = Path(folder)
        self._on_event, self._should_stop, self._stop_after = on_event, should_stop, stop_after
        self._backend = jax.default_backend()
        self._dtype = jnp.float32 if self._backend == "cpu" else jnp.bfloat16
        # On a GPU one program runs many steps. On a CPU the gradient of a convolution is twenty
        # times slower inside a loop than outside, so every step is a call.
        self._steps = 1 if self._backend == "cpu" else settings.chunk // settings.batch
        self.game = batch_game(settings.game)
        self._teacher = load_teacher(teacher, self.game) if teacher else None
        if self._teacher is not None:
            settings = settings.taught_by(self._teacher.sha256)
        self._games = None
        if games:
            if self._teacher is not None:
                raise SettingsError("games from files have been played: they need no teacher")
            settings = settings.fed_with_games()
        self.settings = settings
        self._resumed = self._checkpoint() if resume else None
        if self._resumed is None and has_checkpoint(folder):
            raise CheckpointError(f"{folder} already holds a run; resume it or choose another one")
        settings = self.settings
        if games:
            size, name = self.game.moves, settings.game
            self._games = read_recorded_games(games, name, size, settings.discount)
        if settings.teacher is not None and self._resumed is not None:
            self._teacher = kept_teacher(folder, settings.teacher, self.game)
        self._evaluation = None
        if judge is not None:
            slow = self._backend == "cpu"
            known = load_judge(judge, self.game)
            self._evaluation = NetworkEvaluation(known, self.game, settings, self._dtype, slow=slow)
        self.devices = Devices(settings, devices)
        self._key = jax.random.key(settings.seed)
        self.state = self._new_state()
        if self._resumed is not None:
            restore(self.state, self._resumed.pieces, self._resumed.facts.get("counts", {}))
            refold = jax.jit(partial(fold, dtype=self._dtype))
            self.state.playing = refold(self.state.learner.average)
        self._taught = layers_of(self._teacher.tensors, self._dtype) if self._teacher else None
        self._place()
        self._before = self.state.seconds
        self._scores: dict[str, Entry] = {}

    # ------------------------------------------------------------------- the loop

    def run(self) -> RunState:
        """Train until the run is finished, the session's time is up, or ``should_stop`` is true.

        The minutes of a run begin when its programs are compiled. There is a checkpoint after the
        first iteration; a resumed run that has nothing left to do says so.
        """
        if self._resumed is not None and (spent := self._spent()):
            self._note(spent)
            return self.state
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._resumed is not None:
            drop_after(self.folder, self.state.iteration)
        else:
            (self.folder / LOG).unlink(missing_ok=True)  # of a run that left no checkpoint
            if self._teacher is not None:
                keep_teacher(self._teacher, self.folder)
        self._log(
            kind="start",
            game=self.settings.game,
            preset=self.settings.preset,
            settings=self.settings.as_json(),
            seed=self.settings.seed,
            jax=jax.__version__,
            backend=self._backend,
            devices=self.devices.names,
        )
        self._programs = Programs(self._builds())
        try:
            state = self._loop()
        except BaseException:
            self._programs.close(wait=False)  # do not wait for a compiler
            raise
        self._programs.close()
        return state

    def _loop(self) -> RunState:
        stage = self._stage()
        self._programs.wait_for(_play_name(stage), "learn")
        self._begun = time.monotonic()  # compiling takes nothing from the minutes of the run
        self._note(_compile_times(self._programs.seconds, stage))
        if self._games is not None:
            positions = counted(len(self._games), "position")
            unused = f"; {self._games.unused:,} more teach nothing" if self._games.unused else ""
            games = counted(self._games.games, "game")
            self._note(f"learning from {positions} of {games}{unused}")
        if self._resumed is not None and self.state.stored == 0 and self._over(0.0) is None:
            self._refill(stage)
        evaluated = searched = self._seconds()
        saved, lasted, first = -math.inf, 0.0, self.state.iteration
        while (reason := self._over(lasted)) is None or (
            # So little time was left that it would do nothing.
            reason == _TIME_IS_UP and self.state.iteration == first
        ):
            begun = self._seconds()
            stage = self._current(stage)
            self._iteration(stage)
            now = self._seconds()
            lasted = now - begun
            if self._evaluation is not None and now - evaluated > EVALUATE_EVERY:
                evaluated = now if self._evaluate(self._evaluation.by_policy) else evaluated
            if self._evaluation is not None and now - searched > EVALUATE_SEARCH_EVERY:
                searched = now if self._evaluate(self._evaluation.by_search) else searched
            if now - saved > SAVE_EVERY:
                self._save()
                saved = self._seconds()
        if self._evaluation is not None:
            self._evaluate(self._evaluation.by_policy, wait=True)
            self._evaluate(self._evaluation.by_search, wait=reason != _TIME_IS_UP)
        self._log(kind="stop", seconds=round(self._seconds(), 1), reason=reason)
        self._save()
        return self.state

    def _iteration(self, stage: Stage) -> None:
        settings, state = self.settings, self.state
        self._programs.wait_for(_play_name(stage))  # compiling does not count as playing
        begun = self._seconds()
        play_key, learn_key = jax.random.split(jax.random.fold_in(self._key, state.iteration))
        facts = self._play(stage, play_key)
        played = self._seconds()
        window = self._window()
        rate = self._rate()
        end = jnp.int32(state.stored % settings.buffer_chunks * settings.chunk)
        calls = stage.reuse * settings.chunk // settings.batch // self._steps
        measured: list[Losses] = []
        for key in jax.random.split(learn_key, calls):
            state.learner, losses, state.playing = self._programs["learn"](
                state.learner, state.ring, end, jnp.int32(window * settings.chunk), key, rate
            )
            measured.append(losses)
        losses = Losses(*np.mean(jax.device_get(measured), axis=0))
        state.iteration += 1
        per_second = settings.chunk / (played - begun)
        entry = iteration_entry(settings, state, stage, facts, losses, window)
        self._log(
            **entry,
            seconds=round(self._seconds(), 2),
            learning_rate=float(rate),
            positions_per_second=round(per_second, 1),
            simulations_per_second=round(per_second * stage.simulations),
        )

    def _play(self, stage: Stage, key: Array) -> Facts:
        """Play one chunk, or take one from the games of files, and write it to the ring."""
        settings, state = self.settings, self.state
        place = jnp.int32(state.stored % settings.buffer_chunks * settings.chunk)
        if self._games is not None:
            number = state.positions // settings.chunk
            chunk = self._games.chunk(number, settings.chunk, settings.seed)
            parts = map(jnp.asarray, (chunk.planes, chunk.policy, chunk.wdl))
            samples = self.devices.copied(Samples(*parts))
            state.ring, guess = self._programs[_play_name(stage)](
                self._player(), state.ring, place, samples
            )
            return self._counted(stage, recorded_facts(chunk, jax.device_get(guess)))
        state.lanes, state.ring, facts = self._programs[_play_name(stage)](
            self._player(), state.lanes, state.ring, place, key
        )
        return self._counted(stage, jax.device_get(facts))

    def _counted(self, stage: Stage, facts: Facts) -> Facts:
        """Add a chunk that was written to the ring to the totals of the run."""
        state = self.state
        state.stored += 1
        state.games += int(facts.games)
        state.positions += self.settings.chunk
        state.simulations += self.settings.chunk * stage.simulations
        return facts

    def _player(self) -> Layers:
        """The network that plays: the teacher, if there is one."""
        return self.state.playing if self._taught is None else self._taught

    def _refill(self, stage: Stage) -> None:
        """Play enough chunks to learn from, because the ring was too large to save."""
        chunks = min(self.settings.least_window, self.settings.buffer_chunks)
        how = "playing" if self._games is None else "taking"
        self._note(f"the last positions were not saved: {how} {chunks} chunks first")
        for number in range(chunks):
            key = jax.random.fold_in(self._key, 2**31 + self.state.iteration)
            self._play(stage, jax.random.fold_in(key, number))

    # ------------------------------------------------------------------- schedule

    def _seconds(self) -> float:
        """Seconds of the run, earlier sessions included, without those of compiling."""
        return self._before + (0.0 if self._begun is None else time.monotonic() - self._begun)

    def _share(self) -> float:
        """The share of the run that is done, from 0 to 1."""
        if self.settings.iterations is not None:
            return min(1.0, self.state.iteration / self.settings.iterations)
        assert self.settings.minutes is not None
        return min(1.0, self._seconds() / (60 * self.settings.minutes))

    def _over(self, lasted: float) -> str | None:
        """The reason to end before another iteration of ``lasted`` seconds, or ``None``."""
        if self._should_stop():
            return "stop requested"
        ahead = lasted + _LEAVING
        session = time.monotonic() - self._session_begun
        if self._stop_after is not None and session + ahead > 60 * self._stop_after:
            return "the session's time is up"
        if self.settings.iterations is not None:
            return "finished" if self.state.iteration >= self.settings.iterations else None
        assert self.settings.minutes is not None
        return _TIME_IS_UP if self._seconds() + ahead > 60 * self.settings.minutes else None

    def _spent(self) -> str | None:
        """Why a resumed run has nothing left to do, ``None`` if it has."""
        minutes, iterations = self.settings.minutes, self.settings.iterations
        if iterations is not None:
            if self.state.iteration < iterations:
                return None
            return f"the run has done its {iterations} iterations; more --iterations continue it"
        assert minutes is not None
        if self._before + _LEAVING < 60 * minutes:
            return None
        return f"the run has had its {minutes:g} minutes; more --minutes continue it"

    def _stage(self) -> Stage:
        return self.settings.stage_at(self._share())

    def _current(self, last: Stage) -> Stage:
        """The stage that is due, or the last one while its program is being compiled."""
        due = self._stage()
        wait = self.settings.iterations is not None  # the run must be repeatable
        return due if wait or self._programs.ready(_play_name(due)) else last

    def _window(self) -> int:
        """The number of newest chunks to draw samples from."""
        settings, state = self.settings, self.state
        wanted = max(settings.least_window, int(settings.window * state.iteration))
        return min(state.stored, settings.buffer_chunks, wanted)

    def _rate(self) -> Array:
        settings = self.settings
        fall = 0.5 * (1 + math.cos(math.pi * self._share()))
        final = min(settings.final_rate, settings.learning_rate)
        return jnp.asarray(final + (settings.learning_rate - final) * fall, jnp.float32)

    # ------------------------------------------------------------------ programs

    def _builds(self) -> dict[str, Build]:
        """The programs to compile, in the order in which they are needed."""
        state, first = self.state, self._stage()
        integer, number = jnp.int32(0), jnp.float32(0)
        play_like = (self._player(), state.lanes, state.ring, integer, self._key)
        learn_like = (state.learner, state.ring, integer, integer, self._key, number)
        stages = [stage for stage in self.settings.stages if stage.begin >= first.begin]
        plays: dict[str, Build] = {
            _play_name(stage): self._builder(self._play_program(stage), play_like, (1, 2))
            for stage in stages
        }
        if self._games is not None:
            chunk = empty_ring(self.game, self.settings.chunk, jnp.float32)
            take_like = (self._player(), state.ring, integer, chunk)
            plays = {_play_name(first): self._builder(self._take_program(), take_like, (1,))}
        learning = {
            "learn": self._builder(self._learn_program(), learn_like, (0,)),
        }
        evaluations: dict[str, Build] = {}
        if self._evaluation is not None:
            for what, (choose, judge) in self._evaluation.choosers.items():
                like = (state.playing, jnp.asarray(judge.planes))
                evaluations[what] = self._builder(choose, like, ())
        now = _play_name(first)
        later = {name: build for name, build in plays.items() if name != now}
        return {now: plays[now], **learning, **evaluations, **later}

    def _play_program(self, stage: Stage) -> Callable[..., tuple[Lanes, Samples, Facts]]:
        def play(
            playing: Layers, lanes: Lanes, ring: Samples, place: Array, key: Array
        ) -> tuple[Lanes, Samples, Facts]:
            lanes, chunk, facts = play_chunk(
                self.game, self.settings, stage.simulations, playing, lanes, key, self.devices
            )
            copied = self.devices.copied
            return (
                self.devices.split(lanes),
                copied(store(ring, copied(chunk), place)),
                copied(facts),
            )

        return play

    def _take_program(self) -> Callable[..., Any]:
        taking = partial(take_in, self.game, self.settings.batch)
        return lambda *given: self.devices.copied(taking(*given))

    def _learn_program(self) -> Callable[..., tuple[LearnerState, Losses, Layers]]:
        learning = partial(
            learn, self.game, self.settings, self._dtype, self._steps, split=self.devices.split
        )
        return lambda *given: self.devices.copied(learning(*given))

    def _builder(
        self, function: Callable[..., Any], like: tuple[Any, ...], donated: tuple[int, ...]
    ) -> Build:
        """A build of ``function`` for arguments like these; a call consumes the donated ones."""
        shapes = self.devices.like(like)
        return lambda: jax.jit(function, donate_argnums=donated).lower(*shapes).compile()

    # ----------------------------------------------------------------------- log

    def _log(self, **entry: Any) -> None:
        append_entry(self.folder, entry)
        self._on_event(entry, self._share())

    def _note(self, text: str) -> None:
        self._on_event(
            {"kind": "note", "seconds": round(self._seconds(), 1), "text": text}, self._share()
        )

    def _evaluate(self, what: str, *, wait: bool = False) -> bool:
        """Evaluate the network if its program is compiled, or with ``wait`` in any case."""
        assert self._evaluation is not None
        if not (wait or self._programs.ready(what)):
            return False
        entry: Entry = {
            "kind": "evaluation",
            "iteration": self.state.iteration,
            "seconds": round(self._seconds(), 1),
            **self._evaluation.entry(what, self._programs[what], self.state.playing),
        }
        self._scores[what] = entry
        self._log(**entry)
        return True

    # --------------------------------------------------------------------- state

    def _new_state(self) -> RunState:
        settings, game = self.settings, self.game
        network = new_network(settings.seed, shape_for(game, settings))

        @jax.jit  # one program instead of many small ones
        def make(network: Learned, key: Array) -> tuple[LearnerState, Layers, Lanes, Samples]:
            learner = new_learner(network, settings)
            lanes = new_lanes(game, settings, jax.random.fold_in(key, 2**31 - 1), settings.games)
            ring = empty_ring(game, settings.chunk * settings.buffer_chunks)
            return learner, fold(learner.average, self._dtype), lanes, ring

        return RunState(*make(network, self._key))

    def _place(self) -> None:
        """Put every part of the state on the devices that need it."""
        state, copied = self.state, self.devices.copied
        state.learner, state.playing = copied(state.learner), copied(state.playing)
        state.lanes, state.ring = self.devices.split(state.lanes), copied(state.ring)
        self._taught = copied(self._taught)

    def _checkpoint(self) -> Checkpoint:
        """The checkpoint in the folder; `CheckpointError` if it belongs to another run."""
        checkpoint = load_checkpoint(self.folder)
        saved = settings_of(checkpoint)
        if saved.from_games != self.settings.from_games:
            raise CheckpointError(
                f"the run in {self.folder} learns from games in files: name them with --from-games"
                if saved.from_games
                else f"the run in {self.folder} plays its own games: omit --from-games"
            )
        if saved.teacher is not None and self.settings.teacher is None:
            self.settings = self.settings.taught_by(saved.teacher)  # no need to name it again
        other = saved.difference(self.settings)
        if other is not None:
            raise CheckpointError(
                f"the checkpoint in {self.folder} belongs to another run: {other}"
            )
        return checkpoint

    def _save(self) -> None:
        self.state.seconds = self._seconds()
        facts = {"settings": self.settings.as_json(), "counts": self.state.counts()}
        save_checkpoint(self.folder, Checkpoint(self.state.iteration, facts, pieces_of(self.state)))
        export_network(
            self.folder,
            self.settings,
            self.state,
            self.game,
            list(self._scores.values()),
            self._teacher,
        )


def _play_name(stage: Stage) -> str:
    return f"play {stage.simulations}"  # 0: the games come from files


def _compile_times(seconds: Mapping[str, float], stage: Stage) -> str:
    play, learning = seconds[_play_name(stage)], seconds["learn"]
    if not stage.simulations:
        return f"compiled learning ({learning:.0f} s)"
    return f"compiled self-play ({play:.0f} s) and learning ({learning:.0f} s)"
