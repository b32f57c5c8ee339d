"""Reads the catalogue with GDAL.

Arguments: the address of the catalogue, the command that runs GDAL's programs, a folder for files, a token that sees all
datasets.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
from checks import COLLECTIONS, DATASETS, COLOURS, PRIVATE, PUBLIC, TYPES, Catalogue, Checks, equal  # noqa: E402

BOX = ["12.5", "51.5", "14.5", "53.5"]
TIME = "2024-05-01T00:00:00Z/2024-05-04T00:00:00Z"
WHERE = "datetime >= '2024-05-01T00:00:00Z' AND datetime <= '2024-05-04T00:00:00Z'"


class Gdal:
    def __init__(self, command, token=None):
        self.command = command
        # With HEAD, GDAL would open the link of its first request by GET. The storage refuses that, and GDAL leaves the token out
        # of its next try.
        self.environment = os.environ | ({"GDAL_HTTP_HEADERS": f"Authorization: Token {token}",
                                          "CPL_VSIL_CURL_USE_HEAD": "NO"} if token else {})

    def run(self, name, *arguments):
        """The output of a program. Fails on a warning, too."""
        ended = subprocess.run([self.command, name, *arguments], capture_output=True, text=True, timeout=300,
                               env=self.environment)
        said = ended.stderr.strip()
        assert ended.returncode == 0 and not said, said or f"{name} ends with {ended.returncode}"
        return ended.stdout

    def version(self):
        return self.run("ogrinfo", "--version").split()[1].rstrip(",")

    def titles(self, source, collection, *options):
        lines = self.run("ogr2ogr", "-f", "GeoJSONSeq", "/vsistdout/", source, collection, "-oo", "PAGE_SIZE=1000",
                         "-select", "id,title", *options)
        properties = [json.loads(line)["properties"] for line in lines.splitlines()]
        return {row["id"]: row["title"] for row in properties}


def check_collection(checks, catalogue, gdal, collection, folder):
    source = f"OAPIF:{catalogue.address}"
    with checks.check(f"{collection}: ogrinfo counts numberMatched"):
        summary = gdal.run("ogrinfo", "-ro", "-so", source, collection)
        assert f"\nFeature Count: {catalogue.count(collection)}\n" in summary, summary
    with checks.check(f"{collection}: every row is read, with its title"):
        equal(gdal.titles(source, collection), catalogue.titles(collection))
    if collection in TYPES:
        with checks.check(f"{collection}: a GeoPackage of the type {TYPES[collection]}"):
            file = pathlib.Path(folder, f"{collection}.gpkg")
            file.unlink(missing_ok=True)
            gdal.run("ogr2ogr", file, source, collection, "-oo", "PAGE_SIZE=1000", "-select", "id,title")
            summary = gdal.run("ogrinfo", "-ro", "-so", file, collection)
            assert f"\nGeometry: {TYPES[collection]}\nFeature Count: {catalogue.count(collection)}\n" in summary, summary


def check_filters(checks, catalogue, gdal):
    source = f"OAPIF:{catalogue.address}"
    with checks.check("datasets: a box finds what the service finds"):
        equal(gdal.titles(source, DATASETS, "-spat", *BOX), catalogue.titles(DATASETS, bbox=",".join(BOX)))
    with checks.check("datasets: a time finds what the service finds"):
        equal(gdal.titles(source, DATASETS, "-where", WHERE), catalogue.titles(DATASETS, datetime=TIME))


def check_raster(gdal, address):
    info = json.loads(gdal.run("gdalinfo", "-json", f"/vsicurl/{address}"))
    equal([info["size"], info["metadata"]["IMAGE_STRUCTURE"]["LAYOUT"]], [[1024, 1024], "COG"])
    for place, colour in COLOURS.items():
        values = gdal.run("gdallocationinfo", "-valonly", "-wgs84", f"/vsicurl/{address}", *map(str, place))
        equal(values.split(), [str(value) for value in colour])


def check_rasters(checks, catalogue, gdal, token):
    """The redirect leads to a storage that verifies signatures."""
    with checks.check("rasters: the public COG opens"):
        check_raster(gdal, catalogue.orthomosaic(PUBLIC))
    with checks.check("rasters: the private COG opens with a token alone"):
        address = Catalogue(catalogue.address, token).orthomosaic(PRIVATE)
        check_raster(Gdal(gdal.command, token), address)
        try:
            check_raster(gdal, address)
        except AssertionError as refusal:
            assert "404" in str(refusal), refusal
        else:
            raise AssertionError("the private COG opens without a token")


def main(address, command, folder, token):
    gdal = Gdal(command)
    checks = Checks("GDAL", gdal.version())
    catalogue = Catalogue(address)
    for collection in COLLECTIONS:
        check_collection(checks, catalogue, gdal, collection, folder)
    check_filters(checks, catalogue, gdal)
    check_rasters(checks, catalogue, gdal, token)


main(*sys.argv[1:])
