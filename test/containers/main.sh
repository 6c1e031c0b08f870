#!/bin/bash
# `npm run containers`: builds the images, brings the composition up and tries what docs/operations.md promises of it.
# Takes five to fifteen minutes and 12 GB of disk below CONTAINERS_DIR, which a second run makes use of.
#
# On Debian 12 as root it needs nothing but Debian's mirror and npm's registry: it starts a Docker engine of its own and
# makes the base images itself, so that no registry of containers is asked. Elsewhere, with a Docker engine that reaches
# Docker Hub: CONTAINERS_ENGINE=yours npm run containers. A machine with other work to do is slower in an upgrade than the
# 8 s that are asked: CONTAINERS_MAX_OUTAGE_MS=30000.
set -Eeuo pipefail
trap 'echo "npm run containers: line $LINENO of ${BASH_SOURCE[0]} failed: $BASH_COMMAND" >&2' ERR
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
engine=${CONTAINERS_ENGINE:-own}
work=${CONTAINERS_DIR:-/var/tmp/birdhub-containers}
port=${HUB_PORT:-18480}
project=birdhub-check
# Away from the network of a composition that runs on the same machine.
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
