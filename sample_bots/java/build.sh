#!/bin/sh
# Builds the bots. Maven fetches the libraries and makes the protocol's classes, which takes its time and is done only
# when pom.xml or the protocol is new; the bots themselves need no more than the compiler.
set -eu

java_home=${JAVA_HOME:+$JAVA_HOME/bin/}
compile() { "${java_home}javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --release 17 -encoding UTF-8 "$@"; }

is_ready() { cat pom.xml proto/king/v1/arena.proto | cmp -s - build/lib/made-from; }

if ! is_ready; then
  command -v mvn >/dev/null || { echo "Maven is needed to build this bot, and there is no mvn on the PATH" >&2; exit 1; }
  rm -rf build/lib build/protocol build/generated-sources
  mvn --batch-mode --quiet -Dstyle.color=never generate-sources dependency:copy-dependencies
  compile -proc:none -nowarn -d build/protocol -cp 'build/lib/*' $(find build/generated-sources -name '*.java')
  cat pom.xml proto/king/v1/arena.proto >build/lib/made-from
fi

rm -rf build/bots
compile -proc:none -Xlint:unchecked,rawtypes,fallthrough,cast -Xmaxerrs 3 -d build/bots -cp 'build/protocol:build/lib/*' \
  $(find src/main/java -name '*.java')
