#!/bin/sh
# Starts a Redis as the primary or as a replica, as the sentinels say. While no sentinel answers, FIRST is the primary.
#   redis.sh NAME FIRST SENTINEL...    with the names under which the servers reach each other
set -eu
name=$1 first=$2
shift 2
daemons=$(cat "${SECRETS:-/run/secrets}/redis-password")
servers=$(cat "${SECRETS:-/run/secrets}/redis-servers-password")
primary=$first
for sentinel; do
  told=$(REDISCLI_AUTH=$servers timeout 5 redis-cli -e -h "$sentinel" -p "${SENTINEL_PORT:-26379}" --user servers --raw \
    sentinel get-master-addr-by-name stockbridge 2>/dev/null) || continue
  [ -z "$told" ] || { primary=$(echo "$told" | head -n 1); break; }
done
set -- --port 6379 --dir "${DATA:-/data}" --appendonly yes --appendfsync always --maxmemory-policy noeviction --replica-announce-ip "$name"
[ "$primary" = "$name" ] || set -- "$@" --replicaof "$primary" 6379
# A daemon may do what it does, on its own keys, and nothing else. The servers and sentinels may follow each other, and change the
# primary. Everybody else may ask whether it is there. The entrypoint of the image gives up the rights of root.
exec docker-entrypoint.sh redis-server "$@" --masteruser servers --masterauth "$servers" \
  --user default on nopass resetkeys resetchannels -@all +ping \
  --user stockbridge on ">$daemons" "~stockbridge*" "~{stockbridge*" resetchannels -@all \
  +@read +@write -@dangerous -@scripting -scan -randomkey -dbsize \
  +eval +evalsha +multi +exec +ping +hello +info +time "+client|setname" \
  --user servers on ">$servers" resetkeys resetchannels "&__sentinel__:hello" -@all \
  +psync +replconf +ping +info +role +publish +subscribe +multi +exec +slaveof "+config|rewrite" "+client|setname" "+client|kill"
