#!/usr/bin/env bash
# Installs the toolkit: a wheel that lies beside this file, else the package of this version.
set -e
apt-get update
apt-get install -y python3 python3-pip
wheel=$(ls /autograder/source/*.whl 2>/dev/null | head -n 1)
pip3 install --break-system-packages "${wheel:-rl-toolkit-games==VERSION}"
