"""Which function or class of a file is the bot; the file is read, not run.

Without a name in the spec the rule is:

1. the one class that has a method ``analyse``, ``get_best_action``, ``choose_move`` or ``search``;
2. if there is no such class, the public function that can be called with a position and is called
   ``choose``, ``choose_move``, ``get_best_action``, ``best_move`` or ``bot``;
3. else the one class with a method ``best_move``, ``get_move`` or ``choose`` that takes a position;
4. else the one public function that can be called with a position.

A bot that does not play every game says so: ``GAMES = ["tictactoe", "connect-four"]``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rl_toolkit.players.options import SpecError
from rl_toolkit.utils import did_you_mean, listed

#: The methods with which a class chooses a move, the first of which is called: those that show a
#: bot, and those that a board or a node may have as well.
_OF_BOTS, _OF_OTHERS = (
    ("get_best_action", "choose_move", "search"),
    ("best_move", "get_move", "choose"),
)
CHOOSING = (*_OF_BOTS, *_OF_OTHERS)
#: The methods of a bot, the first of which is called.
METHODS = ("analyse", *CHOOSING)
#: The arguments that a bot may ask for, besides the position.
OFFERED = ("limit", "time", "on_progress", "stop", "seed", "maximize")
_USUAL_NAMES = ("choose", "choose_move", "get_best_action", "best_move", "bot")


def find_bot(source: str, file: str, name: str | None = None) -> str:
    """The name of the bot in ``source``; raises `SpecError` if there is none, or several.

    >>> find_bot("def choose(env): return 0", "my_bot.py")
    'choose'
    """
    try:
        tree = ast.parse(source, file)
    except SyntaxError as error:
        where = f"{file}, line {error.lineno}" if error.lineno else file
        raise SpecError(f"{where}: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise SpecError(f"{file} cannot be read as Python: {error}") from error
    if name is not None:
        return _named(tree, file, name)
    functions = [name for name, arguments in _functions(tree) if _is_bot(name, arguments)]
    usual = [function for function in functions if function in _USUAL_NAMES]
    classes, likely = _classes(tree)
    candidates = classes or usual or likely or functions
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise SpecError(
            f"{file} has no bot: write a function choose(env) that returns a move, or a class with "
            f"a method {listed(METHODS, 'or')} that takes a position"
        )
    raise SpecError(f"{file} has several bots: {listed(candidates)}; write {file}:{candidates[0]}")


def games_of(source: str) -> tuple[str, ...]:
    """The games in ``GAMES = ["tictactoe", …]`` of a file; none if it does not say.

    >>> games_of("GAMES = ['tictactoe']"), games_of("def choose(env): return 0")
    (('tictactoe',), ())
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and _names_games(node.targets):
            try:
                games = ast.literal_eval(node.value)
            except (ValueError, TypeError, MemoryError, RecursionError):
                continue
            if isinstance(games, (list, tuple)) and all(isinstance(g, str) for g in games):
                return tuple(games)
    return ()


def _names_games(targets: list[ast.expr]) -> bool:
    return [target.id for target in targets if isinstance(target, ast.Name)] == ["GAMES"]


def _named(tree: ast.Module, file: str, name: str) -> str:
    names = list(dict.fromkeys(_bound(tree.body)))
    if name in names or "*" in names:
        return name
    meant = did_you_mean(name, names)
    modules = {
        name for node in tree.body if isinstance(node, ast.Import) for name in _bound([node])
    }
    public = [other for other in names if not other.startswith("_") and other not in modules]
    has = f"it has {listed(public)}" if public else "it defines nothing"
    raise SpecError(
        f"{file} has no function or class {name}; {f'did you mean {meant}?' if meant else has}"
    )


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that the statements of a module define, those inside ``if`` and ``try`` too."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
        else:
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.stmt):
                    yield from _bound([part])
                elif isinstance(part, ast.ExceptHandler):
                    yield from _bound(part.body)


def _classes(tree: ast.Module) -> tuple[list[str], list[str]]:
    """The classes that are bots, and those that have a method with which a bot may choose."""
    sure, likely = [], []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
            if any(method.name in ("analyse", *_OF_BOTS) for method in methods):
                sure.append(node.name)
            elif any(m.name in _OF_OTHERS and _takes_position(m) for m in methods):
                likely.append(node.name)
    return sure, likely


def _takes_position(method: ast.FunctionDef) -> bool:
    arguments = len(method.args.posonlyargs) + len(method.args.args)
    is_static = any(
        isinstance(d, ast.Name) and d.id == "staticmethod" for d in method.decorator_list
    )
    return arguments > (0 if is_static else 1) or method.args.vararg is not None


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.arguments]]:
    """The functions of a module and their arguments; ``choose = lambda env: …`` is one too."""
    for node in tree.body:
        match node:
            case ast.FunctionDef():
                yield node.name, node.args
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=arguments)):
                yield name, arguments


def _is_bot(name: str, arguments: ast.arguments) -> bool:
    """Whether it is a public function that can be called with a position alone."""
    if name.startswith("_"):
        return False
    ordered = [*arguments.posonlyargs, *arguments.args]
    required = ordered[: len(ordered) - len(arguments.defaults)]
    by_name = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    takes_position = bool(ordered) or arguments.vararg is not None
    others = [*required[1:], *by_name]
    return takes_position and all(argument.arg in OFFERED for argument in others)
