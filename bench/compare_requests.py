"""The requests of bench/compare. The same seed makes the same requests.

Each function is a generator: it yields a request, and receives the responses of both services. A value of a request is a text,
or a pair of texts if it was taken from the two responses.
"""
import csv
import gzip
import io
import json
import re
from urllib.parse import quote, urlencode

ORIGIN = "http://localhost:8080"
ADMIN = "token-of-the-comparison"
PAGE_TYPES = ["text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]
ACCEPTS = PAGE_TYPES + ["*/*", "application/json", "application/geo+json", "text/csv", "application/x-ndjson", "image/png",
                        "application/problem+json", "application/json;q=0.5, text/html;q=0.4", "application/*", "a/b",
                        "application/schema+json", "application/yaml", "application/json;q=0", "text/*;q=0.3", ";;"]
ORIGINS = ["https://map.example.org", "https://evil.example.org", "null", ORIGIN]
CATEGORIES = ["Desert", "Forest", "Rocky", "Other", "Artificial - terrestrial", "Wetlands"]
RASTERS = ["ortho", "dsm", "dtm", "multispec_ortho"]
USERS = ["drone_ops", "terra nova", "河川調査", "2", "144", "nobody", "noaa"]
TIMES = ["2020-03-07T00:00:00Z", "2018-01-01", "2024-06-30T23:59:59.999999Z", "2021-05-05T05:05:05+02:00", "2026-01-02T00:00:00Z"]
BAD_TIMES = ["2020-03", "2020-02-30", "yesterday", "2020-01-01T00:00:60Z", "0000-01-01", "99999-01-01T00:00:00Z",
             "2020-01-01T00:00:00.1234567Z"]
FIELDS = """
    id uav_uid user workspace dataset_name category thumbnail_image captured_date is_private is_shareable available_rasters
    is_deleted gcps_file band_stats bbox coordinates cant_orthomosaic is_dem_processing cumulative_adjustment
    latest_adjustment_status latest_adjustment_id
""".split()
# The order of uav_uid differs after creates, because the service chooses these at random.
ORDERS = [field for field in FIELDS if field not in ("uav_uid", "gcps_file", "bbox")]
WORDS = ["nashville", "camargue", "flight 1", "ile de re", "2020-11", "Байкал", "東京", "null", "bay 7", "zzz", "%_",
         "tor 20200307"]
BOXES = ["-87,36,-85,36.5", "5,45,7,47", "-10,35,14,58", "170,-50,-170,50", "-180,-90,180,90", "0,0,0,0", "10,10,10.5,40"]
BAD_BOXES = ["1,2,3", "a,b,c,d", "0,50,1,40", "-181,0,1,1", "1e999,0,1,1", ",,,", "0,0,0,NaN"]
NUMBERS = ["id", "dataset:workspace", "dataset:cumulative_adjustment"]
TEXTS = ["title", "id", "dataset:user", "dataset:latest_adjustment_status", "dataset:uav_uid", "collection",
         "dataset:latest_adjustment_id"]
LISTS = ["dataset:category", "dataset:rasters", "dataset:bands"]
BOOLEANS = ["dataset:is_private", "dataset:is_shareable", "dataset:cant_orthomosaic", "dataset:is_dem_processing"]
PROPERTIES = NUMBERS + TEXTS + LISTS + BOOLEANS + ["datetime", "updated", "geometry", "keywords", "unknown", "properties.title"]
SHAPES = [{"type": "Point", "coordinates": [-85.4375, 36.1375]},
          {"type": "LineString", "coordinates": [[-90, 30], [-80, 45], [10, 50]]},
          {"type": "Polygon", "coordinates": [[[5, 45], [30, 45], [6, 60], [5, 45]]]},
          {"type": "MultiPolygon", "coordinates": [[[[0, 0], [40, 0], [40, 40], [0, 0]]],
                                                   [[[-90, 30], [-80, 30], [-80, 40], [-90, 30]]]]},
          {"type": "MultiPoint", "coordinates": [[0, 0], [1, 1]]}, {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]},
          {"type": "Circle", "coordinates": []}, {"type": "Point", "coordinates": [200, 95]}]
STAC_PATHS = [f"/stac{path}" for path in ["", *"""
    / /conformance /api /api.html /queryables /sortables /search /collections
""".split()]] + [
    f"/stac/collections/{name}{part}" for name in ("datasets", "areas", "points", "none")
    for part in ["", *"/queryables /sortables /schema /items /items/1000 /items/2301 /items/99999999 /items/x".split()]]
PATHS = """
    / /api /api/ /api/dataset/ /api/dataset /api/dataset/1000/ /api/dataset/1000 /api/dataset/x/ /api/dataset/99999999/
    /api/dataset/9223372036854775808/ /api/dataset/1000/thumbnail/ /api/dataset/1000/none/ /api/search_datasets
    /api/search_datasets/ /api/dataset_coords /api/account/ /api/account/me/ /api/account/me /api/account/7/ /api/token/
    /api/token/99999999/ /datasets/ /datasets /datasets/1000/ /datasets/1000 /datasets/2301/ /datasets/99999999/ /datasets/x/
    /datasets/grid/ /docs/ /docs /docs/page.js /docs/openapi.yaml /assets/ /assets/none.js /robots.txt /sitemap.xml
    /sitemap-1.xml /sitemap-2.xml /sitemap-x.xml /favicon.ico /none /stac/none // /api//dataset/ /api/dataset/%31000/ /%zz
    /api/dataset/../dataset/ /q/openapi /q/openapi?format=json /q/health/live /q/health/started /q/none
""".split() + STAC_PATHS


class Requests:

    def __init__(self, rng, count):
        self.rng = rng
        self.count = count
        self.tokens = {"admin": f"Token {ADMIN}", "bad": "Token 0123456789", "scheme": "Bearer x", "anonymous": None}

    def run(self):
        """All requests in order: the addresses, random reads, writes, and random reads of what was written."""
        yield from self.accounts()
        yield from self.addresses()
        reads = [self.listing, self.listing, self.listing, self.pages, self.search, self.search, self.arrays, self.grid,
                 self.dataset]
        for _ in range(int(self.count * 0.45)):
            yield from self.reading(self.rng.choice(reads))
        for _ in range(int(self.count * 0.07)):
            yield from self.rng.choice([self.create, self.create, self.change, self.change, self.change, self.imports,
                                        self.account])()
            yield from self.reading(self.rng.choice(reads))

    # ---- helpers ----

    def chance(self, percent):
        return self.rng.random() * 100 < percent

    def some(self, values, most=3):
        return self.rng.sample(values, self.rng.randint(1, min(most, len(values))))

    def caller(self):
        return self.rng.choice(["anonymous"] * 6 + ["writer", "writer", "reader", "other", "admin", "admin", "bad", "scheme"])

    def request(self, method, target, body=None, caller="anonymous", **headers):
        """Names of headers have _ for -. A header that is None is absent."""
        headers["Authorization"] = self.tokens.get(caller)
        return method, target, {name.replace("_", "-"): value for name, value in headers.items() if value is not None}, body

    def headers(self):
        return {"Accept": self.rng.choice(ACCEPTS) if self.chance(35) else None,
                "Accept_Encoding": self.rng.choice(["gzip", "gzip;q=0", "*", "br, gzip"]) if self.chance(30) else None,
                "Origin": self.rng.choice(ORIGINS) if self.chance(10) else None}

    def reading(self, make):
        """A random read, and sometimes the same as 304 or HEAD, and the pages that its links lead to."""
        target, caller, headers = make(), self.caller(), self.headers()
        answers = yield self.request("GET", target, caller=caller, **headers)
        if self.chance(15) and answers.all("etag"):
            tag = self.rng.choice([answers.get("etag"), "*", '"other"', tuple("W/" + tag for tag in answers.get("etag"))])
            yield self.request(self.rng.choice(["GET", "HEAD"]), target, caller=caller, If_None_Match=tag, **headers)
        elif self.chance(5):
            yield self.request("HEAD", target, caller=caller, **headers)
        for _ in range(self.rng.choice([0, 0, 0, 1, 2])):
            links = answers.links()
            if not links:
                break
            answers = yield self.request("GET", self.rng.choice(links), caller=caller, **headers)

    # ---- addresses ----

    def accounts(self):
        ids = {}
        for name in ("ada", "bob"):
            answers = yield self.request("POST", "/api/account/", urlencode({"username": name}), "admin",
                                         Content_Type="application/x-www-form-urlencoded")
            ids[name] = answers.json("id")
        for caller, name, right in (("writer", "ada", "writer"), ("reader", "ada", "reader"), ("other", "bob", "writer")):
            body = tuple(json.dumps({"user": user, "name": caller, "right": right}) for user in ids[name])
            answers = yield self.request("POST", "/api/token/", body, "admin", Content_Type="application/json")
            self.tokens[caller] = tuple(f"Token {key}" for key in answers.json("key"))

    def addresses(self):
        """Every address with every method, caller, media type and origin; not all combinations of them."""
        files = []
        for page in ("/datasets/", "/datasets/1000/", "/docs/", "/stac/api.html"):
            answers = yield self.request("GET", page, Accept="text/html")
            files += [pair for pair in answers.files(page) if pair not in files]
        for path in [(path, path) for path in PATHS] + files:
            for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
                yield self.request(method, path, None if method in ("GET", "HEAD") else b"")
            for accept in ACCEPTS:
                yield self.request("GET", path, Accept=accept)
            for caller in ("writer", "other", "reader", "admin", "bad", "scheme"):
                yield self.request("GET", path, caller=caller)
                yield self.request("GET", path, caller=caller, Accept=PAGE_TYPES[1])
            for origin in ORIGINS:
                yield self.request("GET", path, Origin=origin)
                yield self.request("GET", path, Origin=origin, caller="writer")
                yield self.request("OPTIONS", path, Origin=origin, Access_Control_Request_Method="POST",
                                   Access_Control_Request_Headers="authorization,content-type")
            for query in ("f=html", "f=json", "f=x", "p=2", "format=csv", "format=none", "x=1&x=2", "%zz=%f", "a=%00"):
                targets = tuple(f"{one}{'&' if '?' in one else '?'}{query}" for one in path)
                yield self.request("GET", targets, Accept=self.rng.choice(ACCEPTS))
            answers = yield self.request("GET", path, Accept_Encoding="gzip")
            if answers.all("etag"):
                for tag in (answers.get("etag"), "*", '"a", "b"'):
                    yield self.request("GET", path, If_None_Match=tag, Accept_Encoding="gzip")
                    yield self.request("GET", path, If_None_Match=tag)
        for headers in ({"Host": "a b"}, {"Host": "other.example.org:99"}, {"X_Request_Id": "abc"},
                        {"X_Request_Id": "\u00e9" * 200},
                        {"X_HTTP_Method_Override": "DELETE"}, {"Range": "bytes=0-9"}, {"Expect": "x"}, {"Accept": "a," * 3000}):
            yield self.request("GET", "/api/dataset/?p=1", **headers)
        yield self.request("GET", "/api/dataset/?x=" + "y" * 16500)

    # ---- reads ----

    def query(self, choices, most=3):
        names = self.rng.sample(list(choices), self.rng.randint(0, min(most, len(choices))))
        pairs = [(name, str(self.rng.choice(choices[name]))) for name in names]
        return urlencode(pairs, safe=self.rng.choice(["", ",:/"]),
                         quote_via=self.rng.choice([quote, lambda v, *a, **k: quote(v, *a, **k)]))

    def filters(self):
        several = ",".join
        return {"workspace": ["1", "20", "552", several(["1", "20", "30"]), "x", "-1", ""],
                "user": USERS + [several(self.some(USERS)), "x" * 300],
                "category": CATEGORIES + [several(self.some(CATEGORIES)), "None", ""],
                "available_rasters": RASTERS + ["xyz", several(RASTERS)], "band": ["nir", "red,blue", "alpha", "x"],
                "has_stats": RASTERS + ["none"],
                "is_shareable": ["true", "f", "on", "0", "maybe", ""], "captured_after": TIMES + self.some(BAD_TIMES),
                "captured_before": TIMES + self.some(BAD_TIMES), "captured_until": ["2023-12-31", "2020-03-07", "x"],
                "updated_since": TIMES + self.some(BAD_TIMES, 1), "search": WORDS + ["x" * 300, " ", "\t"],
                "in_bbox": BOXES + self.some(BAD_BOXES, 2)}

    def view(self):
        order = ",".join(self.rng.choice(["", "-"]) + field for field in self.some(ORDERS + ["none"], 2))
        return {**self.filters(), "p": [1, 2, 3, "last", 0, -1, "x", 10 ** 6, ""], "page_size": [1, 5, 15, 100, 1000, 0, "x"],
                "ordering": [order] * 2}

    def listing(self):
        own = {"format": ["json", "geojson", "api", "geojson", "none"],
               "fields": [",".join(self.some(FIELDS, 5)), "id,dataset_name", "none", ""]}
        if self.chance(4):
            return f"/api/dataset/?format={self.rng.choice(['csv', 'ndjson'])}&category=Rocky&" + self.query(self.view(), 2)
        return "/api/dataset/?" + self.query({**self.view(), **own}, 4)

    def pages(self):
        return "/datasets/?" + self.query({**self.view(), "fields": ["id"], "format": ["csv"]}, 4)

    def grid(self):
        return "/datasets/grid/?" + self.query(self.filters())

    def arrays(self):
        return self.rng.choice(["/api/search_datasets?", "/api/dataset_coords/?"]) + self.query({
            **self.filters(), "bbox": BOXES + BAD_BOXES, "search": WORDS})

    def dataset(self):
        number = self.rng.choice([self.rng.randint(1000, 1170), self.rng.randint(2000, 20000), self.rng.randint(17000, 17200)])
        return self.rng.choice(["/api/dataset/{}/", "/datasets/{}/", "/stac/collections/datasets/items/{}",
                                "/api/dataset/{}/thumbnail/",
                                "/stac/collections/areas/items/{}?f=html", "/api/dataset/{}/?fields=id,bbox"]).format(number)

    def search(self):
        """A search by GET. Searches by POST are among the writes of random requests: see post_search."""
        search = self.search_members()
        query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in search.items()}
        if isinstance(search.get("filter"), dict):
            if self.chance(70):
                query["filter"] = self.broken(text_of(search["filter"]))
            elif self.chance(90):
                query["filter-lang"] = "cql2-json"
        if isinstance(search.get("sortby"), list):
            query["sortby"] = ",".join(
                key if isinstance(key, str) else {"asc": "", "desc": "-"}[key["direction"]] + key["field"]
                for key in search["sortby"])
        if isinstance(search.get("fields"), dict):
            query["fields"] = ",".join(search["fields"].get("include", [])
                                       + ["-" + name for name in search["fields"].get("exclude", [])])
        for name in ("ids", "collections", "bbox"):
            if isinstance(search.get(name), list):
                query[name] = ",".join(map(str, search[name]))
        if self.chance(10):
            query["f"] = self.rng.choice(["html", "json", "x"])
        path = self.rng.choice(["/stac/search", "/stac/search"]
                               + [f"/stac/collections/{name}/items" for name in ("datasets", "areas", "points")])
        return path + "?" + urlencode(query)

    def search_members(self):
        box = [float(side) for side in self.rng.choice(BOXES).split(",")]
        choices = {"limit": [1, 3, 10, 100, 2000, 0, "x"],
                   "bbox": [box, box, box[:2] + [0] + box[2:] + [9], box[:3], self.rng.choice(BAD_BOXES)],
                   "datetime": TIMES + ["2020-01-01T00:00:00Z/..", "../2019-01-01T00:00:00Z", "/..",
                                        "2020-01-01T00:00:00Z/2020-06-01T00:00:00Z",
                                        "2021-01-01T00:00:00Z/2020-01-01T00:00:00Z"] + self.some(BAD_TIMES),
                   "intersects": SHAPES + [{}], "ids": [["1000", "1001", "2301"], ["x"], [], ["1000"] * 2],
                   "collections": [["datasets"], ["x"], []],
                   "filter": [self.condition(4) for _ in range(3)],
                   "sortby": [[{"field": field, "direction": self.rng.choice(["asc", "desc"])}
                               for field in self.some([p for p in PROPERTIES if p != "dataset:uav_uid"], 2)], ["x"], "-datetime"],
                   "fields": [{"include": self.some(PROPERTIES), "exclude": self.some(["links", "assets", "title", "geometry"])},
                              {"exclude": ["properties"]}, {"include": ["id"]}],
                   "filter-crs": ["http://www.opengis.net/def/crs/OGC/1.3/CRS84", "x"], "token": ["x", "bm9uZQ"], "none": [1]}
        names = self.rng.choices(list(choices), [2, 3, 3, 2, 1, 1, 8, 4, 2, .2, .3, .2], k=self.rng.randint(1, 3))
        return {name: self.rng.choice(choices[name]) for name in names}

    def condition(self, depth):
        """A random condition as CQL2 JSON. A few have types that do not fit."""
        pick, kind = self.rng.choice, self.rng.randint(0, 15)
        if depth > 0 and kind < 6:
            if kind == 5:
                return {"op": "not", "args": [self.condition(depth - 1)]}
            return {"op": pick(["and", "or"]), "args": [self.condition(depth - 1) for _ in range(self.rng.randint(2, 3))]}
        name = pick([NUMBERS, TEXTS, LISTS, BOOLEANS, ["datetime", "updated"], TEXTS])
        value = {id(NUMBERS): [5, 20, 1.5, -3, 1e30], id(BOOLEANS): [True, False]}.get(
            id(name), [{"timestamp": pick(TIMES)}, {"date": pick(["2020-03-07", "2020-13-01"])}] if "datetime" in name
            else CATEGORIES + RASTERS + ["Nashville%", "finished", "it's", "Camargue flight 1", "nir", "1000", ""])
        property_ = {"property": pick(name) if self.chance(95) else pick(PROPERTIES)}
        if self.chance(5):
            value = [5, "x", None, True, {"timestamp": "x"}]
        if property_["property"] == "dataset:uav_uid" and kind != 10:
            # The service chooses this value of a new dataset at random.
            kind = 12
        if kind < 10:
            return {"op": pick(["=", "<>", "<", "<=", ">", ">="]), "args": [property_, pick(value)]}
        if kind == 10:
            return {"op": "in", "args": [property_, [pick(value), pick(value)]]}
        if kind == 11:
            return {"op": "between", "args": [property_, pick(value), pick(value)]}
        if kind == 12:
            return {"op": "isNull", "args": [property_]}
        if kind == 13:
            return {"op": "like", "args": [{"op": "casei", "args": [property_]},
                                           {"op": "casei", "args": [pick(["NASH%", "%a_b%", "ÎLE%", "%"])]}]}
        if kind == 14:
            return {"op": "like", "args": [{"property": pick(TEXTS)}, pick(["Nash%", "%bay%", "a\\%", "_"])]}
        return {"op": "s_intersects", "args": [{"property": "geometry"},
                                               pick(SHAPES[:4] + [{"bbox": [5, 45, 7, 47]}, {"type": "Circle"}])]}

    def broken(self, text):
        """The text, in one of eight cases with a character removed, doubled or replaced."""
        if not text or not self.chance(12):
            return text
        at = self.rng.randrange(len(text))
        return text[:at] + self.rng.choice(["", text[at] * 2, "(", "'", "é", "\\", "9"]) + text[at + 1:]

    # ---- writes ----

    def body(self, fields):
        """The fields as a body of a random media type, and its headers."""
        kind = self.rng.choice(["json", "json", "form", "multipart", "json"])
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in fields.items()}
        if kind == "json":
            body, media_type = self.broken(json.dumps(fields, ensure_ascii=self.chance(50))), "application/json"
        elif kind == "form":
            body, media_type = urlencode(texts), "application/x-www-form-urlencoded"
        else:
            body = "".join(f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
                           for name, text in texts.items()) + "--b--\r\n"
            media_type = "multipart/form-data; boundary=b"
        if self.chance(4):
            media_type = self.rng.choice(["text/plain", "application/xml", "x", "application/json; charset=utf-16",
                                          "multipart/form-data"])
        headers = {"Content_Type": media_type, **self.headers()}
        body = body.encode()
        if self.chance(10):
            body = gzip.compress(body, mtime=0)
            headers["Content_Encoding"] = "gzip"
            if self.chance(20):
                body = body[:-4]
        elif self.chance(2):
            headers["Content_Encoding"] = "deflate"
        return body, headers

    def fields(self):
        box = [36.1, -85.4, 36.2, -85.3]
        choices = {"dataset_name": ["Red Rocks", "", "  spaces  ", "'; drop table", "x" * 300, 5, None, "éà 東京", "=1+1"],
                   "workspace": [1, 20, "30", -1, "x", 1.5, 10 ** 20, None],
                   "category": [["Desert"], CATEGORIES[:2], "Rocky", ["None"], [], 5],
                   "captured_date": TIMES + BAD_TIMES + [5, None],
                   "coordinates": [[36.1, -85.4], [], [91, 0], [1], "x", [0, None]],
                   "bbox": [box, box, [], [1, 2, 3], [36.2, -85, 36.1, -84], [0, 0, 0, 0], "[1,2,3,4]", {"a": 1}],
                   "is_private": [True, False, "yes", "maybe", 0], "is_shareable": [True, False, None],
                   "available_rasters": [["ortho"], RASTERS, ["x"], []],
                   "band_stats": [{}, {"ortho": {"b1": {"max": 1, "min": 0, "mean": 0.5, "stddev": 0.1}}}, {"x": 1}, "x", [],
                                  {"dsm": {"b1": {"max": "x"}}}],
                   "id": [1], "none": ["x"], "is_deleted": [True]}
        return {name: self.rng.choice(choices[name][:3] if self.chance(70) else choices[name])
                for name in self.some(list(choices), self.rng.choice([2, 4, 8]))}

    def writer(self):
        return self.rng.choice(["writer"] * 4 + ["admin", "admin", "other", "reader", "anonymous", "bad"])

    def create(self):
        caller, (body, headers) = self.writer(), self.body(self.fields())
        if self.chance(20):
            headers["Idempotency_Key"] = self.rng.choice(["one", "two", "three", "x" * 300, ""])
        answers = yield self.request("POST", self.rng.choice(["/api/dataset/", "/api/dataset"]), body, caller, **headers)
        if "Idempotency_Key" in headers:
            yield self.request("POST", "/api/dataset/", body, caller, **headers)
        if answers.all("location"):
            path = answers.path("location")
            yield self.request("GET", path, caller=caller)
            yield self.request("GET", path, caller=self.caller())
            yield from self.edits(path, caller)
        # POST of a search reads, but has a body like a create.
        yield from self.post_search()

    def change(self):
        number = self.rng.choice([1000, 1001, 1005, 2301, self.rng.randint(2000, 17000), self.rng.randint(17000, 17100)])
        yield from self.edits(f"/api/dataset/{number}/", self.writer())

    def edits(self, path, caller):
        for _ in range(self.rng.randint(1, 3)):
            answers = yield self.request("GET", path, caller=caller)
            body, headers = self.body(self.fields())
            kind = self.rng.choice(["PUT", "PATCH", "PATCH", "PATCH", "DELETE", "thumbnail"])
            if self.chance(40) and answers.all("etag"):
                headers["If_Match"] = self.rng.choice([answers.get("etag"), answers.get("etag"), '"0-x"', "*", "x"])
            if kind == "DELETE":
                yield self.request(kind, path, caller=caller, If_Match=headers.get("If_Match"))
            elif kind == "thumbnail":
                image = self.rng.choice([b"\xff\xd8\xff\xe0" + b"0" * 500, b"\x89PNG\r\n\x1a\n" + b"0" * 99, b"GIF89a", b"",
                                         b"RIFF0000WEBPVP8 " + b"0" * 64])
                target = tuple(p + "thumbnail" for p in path) if isinstance(path, tuple) else path + "thumbnail"
                yield self.request("PUT", target, image, caller)
            else:
                yield self.request(kind, path, body, caller, **headers)
        yield self.request("GET", path, caller=self.caller())

    def post_search(self):
        for _ in range(3):
            body = self.broken(json.dumps(self.search_members()))
            media_type = self.rng.choice(["application/json"] * 8 + ["application/geo+json", "text/plain", None])
            yield self.request("POST", "/stac/search", body.encode(), self.caller(), Content_Type=media_type, **self.headers())

    def imports(self):
        """An import of a few lines, and the export of the same."""
        lines = []
        for _ in range(self.rng.randint(1, 4)):
            number = self.rng.randint(900000, 900020)
            line = {"id": number, "uav_uid": f"00000000-0000-3000-8000-{number if self.chance(90) else 1:012}",
                    "user": self.rng.choice(["drone_ops 5", "ada 145", "new owner 70001", "x", "Drone_Ops 777", None]),
                    "workspace": 7,
                    "captured_date": self.rng.choice(TIMES), "bbox": [1, 2, 3, 4], "coordinates": [2, 3], **self.fields()}
            line["id"] = number
            lines.append(self.broken(json.dumps({name: value for name, value in line.items() if name != "none"})))
        body, headers = "\n".join(lines).encode(), {"Content_Type": "application/x-ndjson"}
        if self.chance(20):
            body, headers["Content_Encoding"] = gzip.compress(body, mtime=0), "gzip"
        if self.chance(5):
            body, headers["Content_Type"] = csv_of(lines), "text/csv"
        yield self.request("POST", self.rng.choice(["/api/dataset", "/api/dataset/"]), body,
                           self.rng.choice(["admin"] * 5 + ["writer"]), **headers)
        for media_type in ("application/x-ndjson", "text/csv"):
            yield self.request("GET", "/api/dataset/?workspace=7", caller=self.rng.choice(["admin", "anonymous", "writer"]),
                               Accept=media_type)

    def account(self):
        name = self.rng.choice(["ada", "ADA", "carl", "dora", "", " ", "x" * 200, "a\u200bb", "ｅｖｅ", "drone_ops"])
        body, headers = self.body({"username": name} if self.chance(90) else {})
        yield self.request("POST", "/api/account/", body, self.rng.choice(["admin", "admin", "writer", "anonymous"]), **headers)
        token = {"user": self.rng.choice([2, 0, 99999, "x"]), "name": self.rng.choice(["laptop", "", 5]),
                 "right": self.rng.choice(["reader", "admin", "owner"]),
                 "expires": self.rng.choice([None, "2090-01-01T00:00:00Z", "2000-01-01T00:00:00Z", "x"])}
        body, headers = self.body(dict(self.rng.sample(list(token.items()), self.rng.randint(2, 4))))
        answers = yield self.request("POST", "/api/token/", body, self.rng.choice(["admin", "admin", "writer"]), **headers)
        ids = answers.json("id")
        if all(ids):
            yield self.request("DELETE", tuple(f"/api/token/{number}/" for number in ids), caller="admin")
        page = f"{self.rng.choice(['account', 'token'])}/?p={self.rng.choice([1, 2, 'last', 'x'])}"
        yield self.request("GET", f"/api/{page}&page_size=5", caller="admin")


def text_of(node):
    """CQL2 JSON as CQL2 text."""
    if isinstance(node, bool) or node is None:
        return str(node).upper().replace("NONE", "NULL")
    if isinstance(node, (int, float)):
        return str(node)
    if isinstance(node, str):
        return "'" + node.replace("'", "''") + "'"
    if isinstance(node, list):
        return "(" + ", ".join(map(text_of, node)) + ")"
    if "property" in node:
        return node["property"] if re.fullmatch(r"[\w:.]+", node["property"]) else '"' + node["property"] + '"'
    for name in ("timestamp", "date"):
        if name in node:
            return f"{name.upper()}('{node[name]}')"
    if "bbox" in node:
        return "BBOX" + text_of(node["bbox"])
    if "type" in node:
        return shape_text(node)
    operator, args = node["op"], [text_of(arg) for arg in node["args"]]
    if operator in ("and", "or"):
        return "(" + f" {operator.upper()} ".join(args) + ")"
    if operator == "not":
        return f"NOT ({args[0]})"
    if operator == "isNull":
        return f"{args[0]} IS NULL"
    if operator == "between":
        return f"{args[0]} BETWEEN {args[1]} AND {args[2]}"
    if operator in ("casei", "s_intersects"):
        return f"{operator.upper()}({', '.join(args)})"
    return f"{args[0]} {operator.upper()} {args[1]}"


def shape_text(shape):
    def numbers(part):
        if part and isinstance(part[0], (int, float)):
            return " ".join(map(str, part))
        return ", ".join(numbers(p) if p and isinstance(p[0], (int, float)) else "(" + numbers(p) + ")" for p in part)
    return shape["type"].upper() + "(" + numbers(shape.get("coordinates", [])) + ")"


def csv_of(lines):
    out = io.StringIO()
    csv.writer(out).writerows([line] for line in lines)
    return out.getvalue().encode()
