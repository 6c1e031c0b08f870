#!/bin/bash
# Creates the database at the first start, like the entry point of the official image as far as the composition needs it.
set -e
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
install -d -o postgres -g postgres -m 3775 /run/postgresql
install -d -o postgres -g postgres -m 700 "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  as_postgres initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  as_postgres pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  [ "$POSTGRES_DB" = postgres ] || as_postgres createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  as_postgres pg_ctl -D "$PGDATA" -m fast -w stop
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"
