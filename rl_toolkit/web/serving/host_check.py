"""The names that this server answers to.

A page elsewhere can point its own name to this machine and so make a browser here ask the server
on its behalf (DNS rebinding). The header ``Host`` then has that name, so a server that answers only
to its own names is out of reach. Addresses in numbers are safe: others cannot own them.
"""

from __future__ import annotations

import socket
from collections.abc import Collection
from ipaddress import ip_address


def is_ours(host: str, names: Collection[str] = ()) -> bool:
    """Whether the server answers to this ``Host`` header: localhost, an address, or in ``names``.

    >>> is_ours("localhost:5001"), is_ours("[::1]:5001"), is_ours("192.168.0.7")
    (True, True, True)
    >>> is_ours("evil.example:5001"), is_ours("games.lan", ["games.lan"])
    (False, True)
    """
    name = host_name(host)
    ours = {"", "localhost", *map(str.lower, names)}  # browsers always send a name
    if name in ours or name.endswith(".localhost"):
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str:
    """The name in a ``Host`` header, in lower case, without port and brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].rstrip(".")


def names_of(host: str, further: Collection[str] = ()) -> list[str]:
    """The names of a server on ``host``; one that others can reach has the machine's name too."""
    own = socket.gethostname().lower()
    return [host.lower(), *further, *(() if is_loopback(host) else (own, f"{own}.local"))]


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server on ``host``."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
