"""Opens the catalogue in QGIS, without a window, and edits it.

Arguments: the address of the catalogue, a file for the image of the map, a token that may write.
"""
import os
import sys
import urllib.parse

sys.dont_write_bytecode = True
from checks import AREAS, COLLECTIONS, COLOURS, DATASETS, POINTS, PUBLIC, TYPES, Catalogue, Checks, equal  # noqa: E402
from qgis.core import (Qgis, QgsApplication, QgsAuthMethodConfig, QgsCoordinateReferenceSystem, QgsFeature,  # noqa: E402
                       QgsFeatureRequest, QgsFillSymbol, QgsGeometry, QgsMapRendererParallelJob, QgsMapSettings,
                       QgsNetworkAccessManager, QgsNetworkRequestParameters, QgsRasterLayer, QgsRectangle, QgsVectorLayer,
                       QgsVectorTileBasicRenderer, QgsVectorTileBasicRendererStyle, QgsVectorTileLayer, QgsWkbTypes)
from qgis.PyQt.QtCore import QDateTime, QSize, Qt  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402

# Datasets 3 (a point) and 4 (an area around it) of titles.ndjson lie in this view, and a place of the area without a point.
VIEW = QgsRectangle(12.5, 51.5, 14.5, 53.5)
POINT, PLACE_OF_AREA, PLACE_OF_NOTHING = (13.3, 52.3), (13.8, 52.8), (12.7, 51.7)
PIXELS = 400
USER = "quotes"


class Session:
    """QGIS with the requests that it sends and the warnings that it logs."""

    def __init__(self, address):
        self.address = address
        # The folder of the user has no database of tokens yet.
        os.environ["QGIS_AUTH_DB_DIR_PATH"] = os.environ["HOME"]
        self.application = QgsApplication([], True)
        self.application.initQgis()
        self.warnings = []
        self.requests = []
        QgsApplication.messageLog().messageReceived.connect(self.note_message)
        QgsNetworkAccessManager.instance().requestAboutToBeCreated[QgsNetworkRequestParameters].connect(self.note_request)

    def note_message(self, text, tag, level):
        if level in (Qgis.MessageLevel.Warning, Qgis.MessageLevel.Critical):
            self.warnings.append(f"{tag}: {text}")

    def note_request(self, parameters):
        self.requests.append(urllib.parse.unquote_plus(parameters.request().url().toString()))

    def requested(self, *texts):
        """Fails unless one request has all texts."""
        self.application.processEvents()
        if not any(all(text in request for text in texts) for request in self.requests):
            raise AssertionError(f"no request with {' and '.join(texts)}: {self.requests[-3:]}")

    def layer(self, collection, options=""):
        before = len(self.warnings)
        layer = QgsVectorLayer(f"url='{self.address}' typename='{collection}' {options}", collection, "OAPIF")
        self.application.processEvents()
        if not layer.isValid():
            raise AssertionError(f"the layer is not valid: {' '.join(self.warnings[before:before + 1])}")
        return layer

    def layer_of_view(self, collection):
        """As QGIS opens it unless told otherwise: it asks for the features in the view alone."""
        return self.layer(collection, "restrictToRequestBBOX='1'")


    def layer_of_token(self, token):
        """As a reader opens it with an authentication configuration of the kind "API Header"."""
        manager = QgsApplication.authManager()
        assert manager.setMasterPassword("password", True), manager.disabledMessage()
        header = QgsAuthMethodConfig("APIHeader")
        header.setName("token")
        header.setConfig("Authorization", f"Token {token}")
        assert manager.storeAuthenticationConfig(header)[0], "QGIS does not keep the token"
        return self.layer(DATASETS, f"authcfg={header.id()}")


def titles(layer, request=QgsFeatureRequest()):
    return {feature["id"]: feature["title"] for feature in layer.getFeatures(request)}


def assert_types(layer, expected):
    """Each row has a geometry of the layer's type, because QGIS draws no other."""
    assert layer.geometryType() == expected, f"the layer is of the type {QgsWkbTypes.geometryDisplayString(layer.geometryType())}"
    others = [feature["id"] for feature in layer.getFeatures() if feature.geometry().type() != expected]
    assert not others, f"{len(others)} rows have another type of geometry and are not drawn: {others[:3]}"


def draw(layers, file, view=VIEW):
    settings = QgsMapSettings()
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    settings.setOutputSize(QSize(PIXELS, PIXELS))
    settings.setBackgroundColor(QColor("white"))
    settings.setExtent(view)
    settings.setLayers(layers)
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    assert not job.errors(), [error.message for error in job.errors()]
    image = job.renderedImage()
    image.save(file)
    return image


def colour(image, place, view=VIEW):
    x = (place[0] - view.xMinimum()) / view.width() * PIXELS
    y = (view.yMaximum() - place[1]) / view.height() * PIXELS
    return image.pixelColor(round(x), round(y)).name()


def check_collection(checks, catalogue, session, collection):
    with checks.check(f"{collection}: the layer is valid"):
        session.layer(collection)
    with checks.check(f"{collection}: the count is numberMatched"):
        equal(session.layer(collection).featureCount(), catalogue.count(collection))
    with checks.check(f"{collection}: every row is read, with its title"):
        equal(titles(session.layer(collection)), catalogue.titles(collection))
    if collection in TYPES:
        with checks.check(f"{collection}: every row is a {TYPES[collection].lower()}"):
            kinds = {"Polygon": QgsWkbTypes.GeometryType.PolygonGeometry, "Point": QgsWkbTypes.GeometryType.PointGeometry}
            assert_types(session.layer(collection), kinds[TYPES[collection]])


def check_filters(checks, catalogue, session):
    with checks.check("datasets: the service evaluates a filter on a text"):
        layer = session.layer(DATASETS)
        assert layer.setSubsetString(f"\"dataset:user\" = '{USER}'"), "QGIS refuses the filter"
        equal(titles(layer), catalogue.titles(DATASETS, filter=f"\"dataset:user\" = '{USER}'"))
        session.requested("filter=", "dataset:user", USER)
    with checks.check("datasets: the service evaluates a box"):
        box = QgsFeatureRequest().setFilterRect(VIEW)
        equal(titles(session.layer_of_view(DATASETS), box), catalogue.titles(DATASETS, bbox="12.5,51.5,14.5,53.5"))
        session.requested("/items?", "bbox=")


def check_map(checks, session, file):
    with checks.check("areas and points: a map shows both"):
        points, areas = session.layer_of_view(POINTS), session.layer_of_view(AREAS)
        # The symbols that QGIS itself chooses by the type of the layer.
        areas.renderer().symbol().setColor(QColor("#ff0000"))
        points.renderer().symbol().setColor(QColor("#0000ff"))
        image = draw([points, areas], file)
        equal([colour(image, place) for place in (POINT, PLACE_OF_AREA, PLACE_OF_NOTHING)], ["#0000ff", "#ff0000", "#ffffff"])


def check_tiles(checks, address, file):
    """The counts of a zoom are red, the footprints blue."""
    service = address.rsplit("/", 1)[0]
    with checks.check("vector tiles: a map shows counts and footprints"):
        layer = QgsVectorTileLayer(f"type=xyz&url={service}/tiles/{{z}}/{{x}}/{{y}}.mvt&zmin=0&zmax=20", "tiles")
        assert layer.isValid(), "the layer is not valid"
        styles = []
        for name, colour_of in (("density", "#ff0000"), ("datasets", "#0000ff")):
            style = QgsVectorTileBasicRendererStyle(name, name, QgsWkbTypes.GeometryType.PolygonGeometry)
            style.setSymbol(QgsFillSymbol.createSimple({"color": colour_of, "outline_style": "no"}))
            styles.append(style)
        renderer = QgsVectorTileBasicRenderer()
        renderer.setStyles(styles)
        layer.setRenderer(renderer)
        image = draw([layer], file)
        equal([colour(image, place) for place in (PLACE_OF_AREA, PLACE_OF_NOTHING)], ["#0000ff", "#ffffff"])
        styles[1].setEnabled(False)
        renderer.setStyles(styles)
        layer.setRenderer(renderer.clone())
        image = draw([layer], file)
        pixels = [image.pixelColor(x, y).name() for x in range(0, PIXELS, 2) for y in range(0, PIXELS, 2)]
        assert "#ff0000" in pixels, "no cell is drawn"


def check_rasters(checks, catalogue, file):
    """By the redirect to a signed link, with requests for ranges."""
    with checks.check("rasters: a map shows the COG of an item"):
        layer = QgsRasterLayer(f"/vsicurl/{catalogue.orthomosaic(PUBLIC)}", "ortho", "gdal")
        assert layer.isValid(), layer.error().summary()
        image = draw([layer], file, layer.extent())
        equal({place: colour(image, place, layer.extent()) for place in COLOURS},
              {place: "#%02x%02x%02x" % values for place, values in COLOURS.items()})


class Edits:
    """Edits of a layer. Each commit has to succeed. The layer has points, because the first dataset of titles.ndjson is one."""

    TITLE = "Drawn in QGIS"

    def __init__(self, layer):
        self.layer = layer
        assert layer.startEditing(), "the layer cannot be edited"

    def commit(self, is_done):
        if not (is_done and self.layer.commitChanges(False)):
            errors = " ".join(self.layer.commitErrors())
            self.layer.rollBack(False)
            raise AssertionError(f"not stored: {errors}")

    def features(self):
        found = [feature for feature in self.layer.getFeatures() if feature["title"].startswith(self.TITLE)]
        return sorted(found, key=lambda feature: int(feature["id"]))

    def drawn(self):
        found = self.features()
        assert found, "QGIS does not find the dataset that it has added"
        return found[0]

    def add(self, feature):
        self.commit(self.layer.addFeature(feature))

    def draw(self, text):
        feature = QgsFeature(self.layer.fields())
        feature["title"] = self.TITLE
        feature["datetime"] = QDateTime(2024, 5, 1, 0, 0, 0, 0, Qt.TimeSpec.UTC)
        feature.setGeometry(QgsGeometry.fromWkt(text))
        self.add(feature)

    def move(self, text):
        self.commit(self.layer.changeGeometry(self.drawn().id(), QgsGeometry.fromWkt(text)))

    def change(self, **values):
        feature = self.drawn()
        for name, value in values.items():
            index = self.layer.fields().indexOf(name.replace("__", ":"))
            assert self.layer.changeAttributeValue(feature.id(), index, value), f"QGIS refuses {name}"
        self.commit(True)

    def delete(self):
        self.commit(self.layer.deleteFeatures([feature.id() for feature in self.features()]))


def check_edits(checks, catalogue, session, token):
    def stored():
        return catalogue.items(DATASETS, filter=f"title like '{Edits.TITLE}%'", sortby="id")["features"]

    with checks.check("datasets: no edits without a token"):
        assert not session.layer(DATASETS).startEditing(), "QGIS offers to edit the layer"
    with checks.check("datasets: QGIS adds a dataset"):
        edits = Edits(session.layer_of_token(token))
        edits.draw("Point(1 2)")
        equal([item["geometry"]["coordinates"] for item in stored()], [[1, 2]])
    with checks.check("datasets: QGIS changes the geometry"):
        edits.move("Point(3 4)")
        equal([item["geometry"]["coordinates"] for item in stored()], [[3, 4]])
    with checks.check("datasets: QGIS changes texts, lists, times and flags"):
        time = QDateTime(2024, 5, 6, 7, 8, 9, 0, Qt.TimeSpec.UTC)
        edits.change(title=f"{Edits.TITLE}, \"ä\"", dataset__category=["Forest"], dataset__is_shareable=True, datetime=time)
        names = "title", "dataset:category", "dataset:is_shareable", "datetime"
        equal([[item["properties"][name] for name in names] for item in stored()],
              [[f"{Edits.TITLE}, \"ä\"", ["Forest"], True, "2024-05-06T07:08:09Z"]])
    with checks.check("datasets: QGIS adds a copy of a dataset"):
        edits.add(QgsFeature(edits.drawn()))
        first, second = stored()
        for name in ("title", "dataset:category", "dataset:is_shareable", "datetime"):
            equal(second["properties"][name], first["properties"][name])
        equal(second["geometry"], first["geometry"])
    with checks.check("datasets: QGIS deletes datasets"):
        edits.delete()
        equal(stored(), [])


def main(address, file, token):
    session = Session(address)
    checks = Checks("QGIS", Qgis.version().split("-")[0])
    catalogue = Catalogue(address)
    for collection in COLLECTIONS:
        check_collection(checks, catalogue, session, collection)
    check_filters(checks, catalogue, session)
    check_map(checks, session, file)
    check_tiles(checks, address, file.replace(".png", "-tiles.png"))
    check_rasters(checks, catalogue, file.replace(".png", "-raster.png"))
    check_edits(checks, catalogue, session, token)
    with checks.check("QGIS logs no warning"):
        session.application.processEvents()
        assert not session.warnings, f"{len(session.warnings)}: {session.warnings[0]}"
    # Without the destructors of QGIS, whose order in Python is undefined and may end in a crash.
    os._exit(0)


main(*sys.argv[1:])
