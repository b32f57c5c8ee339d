"""The clients of bench/texts: one that searches, and one that creates datasets."""
import http.client
import json
import os
import random
import sys
import threading
import time
import urllib.parse

RATE, SECONDS = float(sys.argv[1]), float(sys.argv[2])
HOST = urllib.parse.urlsplit(os.environ["BASE"]).netloc
WORD = urllib.parse.quote(os.environ["WORD"])
ended = False


def send(connection, method, path, body=None, headers=None):
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    content = response.read()
    if response.status not in (200, 201):
        sys.exit("%s %s: %d %s" % (method, path, response.status, content[:200]))
    return content


def create():
    connection = http.client.HTTPConnection(HOST, timeout=60)
    begin = time.time()
    number = 0
    while not ended:
        number += 1
        time.sleep(max(0, begin + number / RATE - time.time()))
        send(connection, "POST", "/api/dataset/", json.dumps({
            "dataset_name": "Flight %d" % number, "category": ["Rocky"],
            "coordinates": [random.uniform(-85, 85), random.uniform(-175, 175)]}),
            {"Content-Type": "application/json", "Authorization": "Token " + os.environ["TOKEN"]})


def measure(what, path):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    times = []
    end = time.time() + SECONDS
    while time.time() < end:
        began = time.time()
        send(connection, "GET", path % random.randint(1, 200))
        times.append((time.time() - began) * 1000)
        time.sleep(0.02)
    times.sort()
    print("| %s | %d | %.0f | %.0f | %.0f |" % (
        what, len(times), times[len(times) // 2], times[int(len(times) * 0.99)], times[-1]), flush=True)


PATHS = {
    "listing": "/api/dataset/?search=" + WORD + "&p=%d",
    "with a filter": "/api/dataset/?search=" + WORD + "&raster=dsm&p=%d",
    "HTML": "/datasets/?search=" + WORD + "&p=%d",
    "STAC, `q`": "/stac/search?q=" + WORD + "&limit=%d"}
count = json.loads(send(http.client.HTTPConnection(HOST), "GET", "/api/dataset/?search=" + WORD))["count"]
print("%d matches\n| search | requests | p50 ms | p99 ms | max ms |\n|---|---|---|---|---|" % count)
for kind, path in PATHS.items():
    measure(kind + ", alone", path)
threading.Thread(target=create, daemon=True).start()
for kind, path in PATHS.items():
    measure("%s, beside %g creates a second" % (kind, RATE), path)
ended = True
