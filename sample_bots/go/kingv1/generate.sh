#!/bin/sh
# Generates this package from proto/king/v1/arena.proto. Run in the kit's root: sh kingv1/generate.sh [FOLDER]
# Needs protoc, or what PROTOC says instead, such as PROTOC="python -m grpc_tools.protoc".
set -eu
target=${1:-kingv1}
plugins=$(mktemp -d)
trap 'rm -rf "$plugins"' EXIT
GOBIN="$plugins" go install tool
mkdir -p "$target"
${PROTOC:-protoc} -I proto \
    --plugin="$plugins/protoc-gen-go" --plugin="$plugins/protoc-gen-go-grpc" \
    --go_out="$target" --go_opt=module=kingbot/kingv1,Mking/v1/arena.proto=kingbot/kingv1 \
    --go-grpc_out="$target" --go-grpc_opt=module=kingbot/kingv1,Mking/v1/arena.proto=kingbot/kingv1 \
    king/v1/arena.proto
