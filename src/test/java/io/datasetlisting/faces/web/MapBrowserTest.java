package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Point;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests the map of the list in a real browser. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class MapBrowserTest extends PagesInBrowser {

    private static final String CIRCLES = "[...document.querySelectorAll('#map .count-circle')]";
    private static final String SEARCH_AREA = ".area-buttons button";
    private static final String MAY_SEARCH = "!document.querySelector('" + SEARCH_AREA + "').hidden";
    /** More than the service counts. */
    private static final int MANY = 30_000;

    /** An animation may be over before the test asks for it. */
    private static final String COUNT_ANIMATIONS = """
            (() => {
              window.animated = 0;
              for (const start of ['transitionrun', 'animationstart']) {
                document.addEventListener(start, () => window.animated++);
              }
            })()""";

    /** Notes the names of all classes that elements of the map get. */
    private static final String WATCH_CLASSES = """
            (() => {
              window.classes = new Set();
              new MutationObserver(changes => changes.forEach(({ target }) => target.classList.forEach(name => \
              classes.add(name))))
                .observe(document.getElementById('map'), { subtree: true, attributeFilter: ['class'] });
            })()""";
    /** A footprint that no other one and no circle covers. */
    private static final String FREE = "[...document.querySelectorAll('#map path.footprint')].find(path => {"
            + " const box = path.getBoundingClientRect();"
            + " return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === path; })";
    private static final String MAP = "document.querySelector('#map')";
    /** The places of the footprints on the map. */
    private static final String PLACES = "(() => { const map = document.querySelector('#map').getBoundingClientRect();"
            + " return [...document.querySelectorAll('#map path.footprint')].map(each => each.getBoundingClientRect())"
            + ".map(each => [each.left - map.left, each.top - map.top].map(Math.round).join()).join(' '); })()";
    /** The scale, and the place of a label. */
    private static final String VIEW = "document.querySelector('#map .leaflet-control-scale-line').textContent"
            + " + document.querySelector('#map .label').style.transform"
            + " + document.querySelector('#map .leaflet-map-pane').style.transform";
    private static final String SCALE = "document.querySelector('#map .leaflet-control-scale-line').textContent";
    private static final String HINT = "getComputedStyle(document.querySelector('#map .hint')).opacity";
    private static final String WATCH_MOUSE = "(() => { window.mouseovers = 0;"
            + " document.querySelector('#map').addEventListener('mouseover', () => window.mouseovers++); })()";
    private static final String ANIMATIONS = "['leaflet-pan-anim', 'leaflet-zoom-anim'].filter(name => classes.has(name))";

    private static final String RANGE = "document.querySelector('#time .range')";
    /** The list that waited for another one is pale for a moment. */
    private static final String IS_DRAWN = "getComputedStyle(document.querySelector('.listing')).opacity === '1'";
    private static final String FOCUS = "document.activeElement";
    private static final String IS_DRAWING = "document.querySelector('#map.drawing')";
    private static final String COUNT = "[...document.querySelectorAll('#count data')].at(-1).value";

    @BeforeEach
    void fill() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> at(3 * i, i, i == 1 ? 179 : 2 * i)).toList());
    }

    /** A dataset of a degree. */
    private static Dataset at(long id, double south, double west) {
        return dataset(id, d -> {
            d.coordinates = new double[]{south, west};
            d.bbox = new double[]{south, west, south + 1, west + 1};
            // The page shows the newest first.
            d.capturedDate = Instant.parse("2023-05-31T00:00:00Z").minusSeconds(id);
        });
    }

    @Override
    void open(String address) {
        super.open(address);
        browser.await(MAP_IS_READY + " && !document.querySelector('#time:empty')");
    }

    @Test
    void aFootprintAndItsCardMarkEachOther() {
        open("");
        browser.hover("li[data-id='9']");
        browser.await(
                "document.querySelector('#map path.marked') && document.querySelector('li[data-id=\"9\"].marked')");
        browser.hover("h1");
        browser.await("!document.querySelector('.marked')");
        browser.read("document.querySelector('li[data-id=\"9\"] a').focus()");
        browser.await("document.querySelector('#map path.marked')");
        browser.read("document.activeElement.blur()");
        browser.pointer().move(browser.centre(FREE));
        browser.await("document.querySelector('li.marked')");
    }

    @Test
    void aClickOnAFootprintOpensTheDataset() {
        open("");
        browser.read(WATCH_MOUSE);
        Point footprint = browser.centre(FREE);
        browser.pointer().move(new Point(footprint.x + 30, footprint.y + 30), footprint);
        browser.await("document.querySelector('li.marked')");
        Object name = browser.read("document.querySelector('li.marked .name').textContent");
        browser.await("performance.now() > (window.since ??= performance.now()) + 500");
        long events = (Long) browser.read("mouseovers");
        assertTrue(events <= 10, () -> events + " mouseovers of a mouse that rests");
        browser.pointer().click(footprint);
        browser.await("document.querySelector('article.dataset')");
        assertEquals(name, browser.read("document.querySelector('h1').textContent"));
    }

    @Test
    void aTapOnAFootprintOpensTheDataset() {
        browser.becomePhone();
        open("");
        browser.pointer().tap(browser.centre(FREE));
        browser.await("document.querySelector('article.dataset')");
    }

    /** A map that shows little of the land has a small map of the world, where there is space for it. */
    @Test
    void nothingCoversTheButtonsAndTheFootprints() {
        catalogue.replaceWith(dataset(3, d -> {
            d.coordinates = new double[]{-18.8, -159.8};
            d.bbox = new double[]{-18.81, -159.9, -18.79, -159.7};
        }));
        for (List<Integer> size : List.of(List.of(390, 844), List.of(360, 740), List.of(1366, 768))) {
            browser.size(size.get(0), size.get(1));
            browser.setTouchScreen(true);
            open("");
            assertEquals(size.get(0) > 1000, browser.find("#map .overview").isDisplayed());
            for (String button : List.of("in", "out")) {
                String scale = browser.read(SCALE).toString();
                browser.pointer().tap(browser.centre("document.querySelector('.leaflet-control-zoom-" + button + "')"));
                browser.await(SCALE + " !== '" + scale + "' && !document.querySelector('.leaflet-zoom-anim')");
            }
        }
        // The footprint is where the small map would be.
        open("?in_bbox=-159.95,-18.9,-156,-15");
        browser.await("!document.querySelector('#map .overview').checkVisibility({ visibilityProperty: true })");
    }

    @Test
    void oneFingerScrollsThePageAndTwoMoveTheMap() {
        browser.becomePhone();
        open("");
        Object places = browser.read(PLACES);
        Point centre = browser.centre(MAP);
        browser.pointer().swipe(centre.moveBy(0, 100), centre.moveBy(0, -60));
        browser.await("scrollY > 50");
        browser.await(HINT + " === '1'");
        assertEquals("Use two fingers to move the map", text("#map .hint"));
        assertEquals(places, browser.read(PLACES));
        browser.await(HINT + " === '0'");
        browser.read("scrollTo(0, 0)");
        browser.await("scrollY === 0");
        browser.pointer().swipe(centre.moveBy(-40, 60), centre.moveBy(-40, -20), centre.moveBy(40, 60),
                centre.moveBy(40, -20));
        browser.await(MAY_SEARCH);
        assertEquals("0", browser.read(HINT));
        assertEquals(0L, browser.read("scrollY"));
        Object scale = browser.read(SCALE);
        browser.pointer().swipe(centre.moveBy(-20, 0), centre.moveBy(-80, 0), centre.moveBy(20, 0),
                centre.moveBy(80, 0));
        browser.await(SCALE + " !== '" + scale + "'");
    }

    /** Also on a screen that has been touched. */
    @Test
    void theMouseDragsTheMap() {
        browser.setTouchScreen(true);
        open("");
        Point centre = browser.centre(MAP);
        browser.pointer().swipe(centre, centre.moveBy(80, 0));
        assertEquals(true, browser.read("document.querySelector('" + SEARCH_AREA + "').hidden"));
        browser.pointer().drag(centre, centre.moveBy(80, 40));
        browser.await(MAY_SEARCH);
    }

    /** The hint is beside the mouse, and a long name has several lines. */
    @Test
    void theNameOfAFootprintIsReadable() {
        for (String name : List.of("dataset", "words of a name ".repeat(15).strip(), "n".repeat(255))) {
            catalogue.replaceWith(dataset(3, d -> d.datasetName = name));
            open("");
            browser.pointer().move(browser.centre(FREE));
            browser.await("document.querySelector('.leaflet-tooltip')");
            assertEquals(name, text(".leaflet-tooltip"));
            List<?> size = (List<?>) browser.read("(() => { const box = document.querySelector('.leaflet-tooltip')"
                    + ".getBoundingClientRect(); return [box.width, box.height].map(Math.round); })()");
            long width = (Long) size.get(0);
            long height = (Long) size.get(1);
            assertTrue(name.length() < 20 ? width > 50 && height < 40 : width > 200 && width <= 320 && height < 300,
                    () -> width + " x " + height);
        }
    }

    @Test
    void theAreaOfTheMapIsAFilter() {
        open("?search=dataset&p=2");
        browser.read("window.marked = true");
        assertEquals(false, browser.find(SEARCH_AREA).isDisplayed());
        browser.click(".leaflet-control-zoom-in");
        browser.await(MAY_SEARCH);
        browser.click(SEARCH_AREA);
        browser.await("location.search.includes('in_bbox=')");
        assertTrue(query().matches("search=dataset&in_bbox=-?[\\d.]+,-?[\\d.]+,-?[\\d.]+,-?[\\d.]+"), query());
        browser.await("document.querySelector('.area-buttons button').hidden");
        browser.await("document.querySelector('#map path.area')");
        assertEquals(browser.read("new URLSearchParams(location.search).get('in_bbox')"),
                browser.read("document.querySelector('[name=in_bbox]').value"));
        browser.click(".chips a[href='./?search=dataset']");
        browser.await("!location.search.includes('in_bbox')");
        assertEquals("search=dataset", query());
        assertEquals(true, browser.read("window.marked === true"));
    }

    /** By the mouse, by one finger, and by the keyboard. */
    @Test
    void aDrawnBoxIsSearched() {
        open("?search=dataset&p=2");
        Point centre = browser.centre(MAP);
        browser.pointer().click(browser.centre(draw("box")));
        browser.await(IS_DRAWING);
        assertEquals(List.of(), browser.violations());
        browser.pointer().drag(centre.moveBy(-90, -60), centre.moveBy(40, 60));
        assertAreaIsCounted("in_bbox", "This area");
        assertTrue(query().startsWith("search=dataset&in_bbox="), query());

        browser.pointer().click(browser.centre(draw("box")));
        browser.await(IS_DRAWING);
        browser.read("document.getElementById('map').focus()");
        browser.type(Keys.ESCAPE);
        browser.await("!document.querySelector('#map.drawing')");
        browser.pointer().click(browser.centre(draw("box")));
        browser.await(IS_DRAWING);
        browser.read("document.getElementById('map').focus()");
        browser.type(" ", Keys.ARROW_RIGHT, Keys.ARROW_DOWN);
        browser.await("!document.querySelector('.leaflet-pan-anim')");
        browser.type(" ");
        browser.await(
                "document.querySelector('#count')?.textContent !== '' && !document.querySelector('#map.drawing')");

        browser.becomePhone();
        open("");
        browser.pointer().tap(browser.centre(draw("box")));
        browser.await(IS_DRAWING);
        centre = browser.centre(MAP);
        browser.pointer().swipe(centre.moveBy(-60, -20), centre.moveBy(30, 20));
        assertAreaIsCounted("in_bbox", "This area");
    }

    /** A drawn polygon finds the same datasets as a search of {@code /stac}, and takes the place of another area. */
    @Test
    void aDrawnPolygonIsSearched() {
        for (boolean isPhone : List.of(false, true)) {
            if (isPhone) {
                browser.becomePhone();
            }
            open("?in_bbox=0,0,80,50");
            Point centre = browser.centre(MAP);
            press(isPhone, browser.centre(draw("polygon")));
            browser.await(IS_DRAWING);
            assertEquals(true, browser.find("#map .drawing-hint").isDisplayed());
            assertEquals(!isPhone, browser.find("#map .drawing-hint .keys").isDisplayed());
            List<Point> corners = List.of(centre.moveBy(-100, 40), centre.moveBy(60, 40), centre.moveBy(-20, -50));
            corners.forEach(corner -> press(isPhone, corner));
            browser.await("document.querySelectorAll('#map .corner').length === 3");
            press(isPhone, corners.get(0));
            assertAreaIsCounted("intersects", "Drawn area, about ");
            assertEquals(false, query().contains("in_bbox"), this::query);
            String text = browser.read("new URLSearchParams(location.search).get('intersects')").toString();
            assertEquals(browser.read(COUNT), Caller.anonymous()
                    .get("/stac/search?filter=" + PercentEncoding.form("s_intersects(geometry," + text + ")"))
                    .jsonPath().get("numberMatched").toString());
            browser.back();
            browser.await("location.search === '?in_bbox=0,0,80,50'");
        }
    }

    @Test
    void aPolygonMayCrossTheAntimeridian() {
        catalogue.replaceWith(at(1, -18, 177), at(2, -18, -180), at(3, -18, -140), at(4, -18, 130), at(5, -10, 177));
        open("?in_bbox=170,-25,-170,-5");
        Point centre = browser.centre(MAP);
        browser.pointer().click(browser.centre(draw("polygon")));
        browser.await(IS_DRAWING);
        for (Point corner : List.of(centre.moveBy(-130, 0), centre.moveBy(130, 0), centre.moveBy(0, 200),
                centre.moveBy(-130, 0))) {
            browser.pointer().click(corner);
        }
        browser.await("location.search.includes('MULTIPOLYGON')");
        assertAreaIsCounted("intersects", "Drawn area, about ");
        assertBothAreInView();
    }

    private static void press(boolean isPhone, Point point) {
        if (isPhone) {
            browser.pointer().tap(point);
        } else {
            browser.pointer().click(point);
        }
    }

    /** The list has some of the datasets, as many as the API finds in the area. */
    private void assertAreaIsCounted(String parameter, String chip) {
        browser.await("new URLSearchParams(location.search).has('" + parameter + "') && " + IS_DRAWN
                + " && !document.querySelector('main[aria-busy]') && document.querySelector('#map path.area')"
                + " && [...document.querySelectorAll('.chips bdi')].some(each => each.textContent.startsWith('" + chip
                + "'))");
        int count = Caller.anonymous().get("/api/dataset/?" + query()).jsonPath().getInt("count");
        assertTrue(count > 0 && count < 40, () -> count + " datasets");
        assertEquals(Integer.toString(count), browser.read(COUNT));
        assertEquals(List.of(), browser.violations());
    }

    /** The button that begins a drawing. */
    private static String draw(String kind) {
        return "document.querySelector('#map .draw button:" + (kind.equals("box") ? "first" : "last") + "-child')";
    }

    @Test
    void footprintsThatLieOnEachOtherAreAllOffered() {
        catalogue.replaceWith(at(3, 10, 20), at(6, 10.2, 20.2), at(9, 10.4, 20.4), at(12, 30, 40));
        for (boolean isPhone : List.of(false, true)) {
            if (isPhone) {
                browser.becomePhone();
            }
            open("?in_bbox=19,9,23,13");
            String middle = "document.querySelectorAll('#map path.footprint')[1]";
            press(isPhone, browser.centre(middle));
            browser.await("document.querySelectorAll('#map .stack a').length === 3"
                    + " && document.querySelector('#map .stack').innerText.startsWith('3 datasets here')");
            assertEquals(List.of(), browser.violations());
            Point second = browser.centre("document.querySelectorAll('#map .stack a')[1]");
            String address = browser.read("document.querySelectorAll('#map .stack a')[1].href").toString();
            press(isPhone, second);
            browser.await("document.querySelector('article.dataset')");
            assertEquals(address, browser.url());
        }
    }

    /** Both footprints are on the map, in the colours of their columns. They have no place in common. */
    @Test
    void twoDatasetsAreComparedInTwoClicks() {
        catalogue.replaceWith(at(3, 10, 20), at(6, 11.1, 20.2));
        open("?search=dataset");
        browser.pointer().click(browser.centre("document.querySelector('li[data-id=\"3\"] .name')"));
        browser.await("document.querySelector('.compare')");
        browser.read("document.querySelector('.compare').scrollIntoView({ block: 'center' })");
        browser.pointer().click(browser.centre("document.querySelector('.compare')"));
        browser.await(
                "document.querySelector('.comparison') && document.querySelectorAll('#map path.footprint').length === 2"
                        + " && document.querySelectorAll('#map path.marked').length === 1");
        assertEquals("with=6", query());
        assertEquals("The areas of the two datasets have too little in common for a slider between their imagery.",
                text("main > p"));
        assertEquals(List.of("May 30, 2023", "May 30, 2023"), browser.read(
                "[...document.querySelectorAll('.comparison thead time')].map(each => each.textContent)"));
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(Map.of("prefers-color-scheme", scheme));
            assertEquals(List.of(), browser.violations(), scheme);
        }
        assertEquals(true, browser.read("document.documentElement.scrollWidth <= innerWidth"));
    }

    /** The view of the map is in the address, which another reader opens. */
    @Test
    void theViewOfTheMapIsInTheAddress() {
        browser.prefer(Map.of("prefers-reduced-motion", "reduce"));
        open("?search=dataset");
        assertEquals("", browser.read("location.hash"));
        browser.pointer().click(browser.centre("document.querySelector('.leaflet-control-zoom-in')"));
        browser.pointer().drag(browser.centre(MAP), browser.centre(MAP).moveBy(60, 40));
        browser.await("/^#map=[\\d.]+\\/-?[\\d.]+\\/-?[\\d.]+$/.test(location.hash)");
        // Leaflet draws nothing for a shape outside of the view.
        String shown = "[...document.querySelectorAll('#map path.footprint')].map(each => each.getBoundingClientRect())"
                + ".filter(({ width }) => width).flatMap(({ left, right, top }) => [left, right, top])";
        String places = browser.read("JSON.stringify(" + shown + ")").toString();
        String address = browser.url();
        browser.click("[rel=next]");
        browser.await("location.search.includes('p=2') && location.hash !== ''");
        browser.open("about:blank");
        browser.openPage(URI.create(address));
        browser.await(MAP_IS_READY + " && " + MAY_SEARCH);
        browser.await("(() => { const [before, now] = [" + places + ", " + shown + "];"
                + " return before.length > 3 && before.length === now.length"
                + " && now.every((each, i) => Math.abs(each - before[i]) < 3); })()");
        browser.pointer().click(browser.centre("document.querySelector('.copy-view')"));
        browser.await(NOTICE + " !== ''");
        assertEquals("Copied.", text("#notice"));
    }

    @Test
    void theFirstSightIsTheWholeResultAndStaysForPagesAndOrders() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 40).mapToObj(i -> at(3 * i, i - 20, 4 * i - 90)).toList());
        open("");
        assertTrue(browser.read("[...document.querySelectorAll('#map .label.country')].map(each => each.textContent)")
                .toString().contains("Brazil"));
        assertEquals("true", browser.read("document.querySelector('.leaflet-labels-pane').ariaHidden"));
        assertEquals(true, browser.read("(() => { const labels = [...document.querySelectorAll('#map .label')]"
                + ".map(each => each.getBoundingClientRect()); return labels.every((a, i) => labels.every((b, j) => i <= j"
                + " || a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top)); })()"));
        long counted = (Long) browser.read(CIRCLES + ".reduce((sum, circle) => sum + Number(circle.textContent), 0)");
        // Each other dataset is drawn on its own: the page has the westernmost 15.
        assertTrue(counted >= 25 && counted <= 40, () -> counted + " datasets");
        assertEquals(true, browser.read("(() => { const map = document.querySelector('#map').getBoundingClientRect();"
                + " return [...document.querySelectorAll('#map .count-circle, #map path.footprint')]"
                + ".map(each => each.getBoundingClientRect()).every(each => each.left > map.left && each.right < map.right"
                + " && each.top > map.top && each.bottom < map.bottom); })()"));
        Object world = browser.read(VIEW);
        browser.click("[rel=next]");
        browser.await("location.search.includes('p=2')");
        browser.await("!document.querySelector('main[aria-busy]')");
        assertEquals(world, browser.read(VIEW));
        browser.click("nav.orders a");
        browser.await("location.search.includes('ordering=')");
        browser.await("!document.querySelector('main[aria-busy]')");
        assertEquals(world, browser.read(VIEW));
    }

    @Test
    void theGalleryShowsTheWholeResultToo() {
        open("");
        String inView = "(() => { const map = document.querySelector('#map').getBoundingClientRect();"
                + " return [...document.querySelectorAll('#map .count-circle, #map path.footprint')]"
                + ".map(each => each.getBoundingClientRect()).every(each => each.left >= map.left"
                + " && each.right <= map.right); })()";
        Object world = browser.read(SCALE + " + " + MAP + ".offsetWidth");
        for (String shape : List.of("last-child", "first-child")) {
            browser.pointer().click(browser.centre("document.querySelector('nav.shapes a:" + shape + "')"));
            browser.await("document.querySelector('ol.gallery') "
                    + (shape.startsWith("last") ? "!" : "=") + "== null && " + IS_DRAWN + " && !" + MAY_SEARCH);
            browser.await(inView);
        }
        browser.await(SCALE + " + " + MAP + ".offsetWidth === '" + world + "'");
    }

    /** The Americas are not cut for one dataset at the other end of the world. */
    @Test
    void oneDatasetBehindTheAntimeridianDoesNotTurnTheWorld() {
        List<Dataset> datasets = new ArrayList<>();
        LongStream.rangeClosed(0, 36).forEach(i -> datasets.add(at(i + 1, 10, 6.5 * i - 60)));
        datasets.addAll(List.of(at(50, 40, -125), at(51, 40, -120), at(52, -17, -179.95)));
        catalogue.replaceWith(datasets);
        for (int size : List.of(15, 100)) {
            open("?page_size=" + size);
            // The narrowest box of all datasets begins at the first one, in the Atlantic.
            browser.await("(() => { const places = [...document.querySelectorAll('#map path.footprint, #map "
                    + ".count-circle')].map(each => each.getBoundingClientRect().left); const first = document"
                    + ".querySelector('#map path.footprint').getBoundingClientRect().left;"
                    + " return Math.min(...places) < first - 40; })()");
        }
    }

    /** The narrowest boxes of these datasets reach from Crete to the Cook Islands, and from New Zealand to Africa. */
    @Test
    void aResultAcrossTheAntimeridianIsWholeInView() {
        String inView = "(selector => { const map = document.querySelector('#map').getBoundingClientRect();"
                + " return [...document.querySelectorAll(selector)].map(each => each.getBoundingClientRect())"
                + ".filter(each => each.width && each.left >= map.left && each.right <= map.right).length; })";
        catalogue.replaceWith(at(1, -19, -160), at(2, -17, 179), at(3, 35, 23));
        open("");
        browser.await(inView + "('#map path.footprint') === 3");
        // The page has those before 50 degrees west.
        catalogue.replaceWith(LongStream.rangeClosed(0, 22).mapToObj(i -> at(i + 1, 5, i < 1 ? 170 : 10 * i - 190))
                .toList());
        open("");
        browser.await(inView + "('#map path.footprint') === 15 && " + inView + "('#map .count-circle') > 0");
    }

    /** Its card has a small map in place of the picture. */
    @Test
    void aFootprintWithoutAPictureIsAnOutline() {
        catalogue.replaceWith(at(1, 30, 20));
        open("");
        assertEquals(List.of(120L, 90L), browser.read("(() => { const { width, height } = document.querySelector("
                + "'li .small-map').getBoundingClientRect(); return [width, height].map(Math.round); })()"));
        assertEquals(0L, browser.read("document.querySelectorAll('li img').length"));
        browser.click(".leaflet-control-zoom-out");
        browser.await(MAY_SEARCH + " && !document.querySelector('.leaflet-zoom-anim')");
        assertEquals(0L, browser.read("document.querySelectorAll('#map img.picture').length"));
    }

    @Test
    void aLargeFootprintIsItsPicture() {
        Dataset dataset = at(1, 30, 20);
        dataset.thumbnailKey = "thumbnails/1.png";
        catalogue.replaceWith(dataset);
        open("");
        // The storage of the pictures is away.
        assertEquals(0L, browser.read("document.querySelectorAll('#map img.picture, #map path.pictured').length"));
        Object icon = browser.read("document.querySelector('link[rel=icon]').href");
        browser.read("document.querySelector('li img').src = '" + icon + "'");
        browser.click(".leaflet-control-zoom-out");
        browser.await("document.querySelector('#map path.pictured')");
        assertEquals(List.of(true, true),
                browser.read("(() => { const [a, b] = ['img.picture', 'path.pictured'].map(each =>"
                        + " document.querySelector('#map ' + each).getBoundingClientRect());"
                        + " return [Math.abs(a.left - b.left) < 4, Math.abs(a.width - b.width) < 8]; })()"));
        browser.pointer().click(browser.centre(FREE));
        browser.await("document.querySelector('article.dataset')");
        browser.await(MAP_IS_READY + " && document.querySelector('.opacity').hidden"
                + " && document.querySelector('a[download]').hidden");
        browser.read("document.querySelector('#map').dataset.picture = '" + icon + "'");
        browser.click(".leaflet-control-zoom-out");
        browser.await("document.querySelector('#map img.picture') && !document.querySelector('.opacity').hidden");
        browser.read("document.querySelector('#opacity').focus()");
        browser.type(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
        browser.await("document.querySelector('#map img.picture').style.opacity === '0.9'");
    }

    @Test
    void circlesSayHowManyDatasetsLieWhere() {
        open("");
        browser.await(CIRCLES + ".length");
        // The page shows all datasets of the other cells.
        assertEquals(30L, browser.read(CIRCLES
                + ".reduce((sum, circle) => sum + Number(circle.textContent), 0)"));
        browser.read("document.querySelector('#map .count-circle').click()");
        browser.await(MAY_SEARCH);
        open("?page_size=100");
        assertEquals(0L, browser.read("document.querySelectorAll('#map .count-circle').length"));
    }

    /** A number without its last letter or digit is a wrong number. */
    @Test
    void countsAreWholeInLargeTextAndInAllLanguages() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 1300)
                .mapToObj(i -> at(i, i == 1 ? -40 : 30, i == 1 ? 70 : 20)).toList());
        for (String language : List.of("en-US", "ar")) {
            for (int width : List.of(1280, 390)) {
                browser.localize(language, "UTC");
                browser.width(width);
                open("");
                browser.await(CIRCLES + ".length");
                for (String size : List.of("100%", "150%", "200%")) {
                    browser.read("document.documentElement.style.fontSize = '" + size + "'");
                    browser.await(CIRCLES + ".length && " + CIRCLES + ".every(circle => {"
                            + " const range = document.createRange(); range.selectNodeContents(circle);"
                            + " const [text, round] = [range, circle].map(each => each.getBoundingClientRect());"
                            + " return text.width + 4 <= round.width && text.height <= round.height; })");
                    // Speech control finds an element by its visible text.
                    assertEquals(true,
                            browser.read(CIRCLES + ".every(each => each.ariaLabel.includes(each.textContent))"));
                    assertEquals(true, browser.read("[...document.querySelectorAll('#map .leaflet-control-zoom a')]"
                            + ".every(each => each.scrollHeight <= each.clientHeight + 1)"), size);
                    assertEquals(true, browser.read("[...document.querySelectorAll('#map .leaflet-control-scale-line')]"
                            + ".every(each => each.scrollWidth <= each.clientWidth)"), size);
                }
            }
        }
    }

    @Test
    void theScaleIsInTheLanguageOfThePage() {
        Map.of("en-US", "5,000 km|3,000 mi", "de", "5.000 km|3.000 mi", "fr", "5 000 km|3 000 mi", "ar",
                "5,000 كم|3,000 ميل")
                .forEach((language, scale) -> {
                    browser.localize(language, "UTC");
                    // A change of the fragment alone loads no page.
                    browser.open("about:blank");
                    open("#map=1/0/0");
                    assertEquals(scale,
                            browser.read("[...document.querySelectorAll('#map .leaflet-control-scale-line')]"
                                    + ".map(each => each.textContent.replace(/\\p{Z}/gu, ' ')).join('|')"));
                });
    }

    @Test
    void theCircleOfOneDatasetShowsIt() {
        catalogue.replaceWith(
                LongStream.rangeClosed(1, 20).mapToObj(i -> at(i, i == 20 ? -40 : 30, i == 20 ? 70 : 20)).toList());
        open("?in_bbox=-100,-60,100,60");
        browser.await(CIRCLES + ".some(circle => circle.ariaLabel === '1 dataset. Show it.')");
        browser.click("#map .count-circle[aria-label='1 dataset. Show it.']");
        browser.await(CARDS + " === 1");
        assertEquals("dataset 20", browser.read(FIRST));
        browser.await("document.querySelectorAll('#map path.footprint').length && " + CIRCLES + ".length === 0");
    }

    @Test
    void countsOfASampleSayThatTheyAreEstimates() {
        open("");
        browser.await(CIRCLES + ".length");
        assertEquals(List.of(), browser.read(CIRCLES
                + ".filter(each => !/^\\d+$/.test(each.textContent) || !/^(1 dataset\\. Show it|\\d+ datasets\\. Zoom "
                + "in)\\.$/.test(each.ariaLabel))"));
        catalogue.replaceWith(Catalogue.generated(MANY));
        open("");
        browser.click(".leaflet-control-zoom-out");
        browser.read("document.querySelector('#map').focus()");
        browser.type(Keys.SHIFT, "-");
        browser.await(CIRCLES + ".length > 5");
        assertEquals(List.of(), browser.read(CIRCLES + ".filter(each => !/^[\\d.]+K?$/.test(each.textContent)"
                + " || !/^(1 dataset\\. Show it|[\\d.]+K? datasets\\. Zoom in)\\.$/.test(each.ariaLabel)"
                + " || !/^(1|[\\d,]+) datasets?\\./.test(each.title))"
                + ".map(each => each.outerHTML)"));
        browser.width(390);
        open("");
        assertEquals(List.of(),
                browser.read(CIRCLES + ".map(each => each.firstChild).filter(each => each.offsetHeight > 24)"
                        + ".map(each => each.textContent)"),
                "counts in two lines");
    }

    @Test
    void theKeyboardReachesTheCircles() {
        open("");
        browser.await(CIRCLES + ".length > 3");
        assertEquals(List.of(), browser.violations());
        assertEquals(1L, browser.read(CIRCLES + ".filter(each => each.tabIndex >= 0).length"));
        browser.read("document.getElementById('map').focus()");
        List<Object> names = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            browser.type(Keys.TAB);
            names.add(browser.read("document.activeElement.title || document.activeElement.textContent"));
        }
        assertEquals(List.of("Zoom in", "Zoom out", "Draw a box", "Draw a polygon", "Leaflet"), names);
        browser.type(Keys.TAB);
        assertEquals("0 button", browser.read(
                "`${" + CIRCLES + ".indexOf(document.activeElement)} ${document.activeElement.role}`"));
        browser.type(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT);
        assertEquals(List.of(1L),
                browser.read(CIRCLES + ".map((each, i) => each.tabIndex ? -1 : i).filter(i => i >= 0)"));
        assertEquals(1L, browser.read(CIRCLES + ".indexOf(document.activeElement)"));
        assertEquals(true, browser.read("document.querySelector('" + SEARCH_AREA + "').hidden"));
        browser.type(Keys.ARROW_LEFT);
        assertTrue(browser.read("document.activeElement.ariaLabel").toString().endsWith(" datasets. Zoom in."));
        browser.read("window.before = document.activeElement");
        browser.type(Keys.ENTER);
        browser.await(MAY_SEARCH);
        browser.await("!before.isConnected && document.activeElement.closest('#map')");
    }

    @Test
    void nothingMovesByItselfForAReaderWithoutMotion() {
        for (String preference : List.of("no-preference", "reduce")) {
            boolean isCalm = preference.equals("reduce");
            browser.prefer(Map.of("prefers-reduced-motion", preference));
            open("");
            browser.read(WATCH_CLASSES);
            browser.read(COUNT_ANIMATIONS);
            browser.hover("li[data-id='9']");
            if (isCalm) {
                assertEquals(0L, browser.read("document.getAnimations().length + window.animated"));
            } else {
                browser.await("window.animated > 0");
            }
            browser.read("document.getElementById('map').focus()");
            browser.type(Keys.ARROW_RIGHT);
            browser.await(MAY_SEARCH);
            browser.type("+");
            browser.await("document.querySelectorAll('#map .leaflet-zoom-animated').length");
            browser.await("performance.now() > (window.since ??= performance.now()) + 600");
            assertEquals(isCalm ? List.of() : List.of("leaflet-pan-anim", "leaflet-zoom-anim"),
                    browser.read(ANIMATIONS), preference);
        }
    }

    @Test
    void anAreaMayCrossTheAntimeridian() {
        catalogue.replaceWith(at(1, -18, 177), at(2, -18, -180), at(3, -18, -140), at(4, -18, 130), at(5, -18, -1));
        browser.prefer(Map.of("prefers-reduced-motion", "reduce"));
        open("?in_bbox=177,-18,178,-17");
        browser.read("document.getElementById('map').focus()");
        browser.type("-", "-", "-");
        browser.await(MAY_SEARCH);
        browser.click(SEARCH_AREA);
        browser.await("document.querySelectorAll('ol.datasets > li').length === 2");
        double[] box = Arrays.stream(query().replace("in_bbox=", "").split(",")).mapToDouble(Double::parseDouble)
                .toArray();
        assertTrue(box[0] > 130 && box[0] < 177 && box[2] > -180 && box[2] < -140, this::query);
        for (String address : List.of(query(), "search=dataset&" + query())) {
            assertBothAreInView();
            open("?" + address);
        }
        catalogue.replaceWith(at(1, -18, 177), at(2, -18, -180));
        open("");
        assertBothAreInView();
    }

    /** Both datasets are on the map, the eastern one a little right of the other, and inside of the area. */
    private void assertBothAreInView() {
        assertEquals(List.of("1", "2"),
                browser.read("[...document.querySelectorAll('ol.datasets > li')].map(each => each.dataset.id)"));
        List<?> places = (List<?>) browser
                .read("(() => { const map = document.getElementById('map').getBoundingClientRect();"
                        + " return [...document.querySelectorAll('#map path.footprint')].map(each => "
                        + "each.getBoundingClientRect())"
                        // Leaflet draws nothing for a shape outside of the view.
                        + ".filter(each => each.width).map(each => (each.left + each.right) / 2 - map.left).filter(x => x > "
                        + "0 && x < map.width); })()");
        assertEquals(2, places.size(), places::toString);
        double distance = ((Number) places.get(1)).doubleValue() - ((Number) places.get(0)).doubleValue();
        assertTrue(distance > 20, places::toString);
    }

    @Test
    void theTimeBarChoosesWithThePointerAndTheKeyboard() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 36).mapToObj(i -> dataset(3 * i, d -> {
            d.bbox = new double[]{i, 2 * i, i + 1, 2 * i + 1};
            d.capturedDate = Instant.parse("2018-12-15T00:00:00Z").atZone(ZoneOffset.UTC).plusMonths(i).toInstant();
        })).toList());
        open("");
        browser.read("window.marked = true");
        assertEquals(List.of(), browser.violations());
        assertEquals(1L, browser.read("document.querySelectorAll('#time a[tabindex=\"0\"]').length"));
        browser.pointer().drag(browser.centre(bar(5)), browser.centre(bar(10)));
        awaitTime("captured_after=2019-06-01&captured_until=2019-11-30", 6);
        assertEquals(List.of(16.667, 13.889),
                browser.read("['width', 'x'].map(name => parseFloat(" + RANGE + ".getAttribute(name)))"));

        browser.pointer().click(browser.centre(bar(3)));
        awaitTime("captured_after=2019-04-01&captured_until=2019-04-30", 1);
        browser.await(FOCUS + ".getAttribute('aria-label') === 'April 2019: 1 dataset'");
        browser.type(Keys.ARROW_RIGHT);
        awaitTime("captured_after=2019-05-01&captured_until=2019-05-31", 1);
        browser.typeHolding(Keys.SHIFT, Keys.ARROW_RIGHT);
        browser.typeHolding(Keys.SHIFT, Keys.ARROW_RIGHT);
        awaitTime("captured_after=2019-05-01&captured_until=2019-07-31", 3);
        browser.typeHolding(Keys.SHIFT, Keys.ARROW_LEFT);
        awaitTime("captured_after=2019-05-01&captured_until=2019-06-30", 2);
        browser.await(IS_DRAWN);
        assertEquals(List.of(), browser.violations());
        browser.type(Keys.ESCAPE);
        awaitTime("", 15);
        browser.type(Keys.ARROW_DOWN, Keys.ENTER);
        awaitTime("captured_after=2019-01-01&captured_until=2019-12-31", 12);
        browser.pointer().click(browser.centre("[...document.querySelectorAll('#time .label text')].at(-1)"));
        awaitTime("captured_after=2021-01-01&captured_until=2021-12-31", 12);
        assertSameDocument();
    }

    @Test
    void theStepOfTheTimeBarFollowsFromTheTimeOfTheDatasets() {
        for (String[] each : List.of(
                new String[]{"2021-03-04", "2021-03-05", "Mar 4, 2021: 1 dataset", "Mar 5, 2021: 2 datasets"},
                new String[]{"2021-03-04", "2022-03-05", "Mar 1 – 7, 2021: 1 dataset",
                        "Feb 28 – Mar 6, 2022: 2 datasets"},
                new String[]{"2016-01-31", "2025-12-01", "January 2016: 1 dataset", "December 2025: 2 datasets"},
                new String[]{"2005-01-31", "2025-12-01", "Jan 1 – Mar 31, 2005: 1 dataset",
                        "Oct 1 – Dec 31, 2025: 2 datasets"},
                new String[]{"1950-01-31", "2025-12-01", "1950: 1 dataset", "2025: 2 datasets"},
                new String[]{"1850-01-31", "2025-12-01", "1850 – 1859: 1 dataset", "2020 – 2029: 2 datasets"},
                new String[]{"0001-01-01", "9999-12-31", "1 – 99: 1 dataset", "9900 – 9999: 2 datasets"})) {
            catalogue.replaceWith(captured(3, each[0]), captured(6, each[1]), captured(9, each[1]));
            open("");
            assertEquals(List.of(each[2], each[3]),
                    browser.read("[...document.querySelectorAll('#time .bar')].map(bar => "
                            + "bar.getAttribute('aria-label').replace(/\\p{Z}/gu, ' '))"));
            double width = ((Number) browser
                    .read("parseFloat(document.querySelector('#time .place').getAttribute('width'))"))
                    .doubleValue();
            assertTrue(width <= 80 / 12.0 + 0.001 && width >= 80 / 120.0 - 0.001, () -> width + " %");
            browser.pointer().click(browser.centre(bar(1)));
            browser.await(CARDS + " === 2 && " + IS_DRAWN);
            assertEquals(List.of(each[3]),
                    browser.read("[...document.querySelectorAll('#time [aria-current]')].map(bar => "
                            + "bar.getAttribute('aria-label').replace(/\\p{Z}/gu, ' '))"));
        }
    }

    /** The bars of the page before stay, until the histogram is read again. */
    @Test
    void theTimeBarFollowsWhatIsWritten() {
        catalogue.replaceWith(captured(3, "2020-01-01"), captured(6, "2020-06-30"), captured(9, "2023-01-01"));
        open("");
        browser.pointer().click(browser.centre(bar(0)));
        awaitTime("captured_after=2020-01-01&captured_until=2020-01-31", 1);
        catalogue.sql("update dataset set captured_date = '2023-02-15' where id = 9");
        browser.pointer().click(browser.centre(bar(1)));
        awaitTime("captured_after=2020-06-01&captured_until=2020-06-30", 1);
        browser.await("[...document.querySelectorAll('#time .bar')].at(-1).getAttribute('aria-label') === "
                + "'February 2023: 1 dataset'");
    }

    private static Dataset captured(long id, String day) {
        return dataset(id, d -> d.capturedDate = Instant.parse(day + "T12:00:00Z"));
    }

    @Test
    void aFingerChoosesATimeAndScrollsThePage() {
        catalogue.replaceWith(LongStream.rangeClosed(1, 36).mapToObj(i -> dataset(3 * i, d -> {
            d.bbox = new double[]{i, 2 * i, i + 1, 2 * i + 1};
            d.capturedDate = Instant.parse("2018-12-15T00:00:00Z").atZone(ZoneOffset.UTC).plusMonths(i).toInstant();
        })).toList());
        browser.becomePhone();
        open("");
        browser.read("document.querySelector('#time').scrollIntoView({ block: 'center' })");
        Point bar = browser.centre(bar(5));
        browser.pointer().swipe(bar, new Point(bar.x, bar.y - 100));
        browser.await("scrollY > 0 && " + browser.centre(bar(5)).y + " < " + (bar.y - 50));
        assertEquals("", query());
        browser.pointer().swipe(browser.centre(bar(5)), browser.centre(bar(10)));
        awaitTime("captured_after=2019-06-01&captured_until=2019-11-30", 6);
        browser.await(IS_DRAWN);
        assertEquals(List.of(), browser.violations());
    }

    /** The place of a bar. */
    private static String bar(int i) {
        return "document.querySelectorAll('#time .place')[" + i + "]";
    }

    private void awaitTime(String query, int cards) {
        browser.await("location.search.slice(1) === '" + query + "' && " + CARDS + " === " + cards);
    }
}
