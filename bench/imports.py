"""The clients of bench/imports: mixed requests during an import, after it, and during a bulk change by SQL."""
import http.client
import os
import random
import subprocess
import sys
import threading
import time
import urllib.parse

CLIENTS, AFTER = int(sys.argv[1]), int(sys.argv[2])
HOST = urllib.parse.urlsplit(os.environ["BASE"]).netloc
PSQL = os.environ["PGURL"].split()
CATEGORIES = "Forest Rocky Grassland Desert Wetlands Savanna".split()
phase, results, ended = "warm-up", [], False


def filters():
    return random.choice([
        "category=" + random.choice(CATEGORIES), "raster=" + random.choice(["dsm", "dtm", "ortho"]),
        "captured_after=20%d-01-01" % random.randint(15, 23),
        "in_bbox=%d,35,%d,60" % (random.randint(-12, 0), random.randint(10, 30)),
        "is_shareable=true&category=" + random.choice(CATEGORIES)])


KINDS = {
    "first page": lambda: "/api/dataset/?page_size=%d" % random.randint(10, 60),
    "filter": lambda: "/api/dataset/?" + filters(),
    "facets": lambda: "/api/dataset/facets/?" + filters(),
    "tile": lambda: "/tiles/" + random.choice(["0/0/0", "1/1/0", "2/2/1", "4/8/5"]) + ".mvt?" + filters(),
    "words": lambda: "/api/dataset/?search=" + random.choice(["camargue", "flight", "coast", "survey", "nashville"]),
    "search": lambda: "/stac/search?limit=10&bbox=%d,45,%d,47" % (random.randint(0, 5), random.randint(6, 9)),
}


def get(connection, path):
    began = time.time()
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        status = response.status
    except (OSError, http.client.HTTPException) as e:
        connection.close()
        status = type(e).__name__
    return status, time.time() - began


def client():
    connection = http.client.HTTPConnection(HOST, timeout=60)
    while not ended:
        kind = random.choice(list(KINDS))
        of = phase
        status, seconds = get(connection, KINDS[kind]())
        results.append((of, kind, status, seconds))
        if status == "ConnectionRefusedError":
            return


def report(of):
    mine = [each for each in results if each[0] == of]
    for kind in ["all"] + list(KINDS):
        some = [each for each in mine if kind in ("all", each[1])]
        times = sorted(each[3] * 1000 for each in some)
        if times:
            statuses = sorted({str(each[2]) for each in some})
            print("| %s | %s | %s | %.0f | %.0f | %.0f |" % (
                of, kind, ", ".join("%d times %s" % (sum(str(each[2]) == one for each in some), one) for one in statuses),
                times[len(times) // 2], times[int(len(times) * 0.99)], times[-1]), flush=True)


def behind():
    """Whether more than 2,000 changes are pending that the index does not have."""
    table = "part_fold" if sql("select to_regclass('part_fold')") else "rank where field = 'id'"
    lacking = " and not in_parts" if table == "part_fold" else ""
    return sql("select count(*) > 2000 from (select from listing_change where no >= (select max(pending_from) from %s)%s"
               " limit 2001) change" % (table, lacking)) == "t"


def sql(statement):
    return subprocess.run(PSQL + ["-c", statement], check=True, capture_output=True, text=True).stdout.strip()


def wait_for_index(began):
    while behind() and time.time() - began < 120:
        time.sleep(0.2)
    return time.time() - began


def run(before, work, after):
    """Runs work, and then waits; prints what the clients saw meanwhile."""
    global phase
    phase = before
    began = time.time()
    work()
    print("%s: %.0f s" % (before, time.time() - began), flush=True)
    answered = time.time()
    phase = after
    probe = http.client.HTTPConnection(HOST, timeout=60)
    for name, path in [("wide filter", "/api/dataset/?raster=dsm&page_size=11"), ("page", "/api/dataset/?page_size=9")]:
        print("first %s after it: %d in %.0f ms" % ((name,) + tuple(
            f(x) for f, x in zip((int, lambda s: s * 1000), get(probe, path)))), flush=True)
    print("the index was behind for %.1f s more (120 at most)" % wait_for_index(answered), flush=True)
    time.sleep(max(0, AFTER - (time.time() - answered)))
    for each in (before, after):
        report(each)


def import_lines():
    with open(os.environ["LINES_FILE"]) as lines:
        subprocess.run(["curl", "-sSf", "-o", "/dev/null", "-X", "POST", "-H", "Authorization: Token " + os.environ["TOKEN"],
                        "-H", "Content-Type: application/x-ndjson", "-T", "-", os.environ["BASE"] + "/api/dataset/"],
                       check=True, stdin=lines)


for _ in range(CLIENTS):
    threading.Thread(target=client, daemon=True).start()
time.sleep(5)
print("| while | request | responses | p50 ms | p99 ms | max ms |\n|---|---|---|---|---|---|")
run("import", import_lines, "after the import")
run("SQL", lambda: sql("update dataset set is_private = true where id % 4 = 0 and not is_private"), "after the SQL")
ended = True
