"""Draws the vector tiles with MapLibre GL, in Chromium, from another origin.

Arguments: the address of the service, the folder with MapLibre GL, its version, the programs of Chromium and of its driver, a
folder for images of the maps.
"""
import json
import pathlib
import sys
import urllib.request

sys.dont_write_bytecode = True
from checks import Checks, equal  # noqa: E402
from webdriver import SOFTWARE_GL, Chromium, serve  # noqa: E402

PAGE = """<!doctype html><html><head><meta charset="utf-8"><title>Map</title><link rel="stylesheet" href="/maplibre-gl.css">
<style>html, body, #map { margin: 0; height: 100%; }</style></head><body><div id="map"></div>
<script src="/maplibre-gl.js"></script></body></html>"""

MAP = """
window.problems = [];
window.isIdle = false;
const [tiles, view, zoom] = arguments;
if (window.drawn) { window.drawn.remove(); }
const fill = (id, layer, colour) => ({id, type: 'fill', source: 'datasets', 'source-layer': layer,
  filter: ['==', ['geometry-type'], 'Polygon'], paint: {'fill-color': colour}});
window.drawn = new maplibregl.Map({container: 'map', center: view, zoom, fadeDuration: 0, attributionControl: false,
  canvasContextAttributes: {preserveDrawingBuffer: true},
  style: {version: 8, sources: {datasets: {type: 'vector', url: tiles}},
    layers: [{id: 'ground', type: 'background', paint: {'background-color': '#ffffff'}},
      fill('density', 'density', '#ff0000'), fill('areas', 'datasets', '#0000ff'),
      {id: 'points', type: 'circle', source: 'datasets', 'source-layer': 'datasets',
        filter: ['==', ['geometry-type'], 'Point'], paint: {'circle-color': '#00ff00', 'circle-radius': 5}}]}});
drawn.on('error', event => problems.push(String(event.error)));
drawn.on('idle', () => { window.isIdle = true; });
"""

# The cells of the tiles that the map has loaded. A cell at the edge of a tile occurs once.
SUM = """return drawn.querySourceFeatures('datasets', {sourceLayer: 'density'})
  .reduce((sum, cell) => sum + cell.properties.count, 0)"""
TITLES = """return Object.fromEntries(drawn.querySourceFeatures('datasets', {sourceLayer: 'datasets'})
  .map(dataset => [dataset.properties.id, dataset.properties.title]))"""
DRAWN = "return drawn.queryRenderedFeatures({layers: arguments[0]}).length"


def count(service, query=""):
    with urllib.request.urlopen(f"{service}/api/dataset/?page_size=1&{query}", timeout=30) as response:
        return json.load(response)["count"]


def draw(chromium, service, query, view, zoom):
    chromium.script(MAP, f"{service}/tiles/tilejson.json?{query}", view, zoom)
    chromium.await_true("window.isIdle && drawn.loaded()")
    equal(chromium.script("return problems"), [])


def check_maps(checks, chromium, service, images):
    for query in ["", "category=Forest", "in_bbox=-20,-40,60,50&is_shareable=true"]:
        with checks.check(f"the counts of the world are the count of the listing {query}".rstrip()):
            draw(chromium, service, query, [0, 0], 0)
            equal(chromium.script(SUM), count(service, query))
            assert chromium.script(DRAWN, ["density"]) > 0, "no cell is drawn"
            chromium.image(images / f"world{len(query)}.png")
    with checks.check("footprints are drawn with their titles"):
        draw(chromium, service, "in_bbox=13,52,14,53", [13.5, 52.5], 7)
        titles = chromium.script(TITLES)
        equal(len(titles), count(service, "in_bbox=13,52,14,53"))
        # Datasets 3 and 4 of titles.ndjson: a point, and an area around it.
        with urllib.request.urlopen(f"{service}/api/dataset/4/", timeout=30) as response:
            equal(titles["4"], json.load(response)["dataset_name"])
        assert chromium.script(DRAWN, ["areas"]) > 0 and chromium.script(DRAWN, ["points"]) > 0, "none is drawn"
        chromium.image(images / "footprints.png")
    with checks.check("MapLibre GL logs no error"):
        errors = [entry["message"] for entry in chromium.console() if entry["level"] == "SEVERE"]
        assert not errors, f"{len(errors)}: {errors[0]}"


def main(service, folder, version, browser, driver, images):
    images = pathlib.Path(images)
    images.mkdir(exist_ok=True)
    site = serve(folder, PAGE)
    checks = Checks("MapLibre GL", version)
    chromium = Chromium(browser, driver, SOFTWARE_GL)
    try:
        chromium.open(site + "/")
        chromium.await_true("window.maplibregl")
        if not chromium.script("return Boolean(document.createElement('canvas').getContext('webgl2'))"):
            checks.row("-", "skipped: Chromium has no WebGL, also not in software")
            return
        check_maps(checks, chromium, service, images)
    finally:
        chromium.close()


main(*sys.argv[1:])
