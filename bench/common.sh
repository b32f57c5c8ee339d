# Functions for the benchmarks and clients/run: a PostgreSQL in a temporary folder that is removed at the end, and a control group
# that limits or measures memory.

pg_port=${PG_PORT:-54329}
http_port=${HTTP_PORT:-18080}
base=http://127.0.0.1:$http_port

need() { command -v "$1" >/dev/null || { echo "${0} needs $1: $2" >&2; exit 1; }; }
need curl "Debian's package curl"
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
[ -n "$pg_bin" ] || pg_bin=$(dirname "$(command -v initdb || echo /none)")
[ -x "$pg_bin/pgbench" ] || { echo "${0} needs PostgreSQL with pgbench: Debian's package postgresql" >&2; exit 1; }

# If another process listened on a port, the benchmark would measure that process.
for port in "$http_port" "$pg_port"; do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
        echo "${0}: port $port is taken. Set HTTP_PORT or PG_PORT to a free one." >&2
        exit 1
    fi
done

work=$(mktemp -d)
chmod 755 "$work"
# PostgreSQL refuses to run as root.
as_pg() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
psql() {
    PGOPTIONS=-cclient_min_messages=warning "$pg_bin/psql" -qXAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$pg_port" -U postgres "$@"
}
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

cgroup=
# Needs root. Supports version 1 and version 2 of control groups.
make_cgroup() {
    if [ -d /sys/fs/cgroup/memory ]; then cgroup=/sys/fs/cgroup/memory/bench-$$
    else cgroup=/sys/fs/cgroup/bench-$$; fi
    mkdir "$cgroup"
}
remove_cgroup() {
    [ -n "$cgroup" ] || return 0
    sleep 1
    rmdir "$cgroup"
    cgroup=
}
# Puts the calling shell and the programs that it starts into the control group.
enter_cgroup() { [ -z "$cgroup" ] || echo "$BASHPID" >"$cgroup/cgroup.procs"; }
# The working set in bytes, as Kubernetes measures it: without pages of files that have not been used lately.
working_set() {
    local used inactive
    used=$(cat "$cgroup/memory.usage_in_bytes" 2>/dev/null || cat "$cgroup/memory.current")
    inactive=$(awk '$1 == "total_inactive_file" { print $2; found = 1 } $1 == "inactive_file" { own = $2 }
                    END { if (!found) print own }' "$cgroup/memory.stat")
    echo $((used - inactive))
}
