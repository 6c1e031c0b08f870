# Starts a separate Docker engine for this run: Debian's docker.io with its data below $work, and Compose from Debian 13, as
# the version in Debian 12 is too old for compose.yaml. Sourced by main.sh.

engine_pid=
bridge=birdhub-check0

require_docker() {
  docker version >/dev/null 2>&1 || refuse 'CONTAINERS_ENGINE=yours, and no Docker engine answers.'
  docker compose version >/dev/null 2>&1 || refuse 'the plugin Compose of Docker is missing; 2.24 or newer is needed.'
}

require_debian() {
  local hint='With a Docker engine of yours: CONTAINERS_ENGINE=yours npm run containers'
  grep -qs '^12' /etc/debian_version || refuse "an engine of its own needs Debian 12. $hint"
  [ "$(id -u)" = 0 ] || refuse "an engine of its own needs root. $hint"
  for program in npm git; do
    command -v $program >/dev/null || refuse "$program is missing."
  done
  local free
  free=$(df --output=avail -k "$(dirname "$work")" | tail -1)
  [ "$free" -gt 12000000 ] || refuse "12 GB of disk are needed below $(dirname "$work") (CONTAINERS_DIR), and $((free / 1000000)) GB are free."
}

debian_mirror() {
  awk '/^URIs:/ { print $2; exit } /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^http/) { print $i; exit } }' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null
}

install_tools() {
  local had_docker=
  command -v dockerd >/dev/null && had_docker=yes
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    docker.io debootstrap curl ca-certificates openssl iproute2 debian-archive-keyring >"$work/apt.log" 2>&1 ||
    { tail -5 "$work/apt.log"; refuse 'the tools cannot be installed.'; }
  # The installation also starts a system-wide engine, which is not needed.
  if [ -z "$had_docker" ] && [ -d /run/systemd/system ]; then
    systemctl disable --now docker.socket docker.service >/dev/null 2>&1 || true
  fi
}

install_compose() {
  local plugins=$work/docker/cli-plugins lists=$work/trixie
  mkdir -p "$plugins"
  echo '{}' >"$work/docker/config.json"
  [ -x "$plugins/docker-compose" ] && return
  mkdir -p "$lists"/{lists/partial,cache/archives/partial,none}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) trixie main" >"$lists/sources.list"
  local options=(-o "Dir::Etc::SourceList=$lists/sources.list" -o "Dir::Etc::SourceParts=$lists/none"
    -o "Dir::State::Lists=$lists/lists" -o "Dir::Cache=$lists/cache" -o Dir::State::status=/dev/null
    -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update -qq
  (cd "$lists" && apt-get "${options[@]}" download -qq docker-compose && dpkg-deb -x docker-compose_*.deb unpacked)
  cp "$lists/unpacked/usr/libexec/docker/cli-plugins/docker-compose" "$plugins/"
}

start_engine() {
  install_tools
  install_compose
  docker=/usr/bin/docker
  export DOCKER_HOST=unix://$work/run/docker.sock DOCKER_CONFIG=$work/docker DOCKER_BUILDKIT=1
  mkdir -p "$work/run"
  # A separate bridge, as another engine may use docker0.
  ip link show $bridge >/dev/null 2>&1 || ip link add name $bridge type bridge
  ip address replace 172.28.46.1/24 dev $bridge
  ip link set $bridge up
  dockerd --host "$DOCKER_HOST" --bridge $bridge --data-root "$work/engine" --exec-root "$work/run/exec" \
    --pidfile "$work/run/docker.pid" >"$work/dockerd.log" 2>&1 &
  engine_pid=$!
  for _ in $(seq 60); do
    $docker info >/dev/null 2>&1 && return
    kill -0 "$engine_pid" 2>/dev/null || break
    sleep 1
  done
  tail -5 "$work/dockerd.log"
  refuse 'the Docker engine does not start here: it needs a kernel with namespaces, cgroups, overlayfs and iptables.'
}

stop_engine() {
  [ -n "$engine_pid" ] || return 0
  kill -TERM "$engine_pid" 2>/dev/null || true
  wait "$engine_pid" 2>/dev/null || true
  ip link delete $bridge 2>/dev/null || true
}
