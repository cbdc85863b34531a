#!/bin/sh
# Starts a sentinel; what it learns stays in its folder.
#   sentinel.sh NAME FIRST    with the name under which the others reach it, and that of the first primary
set -eu
file=${DATA:-/data}/sentinel.conf
[ -f "$file" ] || cat >"$file" <<END
port ${SENTINEL_PORT:-26379}
dir ${DATA:-/data}
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $1
sentinel monitor stockbridge $2 6379 2
sentinel down-after-milliseconds stockbridge 5000
sentinel failover-timeout stockbridge 30000
END
exec redis-sentinel "$file"
