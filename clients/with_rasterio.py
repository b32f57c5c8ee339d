"""Reads rasters with rasterio.

Arguments: the address of the catalogue, a token that sees all datasets.
"""
import sys

sys.dont_write_bytecode = True
import rasterio  # noqa: E402
from rasterio.errors import RasterioIOError  # noqa: E402
from checks import COLOURS, PRIVATE, PUBLIC, Catalogue, Checks, equal  # noqa: E402


def check_raster(address, **options):
    # An environment with options has no cached addresses of one without.
    with rasterio.Env(CPL_VSIL_CURL_NON_CACHED="/vsicurl/", **options), rasterio.open(address) as raster:
        equal([raster.shape, raster.crs.to_string(), raster.overviews(1)], [(1024, 1024), "EPSG:4326", [2]])
        equal({place: tuple(map(int, values)) for place, values in zip(COLOURS, raster.sample(COLOURS))}, COLOURS)


def main(address, token):
    checks = Checks("rasterio", rasterio.__version__)
    with checks.check("rasters: the public COG opens"):
        check_raster(Catalogue(address).orthomosaic(PUBLIC))
    with checks.check("rasters: the private COG opens with a token alone"):
        private = Catalogue(address, token).orthomosaic(PRIVATE)
        check_raster(private, GDAL_HTTP_HEADERS=f"Authorization: Token {token}", CPL_VSIL_CURL_USE_HEAD="NO")
        try:
            check_raster(private)
        except RasterioIOError:
            pass
        else:
            raise AssertionError("the private COG opens without a token")


main(*sys.argv[1:])
