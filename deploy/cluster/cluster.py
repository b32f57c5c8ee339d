"""Three PostgreSQL nodes under Patroni, etcd, HAProxy, PgBouncer, two instances of the service and a mirror on this machine."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import string
import subprocess
import tempfile
import time
from typing import Callable

# Debian keeps haproxy and pgbouncer here, which is not on the path of every user.
os.environ["PATH"] += ":/usr/sbin"

HERE = pathlib.Path(__file__).parent
TOKEN = "admin-token-of-the-cluster"
NODES = ("one", "two", "three")
# A node is down 2 to 4 s after its last good check.
CUT = {"down": "fall 2 on-marked-down shutdown-sessions", "reject": "tcp-request connection reject if { nbsrv(primary) gt 1 }"}
# As a Kubernetes Service: sessions stay, and for some seconds after a switchover new ones lead to either node.
UNCUT = {"down": "fall 4", "reject": ""}
# PgBouncer does not pass these on to the server, so that the role has them.
ROLE_SETTINGS = {"default_transaction_isolation": "'read committed'", "work_mem": "'32MB'", "jit": "off",
                 "enable_sort": "off", "statement_timeout": "15000", "lock_timeout": "3333"}


def postgres_bin() -> pathlib.Path | None:
    """The folder with the programs of the newest PostgreSQL, or none."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def missing_programs() -> list[str]:
    programs = [p for p in ("patroni", "etcd", "haproxy", "pgbouncer", "psql") if not shutil.which(p)]
    return programs if postgres_bin() else programs + ["initdb"]


def call(port: int, path: str, method: str = "GET", body: str | None = None, timeout: float = 5) -> tuple[int, str]:
    """A request to a program of this machine; status 0 if it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    except (OSError, http.client.HTTPException) as e:
        return 0, repr(e)
    finally:
        connection.close()


def wait_until(what: str, condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.2)


def send_signal(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


class Node:
    """A PostgreSQL and its Patroni."""

    def __init__(self, name: str, port: int, api_port: int, folder: pathlib.Path):
        self.name, self.port, self.api_port = name, port, api_port
        self.data = folder / "data"
        self.patroni: subprocess.Popen | None = None

    def postgres(self) -> list[int]:
        """The processes of PostgreSQL, the postmaster first. All of them run in the folder of the data."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(entry / "cwd") == str(self.data) and (entry / "comm").read_text() == "postgres\n":
                    found.append(int(entry.name))
            except OSError:
                # The process has ended.
                pass
        return sorted(found, key=lambda pid: pid != self.postmaster())

    def postmaster(self) -> int | None:
        try:
            return int((self.data / "postmaster.pid").read_text().split()[0])
        except (OSError, IndexError):
            return None

    def replaying(self) -> list[int]:
        """The process that replays the log of the primary."""
        return [pid for pid in self.postgres() if b"startup" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]

    def everything(self) -> list[int]:
        return [self.patroni.pid, *self.postgres()]

    def sql(self, text: str, database: str = "datasets") -> str:
        return sql(self.port, text, database)


def sql(port: int, text: str, database: str = "datasets", timeout: float = 60) -> str:
    """The result of a statement as lines of fields with a tab between."""
    done = subprocess.run(["psql", "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(port),
                           "-U", "postgres", "-d", database, "-c", text],
                          capture_output=True, text=True, timeout=timeout, env={**os.environ, "PGCONNECT_TIMEOUT": "3"})
    if done.returncode or "canceling wait" in done.stderr:
        raise RuntimeError(done.stderr.strip())
    # A last name may be empty.
    return done.stdout.rstrip("\n")


class Cluster:
    """Everything that `run` starts. `stop` ends all of it."""

    def __init__(self, app: str, base: int | None, folder: str | None, bouncer: str | None, sample: int,
                 options: list[str]):
        self.app, self.bouncer, self.sample, self.options = os.path.abspath(app), bouncer, sample, options
        self.keep_files = folder is not None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="dataset-cluster-")).resolve()
        self.folder.mkdir(exist_ok=True)
        # PostgreSQL refuses to run as root.
        self.user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self.user:
            shutil.chown(self.folder, "postgres", "postgres")
        base = base or free_base()
        self.etcd_port, self.primary_port, self.replica_port, self.state_port, self.bouncer_port = range(base, base + 5)
        self.nodes = [Node(name, base + 10 + i, base + 20 + i, self.folder / name) for i, name in enumerate(NODES)]
        self.service_ports = [base + 30, base + 31]
        self.mirror_port, self.mirror_database_port = base + 32, base + 33
        self.programs: dict[str, subprocess.Popen] = {}
        self.cut, self.failsafe = True, True

    # ---- start and end ----

    def start(self) -> None:
        self.start_etcd()
        for node in self.nodes:
            folder = self.make_folder(node.name)
            config = self.fill("patroni.yml", folder, name=node.name, api_port=node.api_port, etcd_port=self.etcd_port,
                               port=node.port, data=node.data, bin=postgres_bin())
            node.patroni = self.run(node.name, ["patroni", str(config)], self.user)
        self.start_haproxy()
        wait_until("a primary and two standbys", self.is_whole)
        leader = self.leader()
        leader.sql("create role datasets login password 'datasets'", "postgres")
        leader.sql("create database datasets owner datasets", "postgres")
        leader.sql("create table probe (at timestamptz)", "postgres")
        if self.bouncer:
            self.start_bouncer()
        for i in range(2):
            self.start_service(i)
        self.start_mirror()
        wait_until("HAProxy uses all nodes", self.is_healthy)

    def start_etcd(self) -> None:
        url, peer = (f"http://127.0.0.1:{port}" for port in (self.etcd_port, self.etcd_port + 9))
        self.run("etcd", ["etcd", "--data-dir", str(self.make_folder("etcd")), "--name", "etcd", "--listen-client-urls", url,
                          "--advertise-client-urls", url, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                          "--initial-cluster", f"etcd={peer}", "--enable-v2"], self.user)

    def start_haproxy(self) -> None:
        servers = "\n".join(f"    server {n.name} 127.0.0.1:{n.port} check port {n.api_port}" for n in self.nodes)
        config = self.fill("haproxy.cfg", self.folder, primary_port=self.primary_port, replica_port=self.replica_port,
                           state_port=self.state_port, servers=servers, **(CUT if self.cut else UNCUT))
        self.run("haproxy", ["haproxy", "-db", "-f", str(config)], self.user)

    def start_bouncer(self) -> None:
        for name, value in ROLE_SETTINGS.items():
            self.leader().sql(f"alter role datasets set {name} = {value}", "postgres")
        folder = self.make_folder("pgbouncer")
        (folder / "users.txt").write_text('"datasets" "datasets"\n')
        config = self.fill("pgbouncer.ini", folder, primary_port=self.primary_port, port=self.bouncer_port,
                           mode=self.bouncer)
        self.run("pgbouncer", ["pgbouncer", str(config)], self.user)

    def start_service(self, number: int) -> None:
        """Starts an instance of the service. The first one migrates, and fills the catalogue."""
        options = {"quarkus.datasource.reactive.url":
                       f"postgresql://127.0.0.1:{self.bouncer_port if self.bouncer else self.primary_port}/datasets",
                   # Migrations bypass PgBouncer and the time limit of the role.
                   "quarkus.datasource.jdbc.url":
                       f"jdbc:postgresql://127.0.0.1:{self.primary_port}/datasets?options=-c%20statement_timeout=0",
                   "quarkus.datasource.username": "datasets", "quarkus.datasource.password": "datasets",
                   "dataset.database.read-url": f"postgresql://127.0.0.1:{self.replica_port}/datasets"}
        if self.bouncer == "transaction":
            # PgBouncer before 1.21 does not know prepared statements.
            options["quarkus.datasource.reactive.postgresql.use-layer7-proxy"] = "true"
        if number == 0:
            options |= {"dataset.sample.enabled": "true", "dataset.sample.generated": self.sample}
        self.run_service(f"service-{number + 1}", self.service_ports[number], options, self.options)
        if number == 0:
            wait_until("the sample data", lambda: int(sql(self.primary_port, "select count(*) from dataset")) >= self.sample)

    def start_mirror(self) -> None:
        """Starts a mirror of the first instance, with a database of its own that no fault touches."""
        data = self.make_folder("mirror")
        subprocess.run([postgres_bin() / "initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", data],
                       check=True, capture_output=True, **self.user)
        self.run("mirror-database", [postgres_bin() / "postgres", "-D", data, "-p", str(self.mirror_database_port),
                                     "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="], self.user)
        wait_until("the database of the mirror", lambda: self.runs("mirror-database") and subprocess.run(
            [postgres_bin() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.mirror_database_port)]).returncode == 0)
        self.run_service("mirror", self.mirror_port, {
            "quarkus.datasource.reactive.url": f"postgresql://127.0.0.1:{self.mirror_database_port}/postgres",
            "quarkus.datasource.username": "postgres", "quarkus.datasource.password": "postgres",
            "dataset.follow.url": f"http://127.0.0.1:{self.service_ports[0]}", "dataset.follow.token": TOKEN}, [])

    def run_service(self, name: str, port: int, options: dict, more: list[str]) -> None:
        options |= {"quarkus.http.port": port, "quarkus.http.host": "127.0.0.1", "dataset.admin-token": TOKEN,
                    "dataset.storage.access-key-id": "cluster", "dataset.storage.secret-access-key": "cluster"}
        arguments = ["-Xmx256m", *(f"-D{key}={value}" for key, value in options.items()), *more]
        command = [self.app, *arguments]
        if self.app.endswith(".jar"):
            # A run is too short for the second compiler to save more time than it costs.
            command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *arguments, "-jar", self.app]
        self.run(name, command, {})
        wait_until(f"{name} is ready", lambda: self.runs(name) and call(port, "/q/health/ready")[0] == 200)

    def run(self, name: str, command: list[str], user: dict) -> subprocess.Popen:
        """Starts a program that Ctrl-C does not reach. Its output goes to a file."""
        with open(self.log(name), "ab") as log:
            self.programs[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                                   start_new_session=True, **user)
        return self.programs[name]

    def runs(self, name: str) -> bool:
        """True, or an error with the end of its output if it has ended."""
        if self.programs[name].poll() is not None:
            raise RuntimeError(f"{name} has ended:\n" + self.log(name).read_text()[-2000:])
        return True

    def kill(self, name: str) -> None:
        """Kills a program and its children. PostgreSQL's postmasters are no children of Patroni."""
        program = self.programs.pop(name)
        send_signal([-program.pid], signal.SIGKILL)
        program.wait()

    def stop(self) -> None:
        """Ends everything at once, also what a fault has stopped."""
        for name in list(self.programs):
            self.kill(name)
        for node in self.nodes:
            send_signal(node.postgres(), signal.SIGKILL)
        if not self.keep_files:
            shutil.rmtree(self.folder, ignore_errors=True)

    def make_folder(self, name: str) -> pathlib.Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        # etcd and PostgreSQL ask for it.
        folder.chmod(0o700)
        if self.user:
            shutil.chown(folder, "postgres", "postgres")
        return folder

    def fill(self, template: str, folder: pathlib.Path, **values: object) -> pathlib.Path:
        file = folder / template
        file.write_text(string.Template((HERE / template).read_text()).substitute(values, folder=folder))
        return file

    def log(self, name: str) -> pathlib.Path:
        return self.folder / f"{name}.log"

    # ---- what is the case ----

    def addresses(self) -> str:
        lines = [f"folder           {self.folder}",
                 *(f"service          http://127.0.0.1:{port}/api/dataset/" for port in self.service_ports),
                 f"mirror           http://127.0.0.1:{self.mirror_port}/api/dataset/",
                 f"admin token      {TOKEN}",
                 f"primary          psql -h 127.0.0.1 -p {self.primary_port} -U postgres datasets",
                 f"standbys         psql -h 127.0.0.1 -p {self.replica_port} -U postgres datasets",
                 *(f"node {n.name:12}port {n.port}, patronictl -c {self.folder / n.name / 'patroni.yml'} list"
                    for n in self.nodes),
                 f"HAProxy's state  http://127.0.0.1:{self.state_port}/"]
        if self.bouncer:
            lines.append(f"PgBouncer        psql -h 127.0.0.1 -p {self.bouncer_port} -U datasets datasets")
        return "\n".join(lines)

    def members(self) -> dict[str, dict]:
        """The nodes as Patroni knows them."""
        for node in self.nodes:
            status, body = call(node.api_port, "/cluster", timeout=2)
            if status == 200:
                return {member["name"]: member for member in json.loads(body)["members"]}
        return {}

    def leader(self) -> Node:
        return next(node for node in self.nodes if call(node.api_port, "/primary", timeout=2)[0] == 200)

    def standbys(self) -> list[Node]:
        """Both standbys, the synchronous one first."""
        members, leader = self.members(), self.leader()
        return sorted((n for n in self.nodes if n != leader), key=lambda n: members[n.name]["role"] != "sync_standby")

    def is_whole(self) -> bool:
        """Whether a primary and two standbys run, one of them synchronous, without a lag."""
        members = self.members().values()
        return (sorted(m["role"] for m in members) == ["leader", "replica", "sync_standby"]
                and all(m["state"] in ("running", "streaming") for m in members)
                and all(m.get("lag", 0) == 0 for m in members if m["role"] != "leader")
                and len({m["timeline"] for m in members}) == 1)

    def is_healthy(self) -> bool:
        """Whether also HAProxy knows all nodes, and both instances are ready."""
        state = call(self.state_port, "/;csv")[1].splitlines()
        up = [line.split(",")[0] for line in state if line.split(",")[1:2] and line.split(",")[1] in NODES and ",UP," in line]
        return (sorted(up) == ["primary", "replica", "replica"] and self.is_whole()
                and all(call(port, "/q/health/ready")[0] == 200 for port in self.service_ports))

    def await_replay(self) -> None:
        """Waits until both standbys show everything that is committed."""
        leader = self.leader()
        position = leader.sql("select pg_current_wal_lsn()")
        wait_until("replay by both standbys", lambda: leader.sql(
            f"select count(*) from pg_stat_replication where replay_lsn >= '{position}'") == "2")

    # ---- settings of a fault ----

    def configure(self, cut: bool, failsafe: bool) -> None:
        """
        Whether HAProxy cuts the sessions of a node that is down, and whether the primary may go on without etcd. HAProxy starts
        anew
        in any case, so that the connections of the service lead to all nodes.
        """
        self.cut = cut
        self.kill("haproxy")
        self.start_haproxy()
        if self.failsafe != failsafe:
            self.failsafe = failsafe
            self.patch({"failsafe_mode": failsafe})
            time.sleep(5)
        wait_until("the cluster is healthy", self.is_healthy)

    def end_synchronous_replication(self) -> None:
        """From now on, a commit waits for no standby."""
        self.patch({"synchronous_mode": False, "synchronous_mode_strict": False})
        wait_until("no commit waits for a standby", lambda: self.leader().sql("show synchronous_standby_names") == "")

    def patch(self, settings: dict[str, bool]) -> None:
        status, body = call(self.leader().api_port, "/config", "PATCH", json.dumps(settings))
        if status != 200:
            raise RuntimeError(f"{settings}: {status} {body}")


def free_base() -> int:
    """The first hundred of ports that nothing uses, so that two runs may stand side by side."""
    for base in range(17000, 30000, 100):
        sockets = []
        try:
            for port in range(base, base + 34):
                sockets.append(socket.create_server(("127.0.0.1", port)))
            return base
        except OSError:
            continue
        finally:
            for s in sockets:
                s.close()
    raise RuntimeError("no free ports between 17000 and 30000")
