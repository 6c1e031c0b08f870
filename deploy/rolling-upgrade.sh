#!/bin/sh
# Replaces the services of the composition one after the other, each by new containers that are healthy before the old ones
# stop, so that nobody waits. For images that are built already (docker compose build --pull), and versions of which the
# changelog does not say that they need a stop: for some seconds both run on the new database.
#   deploy/rolling-upgrade.sh [SERVICE...]     all by default, the gateway last
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- ingest query reports system gateway
health_timeout_s=120

docker compose run --rm --no-deps migrate
# Compose replaces whatever depends on a container that it replaces: this one now, or the next `up` replaces all.
docker compose up --detach migrate

is_healthy() { [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; }

wait_healthy() {
  for _ in $(seq "$health_timeout_s"); do
    if is_healthy "$1"; then return; fi
    sleep 1
  done
  return 1
}

# Lists of containers are words.
# shellcheck disable=SC2086
for service; do
  old=$(docker compose ps --quiet "$service")
  if [ -z "$old" ]; then
    docker compose up --detach "$service"
    continue
  fi
  count=$(echo "$old" | wc -l)
  docker compose up --detach --no-recreate --scale "$service=$((2 * count))" "$service"
  new=$(docker compose ps --quiet "$service" | grep -vF "$old")
  for container in $new; do
    if wait_healthy "$container"; then continue; fi
    docker logs --tail 20 "$container" >&2
    echo "$service is not healthy after $health_timeout_s s: its new containers go, the old ones stay." >&2
    docker rm --force $new >&2
    exit 1
  done
  docker stop --time 15 $old >/dev/null
  docker rm $old >/dev/null
  echo "$service: replaced"
done
