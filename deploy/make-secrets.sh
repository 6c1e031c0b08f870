#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets, each once: what is there stays as it is.
set -eu
umask 077
folder="${1:-$(dirname "$0")/secrets}"
mkdir -p "$folder"

# The files must be readable for the users of the containers; the folder around them keeps everybody else away.
keep() {
  [ -e "$folder/$1" ] && return
  printf '%s\n' "$2" >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}
random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

keep postgres_password "$(random)"
keep database_url "postgresql://birdhub:$(cat "$folder/postgres_password")@postgres:5432/birdhub"
keep nats_password "$(random)"
keep nats_user "authorization { user: birdhub, password: \"$(cat "$folder/nats_password")\" }"
keep nats_url "nats://birdhub:$(cat "$folder/nats_password")@nats:4222"
keep internal_secret "$(random)"
keep secrets_key "$(random)"
keep grafana_password "$(random)"

# Empty: no token is asked of processors, and no assistant may dispense food. Write tokens of your own into them.
keep processor_secret ''
keep mcp_token ''
