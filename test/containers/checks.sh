# Checks the composition from outside, according to docs/operations.md. Sourced by main.sh.

hub=http://127.0.0.1:$port
passed=0
failed=0
max_image_mb=550
max_outage_ms=${CONTAINERS_MAX_OUTAGE_MS:-8000}

compose() { (cd "$work/hub/deploy" && $docker compose "$@"); }
hub_command() { compose run --rm -T migrate "$@"; }

check() {
  local name=$1
  shift
  if "$@"; then
    echo "ok   $name"
    passed=$((passed + 1))
  else
    echo "FAIL $name"
    failed=$((failed + 1))
  fi
}
# Like check, but shows the output of the command only when it fails.
check_command() {
  local name=$1
  shift
  if "$@" >"$work/command.log" 2>&1; then
    check "$name" true
  else
    tail -5 "$work/command.log"
    check "$name" false
  fi
}
is() { [ "$1" = "$2" ] || { echo "     '$1' is not '$2'"; false; }; }
has() { grep -q -- "$2" <<<"$1" || { echo "     '$2' is not in: $1"; false; }; }
is_below() { [ "$1" -lt "$2" ] || { echo "     $1 is not below $2"; false; }; }
status_of() { curl -s -m 20 -o "$work/answer" -w '%{http_code}' "$@"; }
json() { curl -s -m 20 -H 'content-type: application/json' "$@"; }
within() {
  local seconds=$1
  shift
  for _ in $(seq "$seconds"); do
    "$@" >/dev/null 2>&1 && return
    sleep 1
  done
  "$@"
}
set_variable() {
  sed -i "/^$1=/d" "$work/hub/deploy/.env"
  echo "$1=$2" >>"$work/hub/deploy/.env"
}

copy_repository() {
  rm -rf "$work/hub"
  mkdir "$work/hub"
  (cd "$repository" && git -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from - --ignore-failed-read) | tar --extract -C "$work/hub"
}

build_images() {
  "$work/hub/deploy/make-secrets.sh"
  cat >"$work/hub/deploy/.env" <<END
COMPOSE_PROJECT_NAME=$project
HUB_PORT=127.0.0.1:$port
HUB_SUBNET=$subnet
HUB_VERSION=check
END
  compose build >"$work/build.log" 2>&1 || { tail -40 "$work/build.log"; exit 1; }
}

leave_composition() {
  [ ! -e "$work/hub/deploy/.env" ] || compose down --volumes --timeout 5 >/dev/null 2>&1 || true
}

run_checks() {
  images_are_small
  compose down --volumes >/dev/null 2>&1 || true
  leave_nats_of_before
  compose up -d >"$work/up.log" 2>&1 || { tail "$work/up.log"; compose logs --no-color --tail 5 | cut -c 1-300; exit 1; }
  hub_answers
  media_are_made
  secrets_come_into_force
  services_scale
  commands_work
  old_hub_is_imported
  https_works
  upgrade_is_short
  rolling_upgrade_holds_nobody_up
  nats_can_be_reset
  hub_stops_and_is_restored
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] || exit 1
}

layers_of() { $docker image inspect --format '{{range .RootFS.Layers}}{{println .}}{{end}}' "birdhub/$1:check" | sort; }
shared_layers() { comm -12 <(layers_of "$1") <(layers_of "$2") | grep -c sha256; }

images_are_small() {
  local service size
  for service in gateway ingest query reports system; do
    size=$(($($docker image inspect --format '{{.Size}}' "birdhub/$service:check") / 1000000))
    check "the image of $service, $size MB, is small" is_below $size $((max_image_mb + 1))
  done
  check 'reports and system share a layer more than others: the media programs' \
    is_below "$(shared_layers gateway system)" "$(shared_layers reports system)"
  check 'the packages of the media programs are listed for scanners' has \
    "$($docker run --rm --entrypoint cat birdhub/system:check /var/lib/dpkg/status.d/libavcodec59)" '^Version: '
}

# Creates the NATS volume of version 0.1.0, in which NATS ran as root.
leave_nats_of_before() {
  $docker volume create --label "com.docker.compose.project=$project" --label com.docker.compose.volume=nats \
    "${project}_nats" >/dev/null
  $docker run --rm --user 0:0 --entrypoint sh -v "${project}_nats:/data" nats:2.12-alpine \
    -c 'mkdir -p /data/jetstream && chmod 750 /data/jetstream && chown -R 0:0 /data'
}

are_healthy() { [ "$(compose ps --format '{{.Health}}' | sort -u)" = healthy ]; }
is_ready() { [ "$(status_of "$hub/api/ui/readiness")" = 200 ]; }

recording() {
  local species=${2:-Great Tit}
  printf '{"processor_version":"check","camera_id":"check","start_time":"%s","end_time":"%s","video_path":"%s","species":[{"species_name":"%s","confidence":0.9,"start_time":1,"end_time":5,"source":"video","track_id":1}]}' \
    "$(date -u -d "${3:-now}" +%FT%TZ)" "$(date -u -d "${3:-now} +10 sec" +%FT%TZ)" "$1" "$species"
}
post() { status_of -H 'content-type: application/json' -d "$1" "${@:2}" "$hub/api/processor/videos"; }

hub_answers() {
  check 'all containers are healthy' within 120 are_healthy
  check 'the hub is ready' is_ready
  check 'nats is not root' is "$(compose exec -T nats id -u)" 1000
  check 'the store of a nats that was root is the user of nats'"'"'s' is \
    "$(compose exec -T nats stat -c %u /data/jetstream)" 1000
  check 'the page' has "$(curl -s "$hub/")" '<script'
  timeout 30 curl -sN "$hub/api/ui/events" >"$work/events" || true &
  local events=$!
  sleep 1
  check 'a recording is taken' is "$(post "$(recording check/video.mp4)")" 201
  check 'and is in the timeline' has "$(curl -s "$hub/api/ui/timeline?date=$(date -u +%F)")" 'Great Tit'
  check 'live events tell of it' within 25 grep -q '^event: recording' "$work/events"
  kill $events 2>/dev/null || true
}

# Creates the file of a recording in its own folder, as a processor with this user id.
make_video() {
  $docker run --rm -v "${project}_recordings:/recordings" --user "$1" --entrypoint sh birdhub/system:check -c \
    "umask 002; mkdir -p /recordings/$2 && ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=10:duration=10 -c:v libx264 -pix_fmt yuv420p /recordings/$2/video.mp4"
}
media_of() { curl -s "$hub/api/ui/videos/$1" | grep -o '"media":"[a-z]*"'; }
has_media() { media_of "$1" | grep -q ready; }
has_poster() { [ "$(status_of "$hub/api/ui/videos/$1/poster")" = 200 ]; }
newest_id() { grep -o '"video_id": *[0-9]*' "$work/answer" | head -1 | tr -dc 0-9; }

media_are_made() {
  make_video 1000:1000 check
  check 'the file of a recording is found' within 120 has_media 1
  check 'a range of it' is "$(status_of -r 0-99 "$hub/api/ui/videos/1/stream")" 206
  check 'its poster' within 120 has_poster 1
  check 'the report of the month' is "$(status_of "$hub/api/ui/report/pdf?month=$(date -u +%Y-%m)")" 200

  # As on a machine that runs its containers with a low priority.
  local pid
  for pid in $($docker top "$(compose ps -q system)" -eo pid | tail -n +2); do
    renice -n 15 -p "$pid" >/dev/null
  done
  $docker run --rm -v "${project}_recordings:/recordings" --user 0:0 --entrypoint sh birdhub/system:check -c \
    'install -d -o 1234 -g 1000 -m 2775 /recordings/other'
  make_video 1234:1000 other/1
  post "$(recording other/1/video.mp4 Robin '-1 hour')" >/dev/null
  local id
  id=$(newest_id)
  check 'a recording is made ready by a system at nice 15' within 120 has_media "$id"
  check 'and so is its poster' within 120 has_poster "$id"
  status_of -X DELETE "$hub/api/ui/videos/$id" >/dev/null
  check 'a file in a folder of another user with the group of the hub is removed with its recording' within 120 \
    compose exec -T system test ! -e /recordings/other/1/video.mp4
}

secrets_come_into_force() {
  echo check-token >"$work/hub/deploy/secrets/processor_secret"
  compose restart ingest >/dev/null 2>&1
  within 120 are_healthy
  check 'a secret that was written later is in force after a restart' is "$(post "$(recording check/later.mp4)")" 403
  check 'and is taken' is \
    "$(post "$(recording check/later.mp4 'Blue Tit' '-1 minute')" -H 'X-Processor-Token: check-token')" 201
}

services_scale() {
  set_variable QUERY_REPLICAS 2
  compose up -d >>"$work/up.log" 2>&1
  compose up -d >>"$work/up.log" 2>&1
  check 'two of query survive the next up' is "$(compose ps -q query | wc -l)" 2
  within 120 are_healthy
  check 'and answer' is_ready
  check 'the status in a container knows both' is "$(hub_command status 2>/dev/null | grep -c '^  query .* ready$')" 2
  set_variable QUERY_REPLICAS 1
  compose up -d >>"$work/up.log" 2>&1
  check 'and then there is one' is "$(compose ps -q query | wc -l)" 1
}

commands_work() {
  local command
  for command in migrate status reset-passwords rotate-secrets apply-species-mapping rebuild-visits \
    'backup /backups/check.backup'; do
    # shellcheck disable=SC2086
    check_command "hub $command" hub_command $command
  done
}

old_hub_is_imported() {
  local old=$work/old
  rm -rf "$old"
  mkdir -p "$old/recordings/2025/05/01/1"
  $docker run --rm --user 0:0 -v "$old:/old" -v "${project}_recordings:/recordings" --entrypoint sh birdhub/system:check \
    -c 'cp /recordings/check/video.mp4 /old/recordings/2025/05/01/1/ && node -e "$1"' sh "
      const database = new (require('node:sqlite').DatabaseSync)('/old/hub.db');
      database.exec(\`CREATE TABLE species (id INTEGER PRIMARY KEY, name VARCHAR);
        CREATE TABLE video (id INTEGER PRIMARY KEY, start_time DATETIME, end_time DATETIME, video_path VARCHAR);
        CREATE TABLE video_species (id INTEGER PRIMARY KEY, video_id INTEGER, species_id INTEGER, start_time FLOAT,
          end_time FLOAT, confidence FLOAT, source VARCHAR);
        INSERT INTO species VALUES (900001, 'Great Tit');
        INSERT INTO video VALUES (7001, '2025-05-01 08:00:00', '2025-05-01 08:00:10', 'data/recordings/2025/05/01/1/video.mp4');
        INSERT INTO video_species VALUES (8001, 7001, 900001, 0, 2, 0.9, 'video');\`);" 2>/dev/null
  local report
  report=$(compose run --rm -T -v "$old:/old:ro" migrate import-birdlense /old/hub.db /old/recordings 2>/dev/null || true)
  check 'hub import-birdlense takes a recording' has "$report" '^ *1  recordings$'
  check 'and its file' has "$report" '^ *1  files taken$'
  check 'its copy of the database is not in memory' test \
    "$(compose run --rm -T --entrypoint stat migrate -f -c %T /tmp 2>/dev/null)" != tmpfs
}

tls=https://127.0.0.1:$((port + 1))
is_encrypted() { [ "$(status_of -k $tls/api/ui/health)" = 200 ]; }

https_works() {
  local secrets=$work/hub/deploy/secrets
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
    -keyout "$secrets/tls_key" -out "$secrets/tls_certificate" 2>/dev/null
  chmod 444 "$secrets/tls_key" "$secrets/tls_certificate"
  set_variable HUB_TLS_PORT "127.0.0.1:$((port + 1))"
  set_variable COMPOSE_FILE compose.yaml:compose.tls.yaml
  compose up -d >>"$work/up.log" 2>&1
  check 'HTTPS answers' within 120 is_encrypted
  check 'by HTTP/2' is "$(curl -sk -o "$work/answer" -w '%{http_version}' $tls/)" 2
  check 'and nginx warns of nothing but a gateway that is not there yet' is "$(compose logs --no-log-prefix nginx 2>&1 | sed -nE '/\[(warn|error|emerg)\]/{/connect\(\) failed/!p}')" ''
  set_variable COMPOSE_FILE compose.yaml
  compose up -d >>"$work/up.log" 2>&1
  within 120 is_ready
}

# Sends requests until it is killed, and prints the time in milliseconds and the status of each.
probe() {
  while :; do
    echo "$(date +%s%3N) $(curl -s -m 10 -o /dev/null -w '%{http_code}' "$1" || true)"
    sleep 0.1
  done
}
longest_outage_ms() { awk '$2 == 200 { if (last && $1 - last > longest) longest = $1 - last; last = $1 } END { print longest + 0 }' "$1"; }
refused_nobody() { [ "$(wc -l <"$1")" -gt 20 ] && is "$(awk '$2 != 200' "$1" | sort -k 2 | uniq -c -f 1)" ''; }

begin_upgrade_to() {
  local service
  for service in gateway ingest query reports system; do
    $docker tag "birdhub/$service:check" "birdhub/$service:$1"
  done
  set_variable HUB_VERSION "$1"
}
version_of() { $docker inspect --format '{{.Config.Image}}' "$(compose ps -q "$1")"; }

upgrade_is_short() {
  within 120 is_ready
  begin_upgrade_to next
  probe "$hub/api/ui/readiness" >"$work/probe" & local prober=$!
  sleep 1
  compose up -d >>"$work/up.log" 2>&1
  within 120 is_ready
  sleep 1
  kill $prober
  local outage
  outage=$(longest_outage_ms "$work/probe")
  check "an upgrade is without service for less than $max_outage_ms ms: $outage ms" is_below "$outage" "$max_outage_ms"
  check 'and runs the new images' is "$(version_of gateway)" birdhub/gateway:next
}

rolling_upgrade_holds_nobody_up() {
  within 120 are_healthy
  begin_upgrade_to rolled
  probe "$hub/api/ui/timeline?date=$(date -u +%F)" >"$work/probe" & local prober=$!
  sleep 1
  check_command 'a rolling upgrade' "$work/hub/deploy/rolling-upgrade.sh"
  compose up -d >>"$work/up.log" 2>&1
  sleep 2
  kill $prober
  check 'refuses nobody, nor does the next up' refused_nobody "$work/probe"
  check 'and runs the new images' is "$(version_of gateway) $(version_of system)" \
    'birdhub/gateway:rolled birdhub/system:rolled'
  check 'and the next up leaves them' is "$(compose ps -q gateway | wc -l)$(compose ps -q query | wc -l)" 11
}

nats_can_be_reset() {
  compose stop nats >/dev/null 2>&1
  compose rm -f nats nats-volume >/dev/null 2>&1
  $docker volume rm "${project}_nats" >/dev/null
  compose up -d >>"$work/up.log" 2>&1
  check 'with a new store of nats all are healthy' within 120 are_healthy
  timeout 60 curl -sN "$hub/api/ui/events" >"$work/events" || true &
  local events=$!
  sleep 2
  post "$(recording check/after-reset.mp4 Robin '-2 hours')" -H 'X-Processor-Token: check-token' >/dev/null
  check 'and events go on' within 50 grep -q '^event: recording' "$work/events"
  kill $events 2>/dev/null || true
}

hub_stops_and_is_restored() {
  curl -sN -m 60 "$hub/api/ui/events" >/dev/null & local events=$!
  sleep 1
  compose stop nginx >/dev/null 2>&1
  kill $events 2>/dev/null || true
  compose stop gateway ingest query reports system >/dev/null 2>&1
  check 'all end in order, nginx with a stream of events open' is \
    "$(compose ps -a --format '{{.Service}} {{.ExitCode}}' | awk '!/postgres|^nats / && $2 != 0')" ''
  check 'the status of services that are stopped is 3' is \
    "$(hub_command status >/dev/null 2>&1 || echo $?)" 3
  check_command 'hub restore' hub_command restore /backups/check.backup
  compose up -d >>"$work/up.log" 2>&1
  check 'the hub is ready again' within 120 is_ready
  check 'and knows what it knew' has "$(curl -s "$hub/api/ui/timeline?date=$(date -u +%F)")" 'Great Tit'
}
