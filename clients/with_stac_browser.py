"""Opens the catalogue in STAC Browser, in Chromium, from another origin.

Arguments: the address of the catalogue, the folder with STAC Browser, its version, the programs of Chromium and of its driver, a
folder for images of the pages.
"""
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from checks import DATASETS, COLOURS, PUBLIC, Catalogue, Checks, equal  # noqa: E402
from webdriver import SOFTWARE_GL, Chromium, serve  # noqa: E402

# Dataset 1 of titles.ndjson.
FIRST = "C:\\flights\\"
CARDS = "document.querySelectorAll('.item-card:not(.queued)').length"
ITEMS = "//*[@role='tab'][contains(., 'Search for Items')]"
ORTHO = "//*[contains(@class, 'expandable-card')][contains(header, 'Orthomosaic')]"
CARD_TITLES = "return [...document.querySelectorAll('.item-card .card-title')].map(title => title.innerText)"


class Pages:
    """STAC Browser in Chromium. Each page leaves an image."""

    def __init__(self, chromium, site, images):
        self.chromium = chromium
        self.site = site
        self.images = pathlib.Path(images)

    def open(self, path):
        self.chromium.open(self.site + "/#" + path)

    def shows(self, *texts):
        for text in texts:
            self.chromium.await_true("document.body.innerText.includes(arguments[0])", text)

    def keep(self, name):
        self.chromium.image(self.images / f"{name}.png")

    def errors(self):
        """Of all pages so far."""
        entries = [entry for entry in self.chromium.console() if entry["level"] == "SEVERE"]
        return [entry["message"] for entry in entries if not missing_picture(entry)]


def missing_picture(entry):
    """The thumbnails, the tiles of the map and those of the tile server are not there."""
    picture = re.match(r"(https://tiles\.example\.org/\S+|\S+(\.png|\.jpe?g|/thumbnail/)(\?\S*)?)"
                       r" - Failed to load resource: (net::|.* status of 404)", entry["message"])
    return picture or "EncodingError: The source image cannot be decoded" in entry["message"]


def check_pages(checks, catalogue, pages):
    chromium = pages.chromium
    with checks.check("the catalogue's page leads to the collection"):
        pages.open("/")
        pages.shows(catalogue.get(catalogue.address)["title"])
        chromium.await_true("document.querySelector(arguments[0])", "a[href$='/collections/datasets']")
        pages.keep("catalogue")
        chromium.click(".catalog-card a[href$='/collections/datasets']")
        chromium.await_true("location.hash.includes(arguments[0])", "/collections/datasets")
    with checks.check("the collection's page shows the count and the first items"):
        pages.open(address_of(catalogue, "/collections/datasets"))
        chromium.await_true(f"{CARDS} === 10")
        assert_count(chromium, catalogue)
        equal(sorted(chromium.script(CARD_TITLES)), sorted(titles(catalogue.items(DATASETS, limit=10))))
        pages.keep("collection")
    with checks.check("a click on an item leads to its page"):
        chromium.click(".item-card a[href$='/items/1']")
        chromium.await_true("document.querySelector('h1')?.innerText === arguments[0]", FIRST)
        pages.shows("2024-05-01", "quotes")
        chromium.await_true("document.querySelector('.map canvas, .ol-viewport canvas')")
        pages.keep("item")
    with checks.check("the map of an item shows its COG"):
        # At first the map has the tiles of the tile server, as it prefers them to files.
        pages.open(address_of(catalogue, f"/collections/datasets/items/{PUBLIC}"))
        chromium.await_true("document.evaluate(arguments[0], document).iterateNext()", ORTHO)
        chromium.click(ORTHO + "//header//button", "xpath")
        chromium.await_true("document.evaluate(arguments[0], document).iterateNext()?.matches('.show')",
                            ORTHO + "//*[@role='tabpanel']")
        chromium.click(ORTHO + "//button[contains(., 'Show on map')]", "xpath")
        chromium.await_painted(list(COLOURS.values()), 1000)
        pages.keep("raster")
    with checks.check("a search shows the count and two pages of items"):
        pages.open("/search")
        chromium.await_true("document.evaluate(arguments[0], document).iterateNext()", ITEMS)
        chromium.click(ITEMS, "xpath")
        chromium.click("//*[contains(@class, 'tab-pane') and contains(@class, 'active')]//button[@type='submit']", "xpath")
        chromium.await_true(f"{CARDS} === 10")
        assert_count(chromium, catalogue)
        first = chromium.script(CARD_TITLES)
        chromium.click("//button[contains(., 'Next')]", "xpath")
        chromium.await_true("arguments[0].every(title => !document.body.innerText.includes(title))", first)
        chromium.await_true(f"{CARDS} === 10")
        pages.keep("search")
    with checks.check("the console has no error but missing pictures"):
        errors = pages.errors()
        assert not errors, f"{len(errors)}: {errors[0]}"


def titles(page):
    return [item["properties"]["title"] for item in page["features"]]


def address_of(catalogue, path):
    """STAC Browser leaves the folder of the catalogue out of its addresses."""
    return "/" + catalogue.address.rsplit("/", 1)[1] + path


def assert_count(chromium, catalogue):
    chromium.await_true(r"new RegExp('Items\\s*' + arguments[0] + '\\b').test(document.body.innerText.replaceAll(',', ''))",
                        catalogue.count(DATASETS))


def main(address, folder, version, browser, driver, images):
    pathlib.Path(images).mkdir(exist_ok=True)
    script = f"<script>window.STAC_BROWSER_CONFIG = {json.dumps({'catalogUrl': address})}</script>"
    page = pathlib.Path(folder, "index.html").read_text().replace("<head>", "<head>" + script)
    site = serve(folder, page)
    chromium = Chromium(browser, driver, SOFTWARE_GL)
    try:
        pages = Pages(chromium, site, images)
        check_pages(Checks("STAC Browser", version), Catalogue(address), pages)
    finally:
        chromium.close()


main(*sys.argv[1:])
