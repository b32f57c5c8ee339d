"""Searches the catalogue with pystac-client.

Standard input has the address of the catalogue and a list of searches as JSON. Each search is the arguments of Client.search.
Standard output has the results. The program fails on a warning of the libraries, and on an object that is not valid by the
schemas of STAC.
"""
import importlib.resources
import json
import sys
import warnings

import jsonschema
import pystac
from pystac_client import Client

# Not about the catalogue: the connection pool of the client closes when the program ends.
warnings.simplefilter("error")
warnings.simplefilter("ignore", ResourceWarning)

STAC = "https://schemas.stacspec.org/v1.1.0/"
OWN_FOLDER = ["item", "catalog", "collection"]


def read_schemas():
    """The schemas that pystac contains, by address."""
    folder = importlib.resources.files("pystac.validation.jsonschemas")
    schemas = {}
    for file in (folder / "stac-spec" / "v1.1.0").iterdir():
        if file.name.endswith(".json"):
            name = file.name.removesuffix(".json")
            kind = name if name in OWN_FOLDER else "item"
            schemas[f"{STAC}{kind}-spec/json-schema/{name}.json"] = json.loads(file.read_text())
    for file in (folder / "geojson").iterdir():
        schemas[f"https://geojson.org/schema/{file.name}"] = json.loads(file.read_text())
    return schemas


SCHEMAS = read_schemas()
VALIDATORS = {}
VALID = set()


def validate(kind, document):
    address = f"{STAC}{kind}-spec/json-schema/{kind}.json"
    if kind not in VALIDATORS:
        resolver = jsonschema.RefResolver(address, SCHEMAS[address], store=SCHEMAS)
        resolver.resolve_remote = refuse
        VALIDATORS[kind] = jsonschema.Draft7Validator(SCHEMAS[address], resolver=resolver)
    VALIDATORS[kind].validate(document)


def refuse(address):
    raise ValueError(f"No schema for {address}")


def read_item(document):
    text = json.dumps(document, sort_keys=True)
    if text not in VALID:
        validate("item", document)
        VALID.add(text)
    item = pystac.Item.from_dict(document, preserve_dict=True)
    assert item.datetime is not None and item.get_self_href(), document
    return item.id


def search(catalogue, arguments):
    found = catalogue.search(**arguments)
    documents = list(found.items_as_dicts())
    return {"matched": found.matched(), "ids": [read_item(document) for document in documents],
            "properties": sorted(documents[0]["properties"]) if documents else []}


def main():
    asked = json.load(sys.stdin)
    catalogue = Client.open(asked["url"])
    validate("catalog", catalogue.to_dict(include_self_link=False, transform_hrefs=False))
    collections = list(catalogue.get_collections())
    for collection in collections:
        validate("collection", collection.to_dict(include_self_link=False, transform_hrefs=False))
    same = catalogue.get_collection("datasets")
    assert same.to_dict() == collections[0].to_dict()
    for queryables in catalogue.get_queryables(), same.get_queryables():
        jsonschema.Draft202012Validator.check_schema(queryables)
    json.dump({
        "collection": same.id,
        "bbox": same.extent.spatial.bboxes[0],
        "queryables": list(catalogue.get_merged_queryables(["datasets"])["properties"]),
        "items": [item.id for item in same.get_items()],
        "others": sorted(int(item.id) for other in collections[1:3] for item in other.get_items()),
        "workspaces": sorted(int(item.id) for other in collections[3:] for item in other.get_items()),
        "item": same.get_item(asked["id"]).id,
        "unknown item": same.get_item("0"),
        "searches": [search(catalogue, arguments) for arguments in asked["searches"]],
    }, sys.stdout)


main()
