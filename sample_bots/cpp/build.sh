#!/bin/sh
# Builds both bots into build/.
set -eu
# CMake notes in its cache which folder this is, and refuses to work in one that was moved or renamed.
if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" build/CMakeCache.txt; then
    rm -rf build/CMakeCache.txt build/CMakeFiles
fi
cmake -S . -B build
cmake --build build --parallel "$(nproc)" --target bots
