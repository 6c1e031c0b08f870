#!/bin/bash
# `npm run containers`: builds the images, starts the composition and checks what docs/operations.md promises.
# Takes 5 to 15 minutes and 12 GB of disk below CONTAINERS_DIR, which later runs reuse.
#
# On Debian 12 as root it needs only a Debian mirror and the npm registry: it starts its own Docker engine and builds the base
# images, so no container registry is used. Elsewhere, with a Docker engine that reaches Docker Hub:
# CONTAINERS_ENGINE=yours npm run containers. On a busy machine an upgrade may exceed the limit of 8 s without service:
# CONTAINERS_MAX_OUTAGE_MS=30000.
set -Eeuo pipefail
trap 'echo "npm run containers: line $LINENO of ${BASH_SOURCE[0]} failed: $BASH_COMMAND" >&2' ERR
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
engine=${CONTAINERS_ENGINE:-own}
work=${CONTAINERS_DIR:-/var/tmp/birdhub-containers}
port=${HUB_PORT:-18480}
project=birdhub-check
# Differs from the subnet of a composition that runs on the same machine.
subnet=172.28.45.0/24
docker=docker

say() { echo "[$(date +%T)] $*"; }
refuse() {
  echo "npm run containers: $*" >&2
  exit 2
}

source "$here/engine.sh"
source "$here/base-images.sh"
source "$here/checks.sh"

case $engine in
  own) require_debian ;;
  yours) require_docker ;;
  *) refuse "CONTAINERS_ENGINE is 'own' or 'yours', not '$engine'." ;;
esac
mkdir -p "$work"
work=$(cd "$work" && pwd)
trap 'leave_composition; stop_engine' EXIT
trap 'exit 130' INT TERM

if [ "$engine" = own ]; then
  say 'engine'
  start_engine
  say 'base images'
  make_base_images
fi
say 'images of the hub'
copy_repository
build_images
say 'composition'
run_checks
