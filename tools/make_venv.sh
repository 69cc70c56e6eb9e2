#!/usr/bin/env bash
# Make the virtual environment DIR, installing Debian's python3-venv first where
# the system's Python comes without it.
#
# usage: make_venv.sh DIR [PYTHON]
set -euo pipefail
dir=$1
python=${2:-python3}

command -v "$python" >/dev/null || {
    echo "error: '$python' was not found; rl_toolkit needs Python 3.11 or newer" >&2
    exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "error: '$python' is $("$python" -V); rl_toolkit needs Python 3.11 or newer" >&2
    exit 1
}

if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    package=python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv
    echo "installing $package (this Python cannot make virtual environments yet)" >&2
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" apt-get install -y -qq "$package"
fi
"$python" -m venv "$dir"
