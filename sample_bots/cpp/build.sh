#!/bin/sh
# Builds both bots into build/.
set -eu
cmake -S . -B build
cmake --build build --parallel "$(nproc)" --target bots
