"""The key that seals results: in the user's data folder, readable for the user alone."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from rl_toolkit.utils.installation import data_folder

_KEY_FILE = "grading.key"


class ResultsError(ValueError):
    """The results cannot be opened; the message is a sentence."""


def key_file() -> Path:
    """Where the key of the user is."""
    return data_folder() / _KEY_FILE


def user_key() -> bytes:
    """The key of the user, made when it is first needed; raises `ResultsError`."""
    path = key_file()
    with suppress(FileExistsError):
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with open(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(32) + "\n")
            os.link(made, path)  # whole, or not at all; fails if it is there
        finally:
            made.unlink()
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except (ValueError, OSError) as error:
        raise ResultsError(f"{path} cannot be read: {error}") from error
    if len(key) != 32:
        raise ResultsError(f"{path} is not a key; move it away, and a new one is made")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)
    return key
