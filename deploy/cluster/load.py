"""Readers and writers of both instances, a record of each response, and a record of what was confirmed."""

import bisect
import collections
import concurrent.futures
import dataclasses
import http.client
import itertools
import json
import random
import subprocess
import threading
import time
from typing import Callable

from cluster import TOKEN, Cluster, sql

CLIENT_TIMEOUT = 25
# dataset.http.request-timeout, and a little less for the way of the request.
REQUEST_TIMEOUT = 9.8
PAGE = "/api/dataset/?page_size=%d&ordering=%s&p=%d"
ORDERS = {"id": "id", "-id": "id desc", "dataset_name": "dataset_name, id", "-captured_date": "captured_date desc, id desc",
          "user": "owner_name, id"}
LISTED = "not is_deleted and not is_private and coordinates is not null"


@dataclasses.dataclass
class Response:
    kind: str
    instance: int
    began: float
    ended: float
    # 0 if the connection failed or the time limit passed.
    status: int
    newest: int | None
    # The body of an error.
    error: str

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def refused(self) -> bool:
        """
        Whether a write is not stored, by docs/api.md: 503 before the time limit of the request, which does not say otherwise.
        """
        return self.status == 503 and "not known" not in self.error and self.ended - self.began < REQUEST_TIMEOUT


@dataclasses.dataclass
class Row:
    """A dataset whose creation was confirmed, and what the table may hold of it."""
    id: int
    confirmed: float
    # The last confirmed name, and each later one whose outcome is not known.
    names: set[str]
    # Whether it may be deleted: {False}, {True}, or both if the outcome is not known.
    deleted: set[bool]
    edits: int = 0


class Ledger:
    """What the service has confirmed since the start of the run. Only one worker at a time uses a row."""

    def __init__(self) -> None:
        self.rows: dict[int, Row] = {}
        # Names of creates that were not stored, as their responses say.
        self.refused: set[str] = set()
        self.to_edit: collections.deque[Row] = collections.deque()
        self.to_delete: collections.deque[Row] = collections.deque()
        self.numbers = itertools.count(1)

    def add(self, row: Row) -> None:
        self.rows[row.id] = row
        if len(self.to_edit) < 40:
            self.to_edit.append(row)
        elif row.id % 3 == 0:
            self.to_delete.append(row)

    def compare(self, table: str) -> list[str]:
        """What was confirmed and is not in the table. The table has id, name, and whether the row is deleted."""
        stored = {int(i): (name, deleted == "t") for i, name, deleted in (line.split("\t") for line in table.splitlines())}
        wrong = []
        for row in self.rows.values():
            name, deleted = stored.get(row.id, (None, None))
            if name is None:
                wrong.append(f"{row.id} is lost")
            elif name not in row.names:
                wrong.append(f"{row.id} has the name {name}, not {sorted(row.names)}")
            elif deleted not in row.deleted:
                wrong.append(f"{row.id} is {'' if deleted else 'not '}deleted")
        created = collections.Counter(name.split(" edit")[0] for name, _ in stored.values() if name.startswith("made "))
        wrong += [f"{count} rows of one create: {name}" for name, count in created.items() if count > 1]
        wrong += [f"stored, although the response was 503: {name}" for name in self.refused & created.keys()]
        return wrong


class Client:
    """HTTP requests of one thread, with one connection to each instance."""

    def __init__(self, ports: list[int]):
        self.ports = ports
        self.connections: dict[int, http.client.HTTPConnection] = {}

    def send(self, instance: int, method: str, path: str, token: bool = False, body: dict | None = None,
             key: str | None = None) -> tuple[int, str]:
        """Status and body; status 0 and the reason if there is no response."""
        headers = {"Authorization": f"Token {TOKEN}"} if token else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        connection = self.connections.pop(instance, None) or http.client.HTTPConnection(
            "127.0.0.1", self.ports[instance], timeout=CLIENT_TIMEOUT)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            return 0, repr(e)
        self.connections[instance] = connection
        return response.status, text


class Load:
    """
    Requests at the same rate on average, whether or not the service answers. Each kind has threads of its own for each instance.
    A request is left out if all of them still wait.
    """

    def __init__(self, cluster: Cluster, ledger: Ledger):
        # Requests a second to each instance, and threads for each instance.
        kinds = [
            (self.newest_page, 40, 6), (self.random_page, 40, 6), (self.filter, 3, 4), (self.single, 10, 4),
            (self.writers_page, 10, 6), (self.create, 6, 6), (self.edit, 10, 8), (self.delete, 3, 6),
            # A few requests with many threads, so that one of them begins at any time, whatever the others wait for.
            (self.random_page, 4, 100), (self.create, 2, 50),
        ]
        self.cluster, self.ledger = cluster, ledger
        self.responses: list[Response] = []
        self.sql_writes: list[float] = []
        self.over = threading.Event()
        self.local = threading.local()
        self.threads = [threading.Thread(target=self.repeat, args=(*kind, instance))
                        for kind in kinds for instance in range(2)]
        self.threads.append(threading.Thread(target=self.write_sql))

    def start(self) -> None:
        self.began = time.monotonic()
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """Sends nothing any more, and waits for the last responses."""
        self.over.set()
        self.ended = time.monotonic()
        for thread in self.threads:
            thread.join()

    def repeat(self, kind: Callable[[int], None], rate: float, threads: int, instance: int) -> None:
        free = threading.Semaphore(threads)

        def once() -> None:
            try:
                kind(instance)
            finally:
                free.release()

        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            while not self.over.wait(random.expovariate(rate)):
                if free.acquire(blocking=False):
                    pool.submit(once)

    def send(self, instance: int, kind: str, *request, **more) -> tuple[Response, str]:
        if not hasattr(self.local, "client"):
            self.local.client = Client(self.cluster.service_ports)
        began = time.monotonic()
        status, body = self.local.client.send(instance, *request, **more)
        response = Response(kind, instance, began, time.monotonic(), status, None, "" if 200 <= status < 300 else body)
        self.responses.append(response)
        return response, body

    # ---- kinds of requests ----

    def newest_page(self, instance: int) -> None:
        self.newest(instance, "page", False)

    def writers_page(self, instance: int) -> None:
        self.newest(instance, "writer's page", True)

    def newest(self, instance: int, kind: str, token: bool) -> None:
        response, body = self.send(instance, kind, "GET", PAGE % (random.randint(1, 20), "-id", 1), token)
        if response.ok:
            response.newest = json.loads(body)["results"][0]["id"]

    def random_page(self, instance: int) -> None:
        self.send(instance, "page", "GET", PAGE % (15, random.choice(["dataset_name", "-dataset_name", "user", "id"]),
                                                   random.randint(1, self.cluster.sample // 16)))

    def filter(self, instance: int) -> None:
        self.send(instance, "filter", "GET", "/api/dataset/?search="
                  + random.choice(["flight", "red", "made 1"]).replace(" ", "+"))

    def single(self, instance: int) -> None:
        rows = self.ledger.to_edit
        if rows:
            self.send(instance, "single", "GET", f"/api/dataset/{rows[0].id}/")

    def create(self, instance: int) -> None:
        """Sends a create that was not confirmed once more, with the same key."""
        name = f"made {next(self.ledger.numbers)}"
        refused = True
        for _ in range(2):
            response, body = self.send(instance, "create", "POST", "/api/dataset/", True,
                                       {"dataset_name": name, "coordinates": [47, 8]}, name.replace(" ", "-"))
            if response.ok:
                self.ledger.add(Row(json.loads(body)["id"], response.ended, {name}, {False}))
                return
            refused &= response.refused
            if self.over.wait(1):
                break
        if refused:
            self.ledger.refused.add(name)

    def edit(self, instance: int) -> None:
        """Counts in the name of a row. A row whose state is not known any more is not used again."""
        try:
            row = self.ledger.to_edit.popleft()
        except IndexError:
            return
        row.edits += 1
        name = f"{next(iter(row.names)).split(' edit')[0]} edit {row.edits}"
        # Before it is sent, because the table may hold it from now on.
        row.names.add(name)
        response, _ = self.send(instance, "edit", "PATCH", f"/api/dataset/{row.id}/", True, {"dataset_name": name})
        if response.ok:
            row.names = {name}
            self.ledger.to_edit.append(row)

    def delete(self, instance: int) -> None:
        # The newest rows stay, so that the newest id of a page goes back only with an older view.
        if len(self.ledger.to_delete) < 20:
            return
        row = self.ledger.to_delete.popleft()
        row.deleted.add(True)
        response, _ = self.send(instance, "delete", "DELETE", f"/api/dataset/{row.id}/", True)
        if response.ok:
            row.deleted = {True}

    def write_sql(self) -> None:
        """Writes through HAProxy without the service: the seconds in which this fails are those that Patroni needs."""
        while not self.over.wait(0.2):
            try:
                sql(self.cluster.primary_port, "insert into probe values (now())", "postgres", timeout=1)
                self.sql_writes.append(time.monotonic())
            except (RuntimeError, subprocess.TimeoutExpired):
                pass

    # ---- what the responses say ----

    def longest_gap(self, times: list[float]) -> float:
        """The longest time without any of these moments, from the start to the end of the load."""
        times = [self.began, *sorted(t for t in times if t < self.ended), self.ended]
        return max(b - a for a, b in zip(times, times[1:]))

    def away(self, *kinds: str) -> float:
        """The longest time in which an instance answered none of these requests with success."""
        return max(self.longest_gap([r.ended for r in self.responses if r.kind in kinds and r.ok and r.instance == i])
                   for i in range(2))

    def oldest_view(self, kind: str) -> tuple[float, int]:
        """
        How long before a request a dataset was confirmed that its page lacks, at most, less the duration of the request; and
        how often the newest id of a page was lower than that of an earlier page.
        """
        rows = sorted((row.id, row.confirmed) for row in list(self.ledger.rows.values()))
        ids = [i for i, _ in rows]
        # The first confirmation among the rows from here on.
        first = list(itertools.accumulate((c for _, c in reversed(rows)), min))[::-1]
        views = sorted((r for r in self.responses if r.kind == kind and r.newest is not None), key=lambda r: r.began)
        ended = collections.deque(sorted(views, key=lambda r: r.ended))
        oldest, back, highest = 0.0, 0, 0
        for view in views:
            lacks = bisect.bisect_right(ids, view.newest)
            if lacks < len(ids):
                oldest = max(oldest, view.began - first[lacks] - (view.ended - view.began))
            while ended and ended[0].ended < view.began:
                highest = max(highest, ended.popleft().newest)
            back += view.newest < highest
        return oldest, back


# Filters of the listing, and the same conditions in SQL.
FILTERS = {
    "": "true",
    "category=Forest": "'Forest' = any (category)",
    "captured_after=2020-01-01&is_shareable=true": "captured_date >= '2020-01-01T00:00:00Z' and is_shareable",
    "search=lake": "dataset_name ~* '(^|[^[:alnum:]])lake'",
}


def wrong_counts(cluster: Cluster) -> list[str]:
    """Each count of both instances that differs from the table: of pages, facets, histogram, grid and aggregations."""
    wrong = []
    client = Client(cluster.service_ports)

    def get(instance: int, path: str) -> dict:
        status, body = client.send(instance, "GET", path)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {body[:200]}")
        return json.loads(body)

    for query, condition in FILTERS.items():
        where = f"where {LISTED} and {condition}"
        rows = cluster.leader().sql("select to_char(captured_date at time zone 'UTC', 'YYYY') as year, count(*) from dataset "
                                    f"{where} group by year").splitlines()
        years = {year: int(count) for year, count in (row.split("\t") for row in rows)}
        rows = cluster.leader().sql("select each, count(*) from dataset, lateral (select distinct unnest(category) as each) one "
                                    f"{where} group by each").splitlines()
        categories = {each: int(count) for each, count in (row.split("\t") for row in rows)}
        everything = sum(years.values())
        for instance in range(2):
            facets = get(instance, f"/api/dataset/facets/?{query}")
            histogram = get(instance, f"/api/dataset/histogram/?{query}")
            grid = get(instance, f"/datasets/grid/?{query}")
            found = {"page": get(instance, f"/api/dataset/?{query}")["count"], "facets": facets["count"],
                     "histogram": {b["from"][:4]: b["count"] for b in histogram["buckets"] if b["count"]},
                     "grid": sum(cell["count"] for cell in grid["cells"])}
            expected = {"page": everything, "facets": everything, "histogram": years, "grid": everything}
            if "category" not in query:
                found["categories"] = {c["value"]: c["count"] for c in facets["facets"]["category"] if c["count"]}
                expected["categories"] = categories
            if not query:
                answer = get(instance, "/stac/aggregate?aggregations=total_count,dataset_category_frequency")
                aggregations = answer["aggregations"]
                found["total_count"] = aggregations[0]["value"]
                found["frequency"] = {b["key"]: b["frequency"] for b in aggregations[1]["buckets"]}
                expected |= {"total_count": everything, "frequency": categories}
            wrong += [f"{name} of \"{query}\" of instance {instance + 1}: {found[name]}, not {expected[name]}"
                      for name in found if found[name] != expected[name]]
    return wrong


def wrong_pages(cluster: Cluster) -> list[str]:
    """Each page of the whole listing, in several orders and from both instances, that differs from the table."""
    wrong = []
    client = Client(cluster.service_ports)
    for ordering, by in ORDERS.items():
        table = [(int(i), name) for i, name in (line.split("\t") for line in cluster.leader().sql(
            f"select id, dataset_name from dataset where {LISTED} order by {by}").splitlines())]
        for instance in range(2):
            for page in range(1, (len(table) + 99) // 100 + 1):
                status, body = client.send(instance, "GET", PAGE % (100, ordering, page))
                expected = table[100 * (page - 1):100 * page]
                if status != 200:
                    wrong.append(f"page {page} by {ordering}: {status} {body[:200]}")
                    continue
                listing = json.loads(body)
                if listing["count"] != len(table):
                    wrong.append(f"page {page} by {ordering}: count {listing['count']}, not {len(table)}")
                elif [(d["id"], d["dataset_name"]) for d in listing["results"]] != expected:
                    wrong.append(f"page {page} by {ordering} of instance {instance + 1}")
    return wrong


# ---- the feed of changes ----

CHANGES = "/api/dataset/changes/"


def get(port: int, path: str) -> dict:
    status, body = Client([port]).send(0, "GET", path, True)
    if status != 200:
        raise RuntimeError(f"{path}: {status} {body[:200]}")
    return json.loads(body)


def position(port: int) -> str:
    """The end of the feed."""
    return get(port, CHANGES + "?since=9999-01-01T00:00:00Z")["next"]


def position_status(port: int, since: str) -> int:
    return Client([port]).send(0, "GET", f"{CHANGES}?since={since}", True)[0]


def has_equal_digests(port: int, other: int) -> bool:
    """Whether two services have the same datasets. False also while one of them does not answer."""
    try:
        one, two = (get(each, f"{CHANGES}digest/?cursor={position(each)}")["blocks"] for each in (port, other))
        return one == two
    except RuntimeError:
        return False


def create(port: int, name: str) -> bool:
    return Client([port]).send(0, "POST", "/api/dataset/", True, {"dataset_name": name, "coordinates": [47, 8]})[0] == 201
