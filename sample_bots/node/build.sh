#!/bin/sh
# Builds the bots into build/. Packages are installed, and the protocol's types made, only when what they come from is new.
set -eu

command -v npm >/dev/null || { echo "npm is needed to build this bot, and there is none on the PATH" >&2; exit 1; }

if ! cmp -s package.json node_modules/installed-for.json; then
  npm install --no-package-lock --loglevel=error
  cp package.json node_modules/installed-for.json
fi
if ! cmp -s proto/king/v1/arena.proto build/arena.proto; then
  npm run --silent types
  cp proto/king/v1/arena.proto build/arena.proto # the bots read it at start
fi
node_modules/.bin/tsc --pretty false
