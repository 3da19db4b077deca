#!/bin/sh
# Draws the secrets of a one-node installation and prints them as manifests:
#   sh k8s/secrets.sh | kubectl apply -n king -f -
# Draw them once: parts that run go on with the old ones until they are started again.
set -eu

draw() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
digest() { printf %s "$1" | sha256sum | cut -d ' ' -f 1; }

control=$(draw)
worker=$(draw)
dashboard=$(draw)
host=${KING_QUEUE_HOST:-king-valkey}
port=${KING_QUEUE_PORT:-6379}

cat <<END
apiVersion: v1
kind: Secret
metadata:
  name: king-control
stringData:
  key: $control
---
apiVersion: v1
kind: Secret
metadata:
  name: king-queue
stringData:
  url: redis://:$worker@$host:$port/0
  dashboard-url: redis://dashboard:$dashboard@$host:$port/0
  # For KEDA, which dials from its own namespace.
  address: $host.king.svc:$port
  password: $worker
  # The dashboard hears of live tables and says which are watched; it cannot touch the queue.
  users.acl: |
    user default on #$(digest "$worker") ~* &* +@all
    user dashboard on #$(digest "$dashboard") resetchannels ~king:live:* &king:live:* -@all +@connection +get +mget +zrangebyscore +sadd +expire +subscribe +unsubscribe
END
