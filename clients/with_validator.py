"""Validates the catalogue with stac-node-validator.

Arguments: the address of the catalogue, the folder of the validator's installation, its version, the folder of the schemas.
"""
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
from checks import PUBLIC, Catalogue, Checks, equal  # noqa: E402

SCRIPT = pathlib.Path(__file__).with_name("validate.js")
# Of the item with rasters: all that items have.
EXTENSIONS = {"eo", "file", "projection", "scientific", "web-map-links"}
# The answers, and how many objects each has at least.
ANSWERS = {
    "landing page": ("", 1),
    "collections": ("/collections", 1),
    "collection": ("/collections/datasets", 1),
    "items of datasets": ("/collections/datasets/items?limit=1000", 1000),
    "items of areas": ("/collections/areas/items?limit=1000", 1000),
    "items of points": ("/collections/points/items?limit=100", 100),
    "item": ("/collections/datasets/items/1", 1),
    "item with rasters": (f"/collections/datasets/items/{PUBLIC}", 1),
    "search": ("/search?limit=100&sortby=-datetime", 100),
}


def main(address, installation, version, schemas):
    checks = Checks("stac-node-validator", version)
    for name, (path, least) in ANSWERS.items():
        with checks.check(f"valid: {name}"):
            command = ["node", SCRIPT, installation, schemas, address + path]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
            assert ended.returncode == 0, ended.stderr
            result = json.loads(ended.stdout)
            said = f"{result['valid']} of {result['objects']}: {result['errors'][:2]}"
            assert result["valid"] == result["objects"] >= least, said
    with checks.check("the item with rasters names all extensions"):
        item = Catalogue(address).get(f"{address}/collections/datasets/items/{PUBLIC}")
        equal({extension.split("/")[3] for extension in item["stac_extensions"]}, EXTENSIONS)


main(*sys.argv[1:])
