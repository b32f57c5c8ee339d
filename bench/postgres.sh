# For bench/run and bench/startup: a PostgreSQL of their own, in a temporary folder that is gone at the end.

pg_port=${PG_PORT:-54329}
http_port=${HTTP_PORT:-18080}
base=http://127.0.0.1:$http_port

need() { command -v "$1" >/dev/null || { echo "${0} needs $1: $2" >&2; exit 1; }; }
need curl "Debian's package curl"
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
[ -n "$pg_bin" ] || pg_bin=$(dirname "$(command -v initdb || echo /none)")
[ -x "$pg_bin/pgbench" ] || { echo "${0} needs PostgreSQL with pgbench: Debian's package postgresql" >&2; exit 1; }

work=$(mktemp -d)
chmod 755 "$work"
# PostgreSQL refuses to run as root.
as_pg() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
psql() { PGOPTIONS=-cclient_min_messages=warning "$pg_bin/psql" -qXAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$pg_port" -U postgres "$@"; }
stop_postgres() {
    [ ! -d "$work/pg" ] || as_pg "$pg_bin/pg_ctl" -D "$work/pg" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
start_postgres() {
    mkdir "$work/pg"
    [ "$(id -u)" != 0 ] || chown postgres "$work/pg"
    as_pg "$pg_bin/initdb" -D "$work/pg" -U postgres -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
    cat >>"$work/pg/postgresql.conf" <<CONF
port = $pg_port
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 512MB
max_wal_size = 4GB
track_activity_query_size = 16384
CONF
    as_pg "$pg_bin/pg_ctl" -D "$work/pg" -l "$work/pg/log" -w start >/dev/null
}
