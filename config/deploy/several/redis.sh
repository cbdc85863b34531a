#!/bin/sh
# Starts a Redis as the primary or as a replica, as the sentinels say. While no sentinel answers, FIRST is the primary.
#   redis.sh NAME FIRST SENTINEL...    with the names under which the servers reach each other
set -eu
name=$1 first=$2
shift 2
primary=$first
for sentinel; do
  told=$(timeout 5 redis-cli -h "$sentinel" -p "${SENTINEL_PORT:-26379}" --raw sentinel get-master-addr-by-name stockbridge 2>/dev/null | head -n 1) || true
  [ -z "$told" ] || { primary=$told; break; }
done
set -- --port 6379 --dir "${DATA:-/data}" --appendonly yes --appendfsync always --maxmemory-policy noeviction --replica-announce-ip "$name"
[ "$primary" = "$name" ] || set -- "$@" --replicaof "$primary" 6379
exec redis-server "$@"
