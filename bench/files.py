"""Reads a box of the stored export with DuckDB for bench/files, by ranges of HTTP. Prints the rows, the requests and the bytes.

Arguments: the address of the service, the box. DuckDB's own reader decides which ranges it reads. Its extension for HTTP is
not in the package for Python, so a file system of fsspec sends the requests.
"""
import datetime
import json
import sys
import urllib.request

import duckdb
import fsspec

QUERY = """
    SELECT id, dataset_name FROM read_parquet('{file}')
    WHERE geometry_bbox.xmin < {east} AND geometry_bbox.xmax > {west}
        AND geometry_bbox.ymin < {north} AND geometry_bbox.ymax > {south}"""


class Ranges(fsspec.AbstractFileSystem):
    """Files of HTTP. Each read is one request."""

    protocol = "ranges"
    requests = length = received = 0

    def info(self, path, **options):
        head = urllib.request.Request(self.address, method="HEAD")
        with urllib.request.urlopen(head, timeout=60) as response:
            # The address with the version, so that ranges of two versions never mix.
            self.address = response.url
            self.length = int(response.headers["Content-Length"])
        return {"name": path, "size": self.length, "type": "file"}

    def glob(self, path, **options):
        return [path]

    def modified(self, path):
        return datetime.datetime.fromtimestamp(0, datetime.timezone.utc)

    def _open(self, path, mode="rb", **options):
        return File(self, path, mode, cache_type="none", size=self.info(path)["size"])


class File(fsspec.spec.AbstractBufferedFile):
    def _fetch_range(self, start, end):
        ranged = urllib.request.Request(self.fs.address, headers={"Range": f"bytes={start}-{end - 1}"})
        with urllib.request.urlopen(ranged, timeout=60) as response:
            assert response.status == 206, f"{response.status} in place of 206"
            content = response.read()
        self.fs.requests += 1
        self.fs.received += len(content)
        return content


def main(base, box):
    west, south, east, north = box.split(",")
    files = Ranges(skip_instance_cache=True)
    files.address = f"{base}/exports/datasets.parquet"
    connection = duckdb.connect()
    connection.register_filesystem(files)
    query = QUERY.format(file="ranges://datasets.parquet", west=west, south=south, east=east, north=north)
    rows = connection.execute(query).fetchall()
    with urllib.request.urlopen(f"{base}/api/dataset/?page_size=1&in_bbox={box}", timeout=60) as response:
        count = json.load(response)["count"]
    # A comparison without the edges of the box; the boxes in the file cover these of the list.
    assert 0.99 * count - 1 <= len(rows) <= 1.01 * count + 1, f"{len(rows)} rows, and the list has {count}"
    print(f"box {box} by DuckDB {duckdb.__version__}: {len(rows)} rows, {files.requests} requests, "
          f"{files.received} bytes, {100 * files.received / files.length:.2f} % of {files.length}")


main(*sys.argv[1:])
