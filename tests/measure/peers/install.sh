#!/bin/sh
# Installs the peers of a language (JavaScript or Python) into a folder, in the versions that the lists here name,
# unless those very lists were installed before. usage: install.sh FOLDER LANGUAGE
set -e
mkdir -p "$1"
cp "$(dirname "$0")"/* "$1"
cd "$1"
case "$2" in
JavaScript) list=package-lock.json ;;
Python) list=requirements.txt ;;
esac
cmp -s "$list" "$list.installed" && exit
echo "installing what $list names" >&2
case "$2" in
# What the packages would run when they are installed is not needed.
JavaScript) npm ci --ignore-scripts --no-audit --no-fund --loglevel=error ;;
Python) python3 -m venv venv && venv/bin/pip install --quiet --requirement requirements.txt ;;
esac
cp "$list" "$list.installed"
