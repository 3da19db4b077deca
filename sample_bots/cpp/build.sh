#!/bin/sh
# Builds both bots into build/.
set -eu
cd -P .

# CMake keeps the path that a folder had; after a move it has to begin anew.
cache=build/CMakeCache.txt
if [ -f "$cache" ] && ! grep -qxF "CMAKE_CACHEFILE_DIR:INTERNAL=$PWD/build" "$cache"; then
  rm -rf "$cache" build/CMakeFiles
fi
[ -f build/Makefile ] && [ -f "$cache" ] || cmake -S . -B build # make calls it again when its own files are new
cmake --build build --parallel "$(nproc)" --target bots
