"""The worker of a bot: a process that runs the code of the file and answers questions.

Messages to it, each a JSON object::

    {"load":  {"file", "source", "name", "seed", "memory", "plugins"}}   →  {"ready": true}
    {"think": {"game", "start", "moves", "limit", "time", "progress"}}   →  {"move": 4} or
        {"name": "b2"}, {"analysis": {…}}, {"wrong": "value of b2 is nan"}, {"returned": "None"}
    {"claim": {"game", "start", "moves", "time"}}   →  {"claims": […], "view", "tree", "work"}, or
        {"none": true} if the bot has nothing to say; see `players.bots.claiming`
    {"stop": true}                      ends a search that asks for ``stop``

While it thinks it may send ``{"progress": {…}}``. An exception of the bot is ``{"raised": "…"}``;
with ``"memory": true`` it had no memory left.
"""

from __future__ import annotations

import inspect
import math
import operator
import random
import select
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import rl_toolkit.records  # noqa: F401 - games need it, and each bot is a copy of this process
from rl_toolkit.adapting import number_of_move, own_object
from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.bots.claiming import METHOD, claims_of, tree_of, view_of, work_of
from rl_toolkit.players.bots.finding import METHODS, OFFERED
from rl_toolkit.players.bots.own_objects import wants_own_object
from rl_toolkit.utils import FramedJson, JsonObject, shown
from rl_toolkit.utils.plugins import Plugin, load_plugins

#: Seconds between two reports of progress.
_REPORT_EVERY = 0.05
#: Bytes that are set aside, so that an answer can be sent when a bot has used all memory.
_RESERVE = 8 << 20


def serve(channel: FramedJson) -> None:
    """Answer until the other side closes the stream."""
    bot: Bot | None = None
    reserve = [bytes(_RESERVE)]
    while (message := channel.receive()) is not None:
        try:
            if "load" in message:
                bot = Bot(channel, message["load"])
                answer: JsonObject = {"ready": True}
            elif "think" in message and bot is not None:
                answer = bot.answer(message["think"])
            elif "claim" in message and bot is not None:
                answer = bot.claims(message["claim"])
            else:  # a stop that came too late
                continue
        except MemoryError:
            reserve.clear()  # our side ends this process after the answer
            answer = {"raised": "MemoryError", "memory": True}
        except BaseException as error:  # whatever the code of the bot does
            answer = {"raised": described(error)}
        for stream in (sys.stdout, sys.stderr):  # what it printed arrives before its answer
            with suppress(Exception):
                stream.flush()
        try:
            channel.send(answer)
        except (TypeError, ValueError) as error:  # an Analysis with something that is not JSON
            channel.send({"wrong": str(error)[:200]})


def described(error: BaseException) -> str:
    """``ZeroDivisionError: division by zero (my_bot.py, line 12)``."""
    text = " ".join(str(error).split())[:500]
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != __file__]
    if not frames or isinstance(error, ImportError):
        return said
    return f"{said} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


class Bot:
    """The bot of a file, loaded and ready to be asked."""

    def __init__(self, channel: FramedJson, loading: JsonObject) -> None:
        self._channel, self._seed = channel, loading["seed"]
        if self._seed is not None:
            random.seed(self._seed)
            np.random.seed(self._seed % 2**32)
        load_plugins(Plugin(*plugin) for plugin in loading["plugins"])
        self._module = _module(loading["file"], loading["source"])
        bot = getattr(self._module, loading["name"])
        if isinstance(bot, type):
            bot = bot(**self._chosen(bot, {"seed": self._seed}))
        method = _method(bot)
        if not callable(method):
            raise TypeError(f"{loading['name']} is neither a function nor a class of a bot")
        self._bot, self._ask = bot, method
        self._game, self._start, self._moves = "", None, list[int]()
        self._env: BaseGameEnv | None = None
        #: The position of its last search.
        self._thought: tuple[str, Any, list[int]] | None = None

    def answer(self, question: JsonObject) -> JsonObject:
        """What the bot returns for a position, as a message."""
        self._thought = (question["game"], question["start"], question["moves"])
        env = self._position(question["game"], question["start"], question["moves"])
        limit = question["limit"]
        report = self._report if question["progress"] else None
        offered: dict[str, Any] = {
            "limit": None if limit is None else Limit(**limit),
            "time": question["time"],
            "on_progress": report,
            "stop": _Stop(self._channel),
            "seed": self._seed,
            "maximize": env.current_player == 1,
        }
        self._reported = 0.0
        answer, own = self._call(self._ask, env, offered)
        if own:
            answer = number_of_move(env, answer)
        if isinstance(answer, Analysis):
            return _plain(answer)
        if isinstance(answer, str):
            return {"name": answer[:100]}
        if not isinstance(answer, (bool, np.bool_)):
            try:
                move = operator.index(answer)  # type: ignore[arg-type]
            except TypeError:
                pass
            else:
                if abs(move) < 2**53:
                    return {"move": move}
        return {"returned": shown(answer)}

    def claims(self, question: JsonObject) -> JsonObject:
        """What the bot says about every move of a position, as a message."""
        env = self._position(question["game"], question["start"], question["moves"])
        own = wants_own_object(self._ask, self._module, env)

        def numbered(move: Any) -> Any:
            return number_of_move(env, move) if own else move

        answer: JsonObject = {"tree": None}
        if self._thought == (question["game"], question["start"], question["moves"]):
            answer = {"work": work_of(self._bot), "tree": tree_of(self._bot, numbered)}
        answer["view"] = view_of(self._bot, self._module)
        ask = getattr(self._bot, METHOD, None)
        if ask is None and self._bot is self._ask:  # a function, beside another one
            ask = getattr(self._module, METHOD, None)
        if not callable(ask):
            return {"none": True} if answer["tree"] is None else answer
        offered = {"time": question["time"], "seed": self._seed}
        offered |= {"limit": None, "maximize": env.current_player == 1}
        try:
            said, own = self._call(ask, env, offered)
            answer["claims"] = claims_of(said, numbered)
        except Exception as error:  # what it has kept can still be shown
            return answer | {"raised": described(error)}
        if answer["tree"] is None:  # one that only this search keeps
            answer["tree"] = tree_of(self._bot, numbered)
        return answer

    def _call(
        self, ask: Callable[..., object], env: BaseGameEnv, offered: dict[str, Any]
    ) -> tuple[object, bool]:
        """What a function of the bot returns, and whether it was given an object of its class."""
        own = wants_own_object(self._ask, self._module, env)
        position = own_object(env) if own else env.copy()
        try:
            return ask(position, **self._chosen(ask, offered)), own
        except AttributeError as error:
            if own and error.obj is position and hasattr(env, error.name or ""):
                hint = "with own = False in its file the bot gets a game of the toolkit"
                error.args = (f"{error}; {hint}",)
            raise

    @staticmethod
    def _chosen(function: Callable[..., object], offered: dict[str, Any]) -> dict[str, Any]:
        """Those of the ``offered`` arguments that the function has."""
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):
            return {}
        names = [name for name in OFFERED if name in parameters and name in offered]
        return {name: offered[name] for name in names}

    def _report(self, analysis: Analysis) -> None:
        now = time.monotonic()
        if now - self._reported >= _REPORT_EVERY:
            self._reported = now
            with suppress(TypeError, ValueError):  # a wrong report is left out
                report = _plain(analysis)
                if "analysis" in report:
                    self._channel.send({"progress": report["analysis"]})

    def _position(self, game: str, start: Any, moves: list[int]) -> BaseGameEnv:
        """The position after the moves; those that were played before are not played again."""
        known = len(self._moves)
        if self._env is None or (game, start, moves[:known]) != (
            self._game,
            self._start,
            self._moves,
        ):
            env, known = make_game(game), 0
            if start is not None:
                env.board, env.current_player = np.array(start["board"]), start["player"]
            self._env, self._game, self._start = env, game, start
        for move in moves[known:]:
            self._env.step(move)
        self._moves = moves
        return self._env


def _method(bot: object) -> object:
    """The method of a bot that is called, its own before inherited ones; or the bot itself."""
    for cls in type(bot).__mro__:
        for name in METHODS:
            if name in vars(cls):
                return getattr(bot, name)
    return next((getattr(bot, name) for name in METHODS if hasattr(bot, name)), bot)


def _plain(analysis: Analysis) -> JsonObject:
    """The message for an analysis, or what is wrong with it."""
    try:
        parts: list[tuple[str, Analysis | Candidate]] = [("", analysis)]
        parts += [(f" of {candidate.name}", candidate) for candidate in analysis.candidates]
        for whose, part in parts:
            for field in fields(part):
                number = getattr(part, field.name)
                if isinstance(number, (float, np.floating)) and not math.isfinite(number):
                    return {"wrong": f"{field.name}{whose} is {number}, which is not a number"}
        return {"analysis": analysis.to_dict()}
    except Exception as error:  # it may hold anything
        return {"wrong": f"{type(error).__name__}: {error}"[:200]}


class _Stop:
    """The stop signal of a search: set as soon as the message has arrived."""

    def __init__(self, channel: FramedJson) -> None:
        self._channel, self._is_set = channel, False

    def is_set(self) -> bool:
        """Whether the search should end now."""
        if not self._is_set:
            message = self._channel.message()
            if message is None and select.select([self._channel], [], [], 0)[0]:
                self._channel.read()
                message = self._channel.message()
            self._is_set = message is not None  # while it thinks, nothing else is sent
        return self._is_set

    isSet = is_set  # noqa: N815 - as in threading.Event


def _module(file: str, source: str) -> ModuleType:
    """Run the code of a file as a module; it may import its neighbours."""
    path = Path(file)
    module = ModuleType(f"bot_{path.stem}")
    module.__file__ = file
    sys.modules[module.__name__] = module
    sys.path.append(str(path.parent))
    exec(compile(source, file, "exec"), vars(module))
    return module
