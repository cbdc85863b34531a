#!/bin/sh
# Starts a sentinel; what it learns stays in its folder.
#   sentinel.sh NAME FIRST    with the name under which the others reach it, and that of the first primary
set -eu
umask 077
file=${DATA:-/data}/sentinel.conf
daemons=$(cat "${SECRETS:-/run/secrets}/redis-password")
servers=$(cat "${SECRETS:-/run/secrets}/redis-servers-password")
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
# The passwords may have changed since the last start. A daemon may ask for the primary and hear of a new one; the sentinels may
# agree on one.
sed -i -e '/^user /d' -e '/^sentinel \(auth\|sentinel\)-\(user\|pass\) /d' "$file"
cat >>"$file" <<END
sentinel auth-user stockbridge servers
sentinel auth-pass stockbridge $servers
sentinel sentinel-user servers
sentinel sentinel-pass $servers
user default on nopass resetkeys resetchannels -@all +ping
user stockbridge on >$daemons resetkeys resetchannels &+switch-master -@all +ping +hello +subscribe +client|setname +sentinel|get-master-addr-by-name +sentinel|sentinels +sentinel|ckquorum
user servers on >$servers resetkeys resetchannels &__sentinel__:hello -@all +ping +publish +client|setname +sentinel|get-master-addr-by-name +sentinel|is-master-down-by-addr
END
# The entrypoint of the image gives up the rights of root.
exec docker-entrypoint.sh redis-server "$file" --sentinel
