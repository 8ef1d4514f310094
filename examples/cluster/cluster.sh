#!/usr/bin/env bash
# A cluster of three processes on this machine: a NATS server, a worker, and a run that explores as well.
#
#   examples/cluster/cluster.sh start                     # a server, and a worker that waits for runs
#   examples/cluster/cluster.sh run examples/maze.c       # any command line of `secateur cluster run`
#   examples/cluster/cluster.sh stop
set -euo pipefail

here=$(cd "$(dirname "$0")/../.." && pwd)
secateur=${SECATEUR:-$here/bin/secateur}
state=${TMPDIR:-/tmp}/secateur-cluster
port=${NATS_PORT:-4222}
url=nats://127.0.0.1:$port

start() {
  mkdir -p "$state"
  nats-server -js -a 127.0.0.1 -p "$port" -sd "$state/nats" >"$state/nats.log" 2>&1 &
  echo $! >"$state/nats.pid"
  for _ in {1..50}; do
    "$secateur" cluster status --nats "$url" >/dev/null 2>&1 && break
    sleep 0.1
  done
  "$secateur" worker --nats "$url" --jobs 1 >"$state/worker.log" 2>&1 &
  echo $! >"$state/worker.pid"
  echo "The server listens on $url, a worker waits; their output is in $state."
}

stop() {
  for name in worker nats; do
    [ -f "$state/$name.pid" ] && kill "$(cat "$state/$name.pid")" 2>/dev/null || true
    rm -f "$state/$name.pid"
  done
}

case ${1-} in
  start) start ;;
  run) shift; exec "$secateur" cluster run --nats "$url" --jobs 1 "$@" ;;
  stop) stop ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
