#!/usr/bin/env bash
# Install Debian's chromium for the browser tests, where there is none and we may; with it the one
# without windows, which most tests use because it is quicker.
# Never fails: without a browser those tests are skipped and say so.
set -uo pipefail
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "no chromium and no right to install it: the browser tests will be skipped" >&2
        exit 0
    fi
    as_root=(sudo)
fi
command -v apt-get >/dev/null || {
    echo "no chromium and no apt-get to install it: the browser tests will be skipped" >&2
    exit 0
}
echo "installing chromium for the browser tests" >&2
install() { "${as_root[@]}" apt-get install -y -qq "$@" >/dev/null; }
"${as_root[@]}" apt-get update -qq >/dev/null
install chromium chromium-headless-shell 2>/dev/null || install chromium ||
    echo "chromium could not be installed: the browser tests will be skipped" >&2
exit 0
