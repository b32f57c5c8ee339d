"""Rows of the table that clients/run prints, and the expected values: what the service itself answers."""
import contextlib
import json
import urllib.parse
import urllib.request

DATASETS, AREAS, POINTS = COLLECTIONS = "datasets", "areas", "points"
TYPES = {AREAS: "Polygon", POINTS: "Point"}
# Datasets of rasters.ndjson, and what their orthomosaic of four colours has at some places: longitude, latitude.
PUBLIC, PRIVATE = 5, 6
COLOURS = {(20.1, 10.4): (255, 0, 0), (20.4, 10.4): (0, 255, 0), (20.1, 10.1): (0, 0, 255), (20.4, 10.1): (255, 255, 0)}


class Checks:
    """The checks of one client. A check that fails does not stop the others."""

    def __init__(self, client, version):
        self.client = client
        self.version = version

    def row(self, check, result):
        result = " ".join(str(result).split()).replace("|", "/")
        print(f"| {self.client:<19} | {self.version:<10} | {check:<58} | {result[:300]} |", flush=True)

    @contextlib.contextmanager
    def check(self, name):
        try:
            yield
        except Exception as error:
            self.row(name, f"failed: {error or type(error).__name__}")
        else:
            self.row(name, "passed")


def equal(actual, expected):
    """Fails with the first elements that differ if both are dicts, and with both values otherwise."""
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        wrong = [key for key in actual.keys() | expected.keys() if actual.get(key) != expected.get(key)]
        wrong.sort(key=lambda key: (len(str(key)), str(key)))
        shown = "; ".join(f"{key}: {actual.get(key)!r} in place of {expected.get(key)!r}" for key in wrong[:2])
        raise AssertionError(f"{len(wrong)} of {len(expected)} differ: {shown}")
    raise AssertionError(f"{actual!r} in place of {expected!r}")


class Catalogue:
    """What the service answers, without a library of a client."""

    def __init__(self, address, token=None):
        self.address = address
        self.headers = {"Authorization": f"Token {token}"} if token else {}

    def get(self, address):
        with urllib.request.urlopen(urllib.request.Request(address, headers=self.headers), timeout=30) as response:
            return json.load(response)

    def orthomosaic(self, item):
        """The address of the asset, which is the same for all callers and never expires."""
        address = self.get(f"{self.address}/collections/{DATASETS}/items/{item}")["assets"]["ortho"]["href"]
        assert "?" not in address, f"{address} has a query"
        return address

    def items(self, collection, **parameters):
        query = urllib.parse.urlencode({"limit": 1000, **parameters})
        return self.get(f"{self.address}/collections/{collection}/items?{query}")

    def count(self, collection, **parameters):
        return self.items(collection, **parameters | {"limit": 1})["numberMatched"]

    def titles(self, collection, **parameters):
        """The titles of all items, by id."""
        titles = {}
        page = self.items(collection, **parameters)
        while True:
            titles |= {item["id"]: item["properties"]["title"] for item in page["features"]}
            following = [link["href"] for link in page["links"] if link["rel"] == "next"]
            if not following:
                return titles
            page = self.get(following[0])
