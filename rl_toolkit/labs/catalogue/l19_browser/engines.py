"""Run the student's JavaScript where there is something to run it: Node, or a Chromium browser.

Both run as commands with limits, in an empty folder, without network: Node in a sandbox of ours, a
browser in its own. Neither is a dependency of the package: what is not there is not used.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

from rl_toolkit.utils.isolation import Command, IsolationError, Limits, Sandbox

NODES = ("node", "nodejs")
BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    *("chrome", "microsoft-edge", "brave-browser"),
)
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
#: Processor time limits what runs for ever. Address space does not: both reserve very much of it.
_LIMITS = Limits(memory_mb=1 << 24, cpu_seconds=5, file_mb=256, open_files=1024)
#: Wall seconds after which a program that does nothing is ended.
_STUCK_SECONDS = 240.0
_MOST_BYTES = 8 << 20
#: What Chromium writes when the process of a page was killed.
_KILLED = b"Tab Killed"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Said:
    """An answer of the student's code: a value, or an ``error`` with its place."""

    value: Any = None
    error: str = ""
    place: str = ""
    is_endless: bool = False


class ScriptError(Exception):
    """A script cannot be loaded, or runs without end while it is."""


class NoEngineError(Exception):
    """There is nothing here that runs JavaScript; the message says what is missing."""


def find_node() -> str | None:
    """The path of Node, ``None`` if there is none."""
    return next(filter(None, map(shutil.which, NODES)), None)


def find_browser() -> str | None:
    """The path of a browser of the Chromium family, ``None`` if there is none."""
    there = next(filter(None, map(shutil.which, BROWSERS)), None)
    return there or next((path for path in _MAC if os.path.exists(path)), None)


# ------------------------------------------------------------------------------ the model


def answers(files: Mapping[str, str], calls: Sequence[tuple[str, list[Any]]]) -> list[Said]:
    """The answers to calls of probe.js; raises `ScriptError` or `NoEngineError`.

    After one that does not end, the others are missing.
    """
    scripts = {name: text for name, text in files.items() if name.endswith(".js")}
    if find_node() is not None:
        return _read(_by_node(scripts, calls), len(calls))
    return _read(_by_browser(scripts, calls), len(calls))


def _by_node(scripts: Mapping[str, str], calls: Sequence[tuple[str, list[Any]]]) -> str:
    node = find_node()
    assert node is not None
    given = {
        "source": scripts.get("game.js", ""),
        "scripts": scripts,
        "probe": _own("probe.js"),
        "calls": calls,
    }
    driver = str(_HERE / "driver.js")
    arguments = [node, "--max-old-space-size=512", driver]
    return _run(arguments, json.dumps(given), None, Sandbox((node, driver), only=()))


def _by_browser(scripts: Mapping[str, str], calls: Sequence[tuple[str, list[Any]]]) -> str:
    """The same answers, from a page that holds only the model."""
    plan = json.dumps([[name, given] for name, given in calls])
    page = (
        "<!DOCTYPE html><meta charset=utf-8><pre id=seen></pre><script>var bad = null;"
        "window.onerror = (message) => { bad = bad || String(message); };</script>"
        f"<script>{_inline(scripts.get('game.js', ''))}</script>"
        f"<script>{_inline(_own('probe.js'))}</script>"
        f"<script>const lines = [bad ? {{load: {{kind: bad, message: ''}}}} : {{ready: true}}];"
        f"for (const [name, given] of bad ? [] : {_inline(plan)}) {{"
        "try { const text = JSON.stringify(probes[name](...given));"
        "lines.push({value: text === undefined ? null : JSON.parse(text)}); } catch (error) {"
        "lines.push({error: {kind: error.name, message: error.message}}); } }"
        "document.getElementById('seen').textContent = lines.map("
        "(line) => JSON.stringify(line)).join('\\n');</script>"
    )
    return _seen(page)


def _read(output: str, expected: int) -> list[Said]:
    lines = [json.loads(line) for line in output.splitlines() if line.strip()]
    if not lines:
        raise ScriptError("game.js runs without end when it is loaded.")
    if "load" in lines[0]:
        raise ScriptError(f"{_in_words(lines[0]['load'])}.")
    value = []
    for line in lines[1:]:
        error = line.get("error")
        place = f"{error.get('file')} line {error.get('line')}" if error else ""
        value.append(
            Said(line.get("value"), _in_words(error) if error else "", place if error else "")
        )
    if len(value) < expected:
        value.append(Said(error="it runs without end", is_endless=True))
    return value


def _in_words(error: Mapping[str, Any]) -> str:
    where = f"{error['file']} line {error['line']}: " if error.get("file") else ""
    return f"{where}{error.get('kind', '')}: {error.get('message', '')}".rstrip(": ")


# ------------------------------------------------------------------------------ the page


def page_seen(
    files: Mapping[str, str],
    widths: Sequence[int],
    plan: Mapping[str, Any],
    *,
    harness: str = "",
    first: str = "",
) -> Any:
    """What harness.js sees of the student's page; ``None`` if it does not come to an end.

    ``harness`` is another script in its place, ``first`` one that runs before the student's.
    Raises `NoEngineError` if there is no browser, or if it does not run here.
    """
    student = html.escape(_one_page(files, first), quote=True)
    frames = "".join(
        f'<iframe style="width:{width}px;height:900px;border:0" srcdoc="{student}"></iframe>'
        for width in widths
    )
    page = (
        "<!DOCTYPE html><meta charset=utf-8><pre id=seen></pre>"
        f'<script type="application/json" id=plan>{_inline(json.dumps(plan))}</script>'
        f"<script>{_inline(harness or _own('harness.js'))}</script>{frames}"
    )
    return json.loads(_seen(page) or "null")


_LINK = re.compile(r"<link\b[^>]*\bhref=[\"']?(?:\./)?([\w.-]+\.css)[^>]*>", re.IGNORECASE)
_SCRIPT = re.compile(
    r"<script\b[^>]*\bsrc=[\"']?(?:\./)?([\w.-]+\.js)[^>]*>\s*</script\s*>", re.IGNORECASE
)
#: Errors are kept for the harness; and the lot falls on X, so that each check sees the same page.
_CATCH = (
    "<script>Math.random = () => 0.25; window.problems = [];"
    "window.onerror = (message) => { problems.push(String(message)); };</script>"
)


def _one_page(files: Mapping[str, str], first: str = "") -> str:
    """index.html with its own styles and scripts inside, and a script before them."""
    page = files.get("index.html", "")
    page = _LINK.sub(lambda found: f"<style>{files.get(found[1], '')}</style>", page)
    page = _SCRIPT.sub(lambda found: f"<script>{_inline(files.get(found[1], ''))}</script>", page)
    begin = f"<script>{_inline(first)}</script>" if first else _CATCH
    return page.replace("<head>", f"<head>{begin}", 1) if "<head>" in page else begin + page


def _inline(script: str) -> str:
    return re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE)


def _seen(page: str) -> str:
    """The text of the element ``seen`` after a page has run; "" if it never ended."""
    browser = find_browser()
    if browser is None:
        raise NoEngineError("there is no browser of the Chromium family here")
    text = _dumped(browser, page)
    if text is None:  # it may have crashed, as browsers do on a busy machine
        text = _dumped(browser, page)
    if text is None and _dumped(browser, "<pre id=seen>ready</pre>") is None:
        raise NoEngineError(f"{Path(browser).name} does not run here")
    return text or ""


def _dumped(browser: str, page: str) -> str | None:
    """The same from this browser, ``None`` if it ended without an answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "check.html"
        path.write_text(page, encoding="utf-8")
        arguments = [browser, "--headless", "--disable-gpu", "--disable-dev-shm-usage"]
        arguments += ["--no-first-run", "--disable-extensions", "--disable-background-networking"]
        arguments += ["--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder}/profile"]
        arguments += ["--window-size=1500,1000", "--virtual-time-budget=120000", "--dump-dom"]
        arguments.append("--enable-logging=stderr")
        if sys.platform == "linux" and os.geteuid() == 0:
            arguments.append("--no-sandbox")
        dumped = _run([*arguments, path.as_uri()], "", folder)
    match = re.search(r'<pre id="seen">(.*?)</pre>', dumped, re.DOTALL)
    return html.unescape(match[1]) if match else None


# ------------------------------------------------------------------------------ running


def _own(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _run(
    arguments: list[str], given: str, folder: str | None, sandbox: Sandbox | None = None
) -> str:
    """The output of a program, as far as it got."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": folder or "/nonexistent"}
    try:
        command = Command(arguments, environment, folder, _LIMITS, sandbox)
    except IsolationError as error:
        raise NoEngineError(f"{Path(arguments[0]).name} {error}") from error
    try:
        return _talk(command, given.encode(), folder)
    finally:
        for file in (command.stdin, command.stdout, command.stderr):
            if file >= 0:
                os.close(file)
        command.end()


def _talk(command: Command, given: bytes, folder: str | None) -> str:
    """Write the input, read the output until its end, or until nothing comes for long.

    Chromium waits for ever after the process of a page has ended: it either says so, or leaves a
    dump in its ``folder``.
    """
    until = time.monotonic() + _STUCK_SECONDS
    output, errors = bytearray(), bytearray()
    reading = [command.stdout, command.stderr]
    os.set_blocking(command.stdin, False)
    while command.stdout in reading and len(output) < _MOST_BYTES and _KILLED not in errors:
        left = until - time.monotonic()
        writing = [command.stdin] if command.stdin >= 0 else []
        ready, writable, _ = select(reading, writing, [], max(0.0, min(left, 1.0)))
        if left <= 0 or (not ready and folder and any(Path(folder).rglob("*.dmp"))):
            break
        if writable:
            try:
                given = given[os.write(command.stdin, given[:65536]) :]
            except BrokenPipeError:
                given = b""
            if not given:
                os.close(command.stdin)
                command.stdin = -1
        for file in ready:
            part = os.read(file, 65536)
            (output if file == command.stdout else errors).extend(part)
            if not part:
                reading.remove(file)
    return output.decode("utf-8", "replace")
