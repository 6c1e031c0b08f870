# Builds the base images and the images of the servers from Debian packages, under their names on Docker Hub. PostgreSQL 18,
# nginx and nats-server come from the next Debian release. Sourced by main.sh.

# Version of Node.js in the images, which is installed from the npm registry.
node_version=24.21.0
npm_version=11.19.1

make_base_images() {
  make_debian bookworm
  make_debian forky
  mkdir -p "$work/images"
  cp -r "$here/images/." "$work/images/"
  fetch_node
  $docker build -q -t node:24-bookworm-slim "$work/images/node"
  $docker build -q -t postgres:18-bookworm "$work/images/postgres"
  $docker build -q -t nginx:1.28-alpine "$work/images/nginx"
  $docker build -q -t nats:2.12-alpine "$work/images/nats"
}

make_debian() {
  local suite=$1 root=$work/debian-$1
  $docker image inspect "debian:$suite-slim" >/dev/null 2>&1 && return
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || ln -s sid "/usr/share/debootstrap/scripts/$suite"
  rm -rf "$root"
  debootstrap --variant=minbase "$suite" "$root" "$(debian_mirror)" >"$work/debootstrap-$suite.log" 2>&1 ||
    { tail -5 "$work/debootstrap-$suite.log"; refuse "Debian $suite cannot be fetched."; }
  find "$root"/usr/share/{doc,man,locale,info} -type f ! -name copyright -delete
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  printf '%s\n' 'path-exclude /usr/share/doc/*' 'path-include /usr/share/doc/*/copyright' \
    'path-exclude /usr/share/man/*' 'path-exclude /usr/share/locale/*' force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/docker"
  printf '%s\n' 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };' \
    'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' 'Acquire::Languages "none";' \
    'Acquire::Check-Valid-Until "false"; Acquire::Check-Date "false";' \
    >"$root/etc/apt/apt.conf.d/docker-clean"
  tar -C "$root" -c . | $docker import - "debian:$suite-slim" >/dev/null
  rm -rf "$root"
}

fetch_node() {
  local folder=$work/images/node machine
  case $(uname -m) in
    x86_64) machine=x64 ;;
    aarch64) machine=arm64 ;;
    *) refuse "there is no Node.js for $(uname -m)." ;;
  esac
  # The certificates of this machine, which may include those of a company proxy.
  cp /etc/ssl/certs/ca-certificates.crt "$folder/certificates.crt"
  [ -d "$folder/node" ] && [ -d "$folder/npm" ] && return
  (
    cd "$folder"
    rm -rf package node npm
    tar xzf "$(npm pack --silent "node-linux-$machine@$node_version")" && mv package node
    tar xzf "$(npm pack --silent "npm@$npm_version")" && mv package npm
    rm -f ./*.tgz
  )
}
