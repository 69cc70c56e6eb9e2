"""Make a release, and tag nothing: ``make release VERSION=0.3.0``.

::

    1 version     rl_toolkit.__version__ is VERSION, and the changelog has a section Unreleased
    2 texts       SECURITY.md and CITATION.cff, if about.toml has what they need
    3 build       the source archive, and from it the wheel, in dist/
    4 check       twine reads both; the wheel has the pages of the documentation
    5 try         the wheel in a clean environment of each Python found: import, command, a search
    6 licences    what the wheel needs, with its licences, in dist/licences.txt
    7 changelog   the section gets the version and the day

A step that fails ends the command, and the changelog stays as it was. ``--dry-run`` leaves out the
last step.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.site.addresses import About, read_about  # noqa: E402

DIST = ROOT / "dist"
OLDEST = (3, 11)
_UNRELEASED = "## Unreleased\n"
#: What a new environment is asked: all of it runs without the source.
_TRIAL = """
import rl_toolkit as rlt
env = rlt.read_position("tictactoe", "b2b1")
assert rlt.make_engine("minimax").analyse(env).best.outcome == "win"
print(rlt.__version__)
"""


class ReleaseError(Exception):
    """Why no release can be made, as a sentence."""


# --- texts -------------------------------------------------------------------------------------


def dated(changelog: str, version: str, day: date) -> str:
    """The changelog with its section *Unreleased* as that of the version, and a new empty one."""
    if changelog.count(_UNRELEASED) != 1:
        raise ReleaseError("CHANGELOG.md needs one section '## Unreleased'")
    if re.search(rf"^## {re.escape(version)}\b", changelog, re.MULTILINE):
        raise ReleaseError(f"CHANGELOG.md already has a section for {version}")
    before, _, after = changelog.partition(_UNRELEASED)
    if not after.partition("\n## ")[0].strip():
        raise ReleaseError("the section Unreleased of CHANGELOG.md is empty")
    return f"{before}{_UNRELEASED}\n## {version} ({day.isoformat()})\n{after}"


def security_text(about: About) -> str | None:
    """SECURITY.md; none while nobody is named to write to."""
    if not about.security:
        return None
    return f"""# Security

Please report a security problem to {about.security}, and not in public. Say which version you use,
what you did and what happened.

The newest version gets corrections. What the toolkit promises about other people's code, and what
it does not, is in the [threat model](docs/guides/teachers.md#threat-model).
"""


def citation_text(about: About, version: str, day: date) -> str | None:
    """CITATION.cff; none while there are no authors."""
    if not about.authors:
        return None
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this software, please cite it as below.",
        "type: software",
        "title: rl_toolkit",
        f"version: {version}",
        f"date-released: {day.isoformat()}",
        "license: MIT",
        "authors:",
    ]
    for author in about.authors:
        given, _, family = author.rpartition(" ")
        lines += [f"  - family-names: {json.dumps(family, ensure_ascii=False)}"]
        lines += [f"    given-names: {json.dumps(given, ensure_ascii=False)}"] if given else []
    if about.repository:
        lines.append(f"repository-code: {json.dumps(about.repository)}")
    return "\n".join([*lines, ""])


# --- steps -------------------------------------------------------------------------------------


def build(out: Path) -> tuple[Path, Path]:
    """The source archive and the wheel made from it, in an empty folder."""
    shutil.rmtree(out, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", out, ROOT)  # the wheel comes from the archive
    (archive,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return archive, wheel


def pages_in(wheel: Path) -> int:
    """How many pages of documentation a wheel has; `ReleaseError` if it has none."""
    with zipfile.ZipFile(wheel) as files:
        pages = sum(name.endswith(".md") and "/docs/" in name for name in files.namelist())
    if not pages:
        raise ReleaseError(f"{wheel.name} has no pages for `rl-toolkit help`")
    return pages


def pythons() -> Iterator[str]:
    """The interpreters that can run the package, one for each version."""
    found: dict[tuple[int, ...], str] = {}
    folders = os.environ["PATH"].split(os.pathsep)
    folders += [str(path) for path in Path.home().glob(".pyenv/versions/*/bin")]
    for folder in folders:
        for path in sorted(Path(folder).glob("python3.[0-9][0-9]")):
            asked = [str(path), "-c", "import ensurepip, sys; print(*sys.version_info[:2])"]
            answer = subprocess.run(asked, capture_output=True, text=True, check=False)
            version = tuple(map(int, answer.stdout.split()))
            if answer.returncode == 0 and version >= OLDEST:
                found.setdefault(version, str(path))
    yield from (found[version] for version in sorted(found))


def try_wheel(wheel: Path, python: str, version: str) -> list[dict[str, str]]:
    """Install the wheel alone and use it; gives what it needed, with licences."""
    with tempfile.TemporaryDirectory() as folder:
        _run(python, "-m", "venv", folder)
        inside = Path(folder, "bin", "python")
        _run(inside, "-m", "pip", "install", "--quiet", wheel)
        answer = _run(inside, "-I", "-c", _TRIAL, cwd=folder)
        if answer.strip() != version:
            raise ReleaseError(f"the wheel says it is {answer.strip()}, not {version}")
        command = Path(folder, "bin", "rl-toolkit")
        _run(command, "analyse", "tictactoe", "b2b1", cwd=folder)
        _run(command, "help", "page", "install", cwd=folder)
        return [dict(entry) for entry in json.loads(_run(inside, "-I", "-c", _LICENCES))]


_LICENCES = """
import json, importlib.metadata as m
found = []
for each in m.distributions():
    about = each.metadata
    said = about.get("License-Expression") or ""
    if not said:
        classes = [c for c in about.get_all("Classifier") or () if c.startswith("License ::")]
        said = "; ".join(c.rpartition(" :: ")[2] for c in classes) or about.get("License") or ""
    first = (said.strip().splitlines() or [""])[0]
    found.append({"name": about["Name"], "version": each.version, "licence": first})
print(json.dumps(sorted(found, key=lambda each: each["name"].lower())))
"""


def _run(*command: object, cwd: object = ROOT) -> str:
    """Run a program; its output. Raises `ReleaseError` with what it said if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=str(cwd), capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise ReleaseError(f"{' '.join(words)} failed:\n{said}")
    return done.stdout


def release(version: str, day: date, *, dry: bool) -> None:
    """All steps."""
    from rl_toolkit import __version__

    if version != __version__:
        raise ReleaseError(f"rl_toolkit/__init__.py says {__version__}, not {version}")
    changelog = ROOT / "CHANGELOG.md"
    text = dated(changelog.read_text("utf-8"), version, day)
    about = read_about()
    made = {
        "SECURITY.md": security_text(about),
        "CITATION.cff": citation_text(about, version, day),
    }
    for name, content in made.items():
        if content is None:
            print(f"{name}: not made, about.toml has nothing for it")
        else:
            (ROOT / name).write_text(content, "utf-8")
            print(f"{name}: made")
    archive, wheel = build(DIST)
    print(f"{archive.name}, {wheel.name}: built")
    _run(sys.executable, "-m", "twine", "check", "--strict", archive, wheel)
    print(f"twine: both are well described; {pages_in(wheel)} pages of documentation")
    needed: list[dict[str, str]] = []
    for python in pythons():
        needed = try_wheel(wheel, python, version)
        print(f"{Path(python).name}: the wheel works in a clean environment")
    if not needed:
        raise ReleaseError("no Python from 3.11 on was found to try the wheel with")
    table = "\n".join(f"{n['name']} {n['version']}: {n['licence'] or 'unknown'}" for n in needed)
    (DIST / "licences.txt").write_text(f"{table}\n", "utf-8")
    print(f"dist/licences.txt: {len(needed)} packages")
    if not dry:
        changelog.write_text(text, "utf-8")
        print(f"CHANGELOG.md: {version} ({day.isoformat()})")
    print("Read what changed, commit it, and tag it yourself.")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make a release; tag nothing.")
    parser.add_argument("version")
    parser.add_argument("--dry-run", action="store_true", help="leave the changelog as it is")
    arguments = parser.parse_args()
    try:
        release(arguments.version, date.today(), dry=arguments.dry_run)
    except ReleaseError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
