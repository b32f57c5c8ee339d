package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Point;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests in a real browser how an owner writes datasets. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(WithStorage.class)
class DatasetFormBrowserTest extends PagesInBrowser {

    private static final String READY = "document.querySelector('#dataset:not([aria-busy])')";
    private static final String SAVE = "#dataset [type=submit]";
    private static final String FLIGHT = "{\"dataset_name\":\"flight\",\"category\":[\"Forest\"],\"bbox\":[1,2,3,4],"
            + "\"captured_date\":\"2020-03-01T10:00:05Z\",\"description\":\"before\",\"tags\":[\"a, b\",\"c\"]}";

    private Caller owner;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(3));
        owner = Caller.writer("ada");
    }

    private void signIn(Caller caller) {
        open("");
        browser.read("sessionStorage.setItem('dataset-token', '" + caller.key() + "')");
        browser.read("sessionStorage.setItem('dataset-account', '" + caller.username() + "')");
    }

    private void openForm(String address) {
        signIn(owner);
        open(address);
        browser.await(READY);
    }

    private static String error(String field) {
        return text("#dataset [data-field=" + field + "] .error");
    }

    private static String value(String field) {
        return (String) browser.read("document.querySelector('#dataset [name=" + field + "]').value");
    }

    /** Writes into a field as a hand does: the old text is selected and replaced. */
    private static void write(String field, CharSequence... keys) {
        browser.read("document.querySelector('#dataset [name=" + field + "]').scrollIntoView({block: 'center'})");
        browser.click("#dataset [name=" + field + "]");
        selectAll();
        browser.type(keys);
    }

    /** Walks with the tabulator to a control. */
    private static void selectAll() {
        browser.read("document.activeElement.select()");
    }

    private JsonObject stored(long id) {
        return owner.json(Listing.PATH + id + "/");
    }

    private static long idOfPage() {
        return Long.parseLong(browser.url().replaceFirst(".*/datasets/(\\d+)/$", "$1"));
    }

    private JsonArray mine() {
        return owner.json(Listing.PATH + "?mine=true").getJsonArray("results");
    }

    @Test
    void anOwnerCreatesADatasetWithTheMouse() {
        open("");
        mark();
        browser.click("#sign-in");
        browser.type(owner.key(), Keys.ENTER);
        browser.await(NOTICE + " === 'You are signed in as ada.'");
        browser.click("header nav a[href$='/datasets/new/']");
        browser.await(READY);
        browser.click("#field-dataset_name");
        browser.type("Red Rocks");
        browser.click("#dataset [value=Desert]");
        browser.click("#dataset [value=Rocky]");
        browser.click("label[for=field-captured_date]");
        browser.type("03152024", Keys.TAB, Keys.TAB, "1030AM");
        browser.click("#dataset [name=is_private]");
        browser.click("#dataset .area-buttons button");
        Point middle = centreOfMap();
        browser.pointer().drag(middle, middle.moveBy(80, 60));
        browser.await("document.querySelector('#map path.footprint')");
        double south = Double.parseDouble(value("south"));
        double east = Double.parseDouble(value("east"));
        assertTrue(south < Double.parseDouble(value("north")) && Double.parseDouble(value("west")) < east);
        // Numbers that are typed move the box on the map.
        String before = (String) browser.read("document.querySelector('#map path.footprint').getAttribute('d')");
        write("south", "-10");
        browser.await("document.querySelector('#map path.footprint').getAttribute('d') !== '" + before + "'");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'Red Rocks'");
        assertEquals("The dataset is created.", browser.read(NOTICE));
        JsonObject stored = stored(idOfPage());
        assertEquals(new JsonArray().add("Desert").add("Rocky"), stored.getJsonArray("category"));
        assertEquals("2024-03-15T10:30:00Z", stored.getString("captured_date"));
        assertTrue(stored.getBoolean("is_private"));
        assertEquals(-10.0, stored.getJsonArray("bbox").getDouble(0));
        assertEquals(east, stored.getJsonArray("bbox").getDouble(3));
        assertEquals((stored.getJsonArray("bbox").getDouble(0) + stored.getJsonArray("bbox").getDouble(2)) / 2,
                stored.getJsonArray("coordinates").getDouble(0), 1e-6);
        assertSameDocument();
        assertEquals(List.of(), browser.console());
    }

    private static Point centreOfMap() {
        browser.read("document.querySelector('#map').scrollIntoView({block: 'center'})");
        return browser.centre("document.querySelector('#map')");
    }

    @Test
    void twoClicksOrOneMakeALocation() {
        openForm("new/");
        browser.click("#dataset .area-buttons button");
        Point middle = centreOfMap();
        browser.pointer().click(middle);
        browser.pointer().move(middle, middle.moveBy(60, 60));
        assertEquals("", value("south"));
        browser.pointer().click(middle.moveBy(60, 60));
        assertTrue(Double.parseDouble(value("north")) > Double.parseDouble(value("south")));
        assertEquals("false", browser.find("#dataset .area-buttons button").getDomAttribute("aria-pressed"));
        // A corner can be dragged.
        double south = Double.parseDouble(value("south"));
        Point corner = browser.centre("document.querySelector('#map .handle')");
        browser.pointer().drag(corner, corner.moveBy(0, 40));
        browser.await("Number(document.querySelector('#dataset [name=south]').value) < " + south);
        browser.click("#dataset [value=point]");
        browser.pointer().click(centreOfMap());
        assertTrue(Math.abs(Double.parseDouble(value("latitude"))) <= 85);
        assertEquals(1L, browser.read("document.querySelectorAll('#map .handle').length"));
    }

    /** Starts to draw. Returns the centre of the map, which the button does not cover. */
    private static Point startDrawing() {
        browser.click("#dataset .area-buttons button");
        return centreOfMap();
    }

    private static double number(String field) {
        return Double.parseDouble(value(field));
    }

    @Test
    void theOwnerNamesTheLocationOfARasterAndLetsTheServiceReadIt() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        write("raster_ortho", "../ortho.tif");
        browser.click(SAVE);
        browser.await("document.querySelector('#error-raster_ortho').textContent"
                + ".includes('Expected a key below the folder')");
        assertEquals(List.of("raster_ortho", List.of("raster_ortho"), ""),
                browser.read("[document.activeElement.name, [...document.querySelectorAll('#dataset [aria-invalid]')]"
                        + ".map(each => each.name), document.querySelector('#error-rasters').textContent]"));
        write("raster_ortho", "odm/ortho.tif");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'flight'");
        assertEquals("{\"ortho\":\"odm/ortho.tif\"}", stored(id).getJsonObject("rasters").encode());
        openForm(id + "/edit/");
        assertEquals("odm/ortho.tif", value("raster_ortho"));
        browser.click("[data-raster=ortho]");
        browser.await(NOTICE + ".includes('There is no file at this location.')");
        browser.click("[data-raster=dtm]");
        browser.await(NOTICE + ".includes('This dataset has no such raster.')");
    }

    @Test
    void aBoxIsDrawnOnACloseMapAndDrawnAgain() {
        openForm(owner.create(FLIGHT) + "/edit/");
        Point middle = startDrawing();
        browser.pointer().drag(middle.moveBy(-60, -40), middle.moveBy(60, 40));
        browser.await("Number(document.querySelector('#dataset [name=south]').value) > 1");
        double width = number("east") - number("west");
        assertTrue(width > 0 && width < 2 && number("north") < 3 && number("north") > number("south"));
        String before = value("north");
        middle = startDrawing();
        browser.pointer().drag(middle.moveBy(-40, -20), middle.moveBy(80, 40));
        browser.await("document.querySelector('#dataset [name=north]').value !== '" + before + "'");
        assertTrue(number("east") > number("west") && number("north") > number("south"));
        // The mouse drags the map again.
        String drawn = value("north");
        browser.pointer().drag(middle.moveBy(-150, 0), middle.moveBy(0, 0));
        browser.await(
                "new DOMMatrix(getComputedStyle(document.querySelector('#map .leaflet-map-pane')).transform).e > 100");
        assertEquals(drawn, value("north"));
    }

    @Test
    void aBoxWithoutAreaIsRefused() {
        openForm("new/");
        Point middle = startDrawing();
        browser.pointer().click(middle);
        browser.pointer().click(middle);
        assertEquals("", value("south"));
        browser.pointer().click(middle.moveBy(60, 60));
        browser.await("document.querySelector('#dataset [name=south]').value !== ''");
        String sentence = "The box has no area. Draw it again, or choose “A point”.";
        write("south", "5");
        write("north", "5");
        browser.click(SAVE);
        assertEquals(sentence, error("location"));
        write("north", "6");
        write("west", "20");
        write("east", "20");
        browser.click(SAVE);
        assertEquals(sentence, error("location"));
    }

    @Test
    void aDraftNeedsNoDayAndADayNoHour() {
        openForm("new/");
        write("dataset_name", "later");
        browser.click("#dataset [value=Forest]");
        browser.click("#dataset [value=none]");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'later'");
        browser.click(".actions a[href$='/edit/']");
        browser.await(READY);
        browser.click("label[for=field-captured_date]");
        browser.type("03152024");
        browser.read("document.querySelector('[name=captured_time]').value = ''");
        browser.click("#dataset [value=point]");
        write("latitude", "10");
        write("longitude", "20");
        browser.click(SAVE);
        browser.await("document.querySelector('article.dataset')");
        assertEquals("2024-03-15T00:00:00Z", stored(idOfPage()).getString("captured_date"));
        assertEquals("Mar 15, 2024", text(".facts time"));
    }

    @Test
    void theMapOfTheFormFindsAPlaceAndABoxHasTwoSides() {
        openForm("new/");
        mark();
        write("dataset_name", "Taveuni");
        browser.click("#dataset [value=Forest]");
        browser.click("label[for=field-captured_date]");
        browser.type("03152024");
        String scale = "document.querySelector('#map .leaflet-control-scale-line').textContent";
        assertEquals("5,000 km", browser.read(scale));
        browser.click("#dataset input[type=search]");
        browser.type("suva");
        browser.await("document.querySelector('#suggestions [role=option]')?.textContent.startsWith('Suva')");
        browser.type(Keys.ENTER);
        browser.await(scale + " === '5 km'");
        assertEquals("Suva", browser.read("document.activeElement.value"));
        write("south", "-17");
        write("west", "179.8");
        write("north", "-16.6");
        write("east", "-179.7");
        browser.await("document.querySelectorAll('#map path.footprint').length === 1");
        browser.click(SAVE);
        assertTrue(error("location").startsWith("A box cannot cross the line of 180 degrees."));
        browser.click("#dataset .sides button");
        browser.await("document.querySelector('article.dataset h1')?.textContent === 'Taveuni'");
        assertEquals("The dataset is created. The other side is a dataset of its own.", browser.read(NOTICE));
        assertEquals(List.of(List.of(-17.0, -180.0, -16.6, -179.7), List.of(-17.0, 179.8, -16.6, 180.0)),
                mine().stream()
                        .map(each -> ((JsonObject) each).getJsonArray("bbox").stream()
                                .map(n -> ((Number) n).doubleValue()).toList())
                        .sorted(Comparator.comparing(box -> box.get(1))).toList());
        assertSameDocument();
    }

    @Test
    void aBoxAcrossTheAntimeridianIsRefused() {
        openForm("new/");
        String sentence = "A box cannot cross the line of 180 degrees. Make two datasets, or use a point.";
        Point middle = startDrawing();
        // A world is 512 pixels wide.
        browser.pointer().drag(middle.moveBy(200, -20), middle.moveBy(300, 40));
        browser.await("document.querySelector('#error-location').textContent === '" + sentence + "'");
        assertTrue(number("west") > number("east"));
        middle = startDrawing();
        browser.pointer().drag(middle.moveBy(100, -20), middle.moveBy(200, 40));
        browser.await("document.querySelector('#error-location').textContent === ''");
        write("west", "170");
        write("east", "-170");
        browser.click(SAVE);
        assertEquals(sentence, error("location"));
    }

    @Test
    void oneFingerDrawsABox() {
        browser.becomePhone();
        openForm(owner.create(FLIGHT) + "/edit/");
        Point middle = startDrawing();
        long scroll = (Long) browser.read("Math.round(scrollY)");
        browser.pointer().swipe(middle.moveBy(-50, -50), middle.moveBy(50, 50));
        browser.await("Number(document.querySelector('#dataset [name=south]').value) > 1");
        assertTrue(number("north") < 3 && number("east") > number("west"));
        assertEquals(0L, browser.read("document.querySelectorAll('#map .hint.shown').length"));
        assertEquals(scroll, browser.read("Math.round(scrollY)"));
        middle = startDrawing();
        browser.pointer().tap(middle.moveBy(-40, -40));
        // The first corner is visible at once.
        assertEquals(3L, browser.read("document.querySelectorAll('#map .handle').length"));
    }

    @Test
    void anOwnerEditsWithTheKeyboardAlone() {
        long id = owner.create(FLIGHT);
        signIn(owner);
        open(id + "/");
        browser.await("document.querySelector('.actions a[href$=\"/edit/\"]')");
        browser.tabTo(".actions a[href$=\"/edit/\"]");
        browser.type(Keys.ENTER);
        browser.await(READY);
        assertEquals("2020-03-01 10:00:05", value("captured_date") + ' ' + value("captured_time"));
        assertEquals("a, b\nc", value("tags"));
        browser.tabTo("[name=dataset_name]");
        selectAll();
        browser.type("flight 2");
        browser.tabTo("[name=kind]");
        browser.type(Keys.ARROW_DOWN);
        browser.tabTo("[name=latitude]");
        browser.type("12.5");
        browser.tabTo("[name=longitude]");
        browser.type("-70.25");
        browser.tabTo("[name=description]");
        selectAll();
        browser.type("after");
        browser.tabTo(SAVE);
        browser.type(Keys.ENTER);
        browser.await("document.querySelector('h1').textContent === 'flight 2'");
        assertEquals("The changes are saved.", browser.read(NOTICE));
        JsonObject stored = stored(id);
        assertEquals("after", stored.getString("description"));
        assertEquals(new JsonArray(), stored.getJsonArray("bbox"));
        assertEquals(new JsonArray("[12.5,-70.25]"), stored.getJsonArray("coordinates"));
        assertEquals(new JsonArray("[\"a, b\",\"c\"]"), stored.getJsonArray("tags"));
    }

    @Test
    void twoWritersSeeBothVersions() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        write("dataset_name", "mine");
        write("location_name", "here");
        owner.patch(Listing.PATH + id + "/", "{\"dataset_name\":\"theirs\",\"description\":\"other\"}").then()
                .statusCode(200);
        browser.click(SAVE);
        browser.await("document.querySelector('#conflict').open");
        // Only both have changed the name.
        assertEquals(List.of("Name"), browser.read(
                "[...document.querySelectorAll('#conflict legend')].map(each => each.textContent)"));
        assertEquals(List.of("yours"), browser.read(
                "[...document.querySelectorAll('#conflict :checked')].map(each => each.value)"));
        assertEquals("Changed by others and taken over: Description.", text("#conflict .taken"));
        assertEquals("", browser.read(NOTICE));
        assertTrue(text("#conflict fieldset").contains("mine") && text("#conflict fieldset").contains("theirs"));
        assertEquals(List.of(), browser.violations());
        // Cancel loses nothing.
        browser.type(Keys.ESCAPE);
        browser.await(READY);
        assertEquals("mine", value("dataset_name"));
        browser.click(SAVE);
        browser.await("document.querySelector('#conflict').open");
        browser.click("#conflict [name=dataset_name][value=theirs]");
        browser.click("#conflict [type=submit]");
        browser.await("document.querySelector('h1').textContent === 'theirs'");
        JsonObject stored = stored(id);
        assertEquals("here", stored.getString("location_name"));
        assertEquals("other", stored.getString("description"));
    }

    @Test
    void aLocationOfAnotherWriterHasItsNames() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        write("south", "0.5");
        owner.patch(Listing.PATH + id + "/", "{\"bbox\":[1.5,2,3,4]}").then().statusCode(200);
        browser.click(SAVE);
        browser.await("document.querySelector('#conflict').open");
        assertEquals("South: 0.5; West: 2; North: 3; East: 4", text("#conflict fieldset label:first-of-type span"));
        assertEquals("South: 1.5; West: 2; North: 3; East: 4", text("#conflict fieldset label:last-of-type span"));
    }

    @Test
    void changesOfDifferentFieldsNeedNoQuestion() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        write("dataset_name", "mine");
        owner.patch(Listing.PATH + id + "/", "{\"description\":\"theirs\"}").then().statusCode(200);
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'mine'");
        assertEquals("The changes are saved. Changed by others and taken over: Description.", browser.read(NOTICE));
        assertEquals("theirs", stored(id).getString("description"));
    }

    @Test
    void inputDuringACreateDoesNotMakeASecondDataset() {
        openForm("new/");
        mark();
        write("dataset_name", "early");
        browser.click("#dataset [value=Forest]");
        browser.click("label[for=field-captured_date]");
        browser.type("03152024", Keys.TAB, Keys.TAB, "1030AM");
        browser.click("#dataset [value=none]");
        browser.setNetwork(true, 1500);
        browser.click(SAVE);
        browser.await(NOTICE + " === 'Saving …'");
        browser.read("document.getElementById('field-dataset_name').select()");
        browser.read("document.getElementById('field-dataset_name').focus()");
        browser.type("late");
        browser.await(NOTICE + ".startsWith('The dataset is created. What you have written since is not saved yet.')");
        browser.setNetwork(true, 0);
        assertEquals("late", value("dataset_name"));
        assertEquals("Edit dataset", text("h1"));
        assertTrue(((String) browser.read("document.title")).startsWith("Edit dataset"));
        assertTrue(browser.find("#dataset .delete").isDisplayed());
        assertTrue(browser.url().matches(".*/datasets/\\d+/edit/"), browser.url());
        assertSameDocument();
        browser.openPage(URI.create(browser.url()));
        browser.await(READY);
        assertEquals("early", value("dataset_name"));
        write("dataset_name", "later");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'later'");
        assertEquals(1, owner.json(Listing.PATH + "drafts/").getJsonArray("results").size());
    }

    @Test
    void aDatasetThatAnotherWriterHasChangedIsNotDeletedUnseen() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        owner.patch(Listing.PATH + id + "/", "{\"description\":\"newer\"}").then().statusCode(200);
        browser.click("#dataset .delete");
        browser.click("#deletion [type=submit]");
        browser.await(NOTICE + ".startsWith('The dataset has been changed meanwhile. It is not deleted.')");
        assertEquals(200, owner.get(Listing.PATH + id + "/").statusCode());
        browser.click("#notice button");
        browser.await(NOTICE + ".startsWith('The dataset is deleted.')");
        // Another writer restores and deletes it again: this deletion is not undone.
        owner.post(Listing.PATH + id + "/restore/", "").then().statusCode(200);
        browser.click("#notice button");
        browser.await(NOTICE + ".startsWith('Another writer has restored the dataset meanwhile.')");
    }

    @Test
    void wrongInputHasWordsAtItsField() {
        browser.localize("de", "UTC");
        openForm("new/");
        browser.click(SAVE);
        assertEquals("Wählen Sie mindestens eine Kategorie.", error("category"));
        assertEquals("Schreiben Sie den Tag der Aufnahme. Ein Entwurf braucht keinen.", error("captured_date"));
        assertEquals("category", browser.read("document.activeElement.name"));
        assertEquals("Einige Felder brauchen einen anderen Wert.", browser.read(NOTICE));
        browser.click("#dataset [value=Forest]");
        browser.click("label[for=field-captured_date]");
        browser.type("02312024");
        write("south", "50");
        write("west", "2");
        write("north", "40");
        write("east", "181");
        browser.click(SAVE);
        assertEquals("", error("category"));
        assertTrue(error("captured_date").startsWith("Diesen Tag oder diese Uhrzeit gibt es nicht."));
        assertEquals("captured_date", browser.read("document.activeElement.name"));
        assertTrue(error("location").contains("zwischen -180 und 180"));
        write("east", "18");
        browser.click(SAVE);
        assertTrue(error("location").startsWith("Süden darf nicht größer als Norden sein"));
        assertEquals(0, mine().size());
        assertEquals(List.of(), browser.violations());
    }

    @Test
    void anErrorOfTheServiceIsAtItsField() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        browser.read("document.querySelector('#dataset [value=Desert]').value = 'Zed'");
        browser.click("#dataset [value=Zed]");
        browser.click(SAVE);
        browser.await(
                "document.querySelector('#error-category').textContent.startsWith('The service refuses this value:')");
        assertEquals("\"Zed\" is not a valid choice.", text("#error-category [lang=en]"));
        assertEquals("category", browser.read("document.activeElement.name"));
        assertEquals("flight", stored(id).getString("dataset_name"));
    }

    @Test
    void aPictureIsSentWithProgress(@TempDir Path folder) throws IOException {
        long id = owner.create(FLIGHT);
        Path picture = folder.resolve("flight.png");
        Files.write(picture, Images.of("image/png", 600_000));
        Path large = folder.resolve("large.png");
        Files.write(large, Images.of("image/png", WithStorage.MAX_THUMBNAIL_SIZE + 1));
        Path words = Files.writeString(folder.resolve("words.txt"), "no image");
        Path wrong = Files.writeString(folder.resolve("wrong.png"), "no image");
        openForm(id + "/edit/");
        browser.find("#field-picture").sendKeys(words.toString());
        assertEquals("This is no JPEG, PNG or WebP image.", error("picture"));
        browser.find("#field-picture").sendKeys(large.toString());
        assertTrue(error("picture").contains("At most 1 MB are allowed."));
        browser.click(SAVE);
        assertEquals("field-picture", browser.read("document.activeElement.id"));
        browser.find("#field-picture").sendKeys(wrong.toString());
        assertEquals("", error("picture"));
        browser.click(SAVE);
        browser.await("document.querySelector('#error-picture').textContent === 'This is no JPEG, PNG or WebP image.'");

        browser.drop(picture, browser.centre("document.querySelector('#dataset .drop')"));
        browser.await("document.querySelector('.chosen span').textContent === 'flight.png, 0.6 MB'");
        browser.click(".chosen button");
        assertEquals(true, browser.read("document.querySelector('.chosen').hidden"));
        browser.find("#field-picture").sendKeys(picture.toString());
        assertEquals("flight.png, 0.6 MB", text(".chosen span"));
        browser.setNetwork(true, 0, 100_000);
        browser.click(SAVE);
        browser.await("document.querySelector('progress').value > 0 && document.querySelector('progress').value < 1");
        browser.click(".progress button");
        browser.await(NOTICE + ".startsWith('The picture is not sent.')");
        browser.setNetwork(true, 0);
        write("dataset_name", "pictured");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'pictured'");
        assertTrue(stored(id).getString("thumbnail_image").contains("/thumbnail-"));
    }

    @Test
    void aReaderWithoutTheRightToWriteSeesASentence() {
        long id = owner.create(FLIGHT);
        open("new/");
        assertEquals("Sign in with a token that may write. Then the form is here.", text(".refusal"));
        mark();
        browser.click("#sign-in");
        browser.type(owner.token("reader").key(), Keys.ENTER);
        browser.await("document.querySelector('.refusal').textContent.startsWith('Your token may only read.')");
        assertEquals(0L, browser.read("document.querySelectorAll('#dataset').length"));
        assertSameDocument();
        signIn(Caller.writer("eve"));
        open(id + "/edit/");
        browser.await(
                "document.querySelector('.refusal')?.textContent.startsWith('This dataset belongs to another account.')");
        assertEquals(List.of(), browser.violations());
        open(id + "/");
        browser.await("document.querySelector('h1').textContent === 'flight'");
        assertEquals(0L, browser.read("document.querySelectorAll('.actions a[href$=\"/edit/\"]').length"));
    }

    @Test
    void aTokenThatEndsInTheMiddleLosesNothing() {
        long id = owner.create(FLIGHT);
        Caller other = owner.token("writer");
        openForm(id + "/edit/");
        mark();
        write("dataset_name", "kept");
        revoke(owner);
        browser.click(SAVE);
        browser.await(NOTICE + ".startsWith('Your token is no longer valid. Your input is still here')");
        assertEquals("kept", value("dataset_name"));
        browser.click("#notice button");
        browser.type(other.key(), Keys.ENTER);
        browser.await(NOTICE + ".startsWith('You are signed in as ada.')");
        assertEquals("kept", value("dataset_name"));
        browser.click("#notice button");
        browser.await("document.querySelector('h1').textContent === 'kept'");
        assertSameDocument();
    }

    @Test
    void anotherReaderDoesNotSeeTheInput() {
        long id = owner.create(FLIGHT);
        Caller eve = Caller.writer("eve");
        openForm(id + "/edit/");
        write("dataset_name", "secret");
        revoke(owner);
        browser.click(SAVE);
        browser.await(NOTICE + ".startsWith('Your token is no longer valid. Your input is still here')");
        browser.click("#notice button");
        browser.type(eve.key(), Keys.ENTER);
        browser.await("document.querySelector('.refusal')?.textContent.startsWith('This dataset belongs to another')");
        assertEquals(0L, browser.read("document.querySelectorAll('#dataset').length"));
    }

    @Test
    void nobodySeesTheInputAfterSigningOut() {
        openForm("new/");
        write("dataset_name", "secret");
        browser.read("window.confirm = () => false");
        browser.click("#sign-in");
        // The reader stays, and stays signed in.
        assertEquals("Sign out", text("#sign-in"));
        assertEquals("secret", value("dataset_name"));
        browser.read("window.confirm = () => true");
        browser.setNetwork(false, 0);
        browser.click("#sign-in");
        browser.await("!document.querySelector('#dataset')");
        assertEquals("Sign in", text("#sign-in"));
    }

    private static void revoke(Caller caller) {
        JsonArray tokens = caller.json(Caller.TOKENS).getJsonArray("results");
        long oldest = tokens.stream().mapToLong(each -> ((JsonObject) each).getLong("id")).min().orElseThrow();
        caller.delete(Caller.TOKENS + oldest + "/").then().statusCode(204);
    }

    @Test
    void aCreateWhoseResponseIsLostIsNotRepeated() {
        openForm("new/");
        write("dataset_name", "once");
        browser.click("#dataset [value=Forest]");
        browser.click("label[for=field-captured_date]");
        browser.type("03152024", Keys.TAB, Keys.TAB, "1030AM");
        browser.click("#dataset [value=none]");
        browser.setNetwork(false, 0);
        browser.click(SAVE);
        browser.await(NOTICE + ".startsWith('The service cannot be reached. Your input is still here.')");
        browser.setNetwork(true, 0);
        // The service stores the dataset, and the response does not arrive.
        browser.read("(() => { const real = window.fetch; window.fetch = async (...request) => {"
                + " const response = await real(...request); if (request[1].method === 'POST') { window.fetch = real;"
                + " window.lost = true; throw new TypeError(); } return response; }; })()");
        browser.click("#notice button");
        browser.await("window.lost && " + NOTICE + ".startsWith('The service cannot be reached.')");
        write("dataset_name", "renamed");
        browser.click("#dataset [value=point]");
        write("latitude", "10");
        write("longitude", "20");
        browser.click(SAVE);
        browser.await("document.querySelector('h1').textContent === 'renamed'");
        assertEquals(1, mine().size());
        JsonArray created = Caller.admin().json("/api/audit/").getJsonArray("results");
        assertEquals(1, created.stream().map(JsonObject.class::cast)
                .filter(entry -> entry.getString("action").equals("dataset.create")
                        && entry.getLong("user") == owner.id())
                .count());
    }

    @Test
    void aBusyServiceLosesNothing() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        write("dataset_name", "later");
        browser.read(
                "(() => { window.real = window.fetch; window.fetch = async () => new Response('{\"detail\": \"x\"}',"
                        + " {status: 429, headers: {'Retry-After': '7'}}); })()");
        browser.click(SAVE);
        browser.await(NOTICE + ".includes('Wait 7 seconds.')");
        browser.read("window.fetch = async () => new Response('{}', {status: 503})");
        browser.click("#notice button");
        browser.await(NOTICE + ".startsWith('The service cannot save at the moment.')");
        browser.read("window.fetch = window.real");
        browser.click("#notice button");
        browser.await("document.querySelector('h1').textContent === 'later'");
    }

    @Test
    void aVisitOfAnotherPageAsksFirst() {
        openForm("new/");
        mark();
        write("dataset_name", "unsaved");
        browser.read("window.confirm = question => { window.asked = question; return false; }");
        browser.click(".catalogue");
        browser.await("window.asked === 'Your changes are not saved. Leave this page?'");
        assertEquals("unsaved", value("dataset_name"));
        browser.read("window.confirm = () => true");
        browser.click(".catalogue");
        browser.await(CARDS + " === 3");
        assertSameDocument();
    }

    @Test
    void anOwnerDeletesADataset() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        browser.click("#dataset .delete");
        browser.await("document.querySelector('#deletion').open");
        assertEquals("cancel", browser.read("document.activeElement.className"));
        assertTrue(text("#deletion").contains("You can undo this for 30 days."));
        assertEquals(List.of(), browser.violations());
        browser.type(Keys.ESCAPE);
        assertEquals(200, owner.get(Listing.PATH + id + "/").statusCode());
        browser.click("#dataset .delete");
        browser.click("#deletion [type=submit]");
        browser.await(NOTICE + ".startsWith('The dataset is deleted.') && " + CARDS + " === 0");
        assertEquals(404, owner.get(Listing.PATH + id + "/").statusCode());
        assertTrue(browser.find("#notice a").getDomProperty("href").endsWith("/datasets/deleted/"));
        browser.click("#notice button");
        browser.await("document.querySelector('h1').textContent === 'flight'");
        browser.await(NOTICE + " === 'The dataset is there again.'");
        assertEquals(200, owner.get(Listing.PATH + id + "/").statusCode());
    }

    @Test
    void anOwnerFindsDraftsAndRestoresDeletedDatasets() {
        long deleted = owner.create(FLIGHT);
        owner.delete(Listing.PATH + deleted + "/").then().statusCode(204);
        long draft = owner.create("{\"dataset_name\":\"sketch\"}");
        for (int i = 0; i < 15; i++) {
            owner.create("{}");
        }
        Caller.writer("eve").create("{\"dataset_name\":\"another's\"}");
        signIn(owner);
        open("?mine=true");
        browser.await("document.querySelector('.facet a[href=\"drafts/\"]')");
        mark();
        browser.click(".facet a[href='drafts/']");
        browser.await("document.querySelectorAll('ol.changes li').length === 15");
        assertEquals("Drafts", browser.read("document.activeElement.textContent"));
        browser.click("nav.pages [rel=next]");
        browser.await("document.querySelectorAll('ol.changes li').length === 1");
        assertEquals("sketch", text("ol.changes a"));
        assertEquals(List.of(), browser.violations());
        browser.click("ol.changes a");
        browser.await(READY);
        assertEquals("sketch", value("dataset_name"));
        assertEquals(draft, Long.parseLong(browser.url().replaceFirst(".*/(\\d+)/edit/$", "$1")));
        open("deleted/");
        browser.await("document.querySelector('ol.changes button')");
        assertEquals(List.of(), browser.violations());
        browser.tabTo("ol.changes button");
        browser.type(Keys.ENTER);
        browser.await("document.querySelector('h1').textContent === 'flight'");
        assertEquals(1, mine().size());
        open("deleted/");
        browser.await("!document.querySelector('.nothing').hidden");
    }

    @Test
    void theFormIsForEachReaderAndEachScreen() {
        long id = owner.create(FLIGHT);
        openForm(id + "/edit/");
        assertEquals(List.of(), browser.violations());
        browser.prefer(Map.of("prefers-color-scheme", "dark"));
        assertEquals(List.of(), browser.violations());
        browser.becomePhone();
        openForm(id + "/edit/");
        assertEquals(List.of(), browser.violations());
        assertEquals(390L, browser.read("document.documentElement.scrollWidth"));
        // One finger taps two corners.
        browser.click("#dataset .area-buttons button");
        Point middle = centreOfMap();
        String before = value("south");
        browser.pointer().tap(middle.moveBy(-60, -60));
        browser.pointer().tap(middle.moveBy(60, 60));
        browser.await("document.querySelector('#dataset [name=south]').value !== '" + before + "'");
        for (String language : List.of("fr", "ar")) {
            browser.localize(language, "UTC");
            openForm(id + "/edit/");
            assertEquals(language, browser.read("document.documentElement.lang"));
            assertEquals(List.of(), browser.violations());
            assertEquals(390L, browser.read("document.documentElement.scrollWidth"));
        }
    }
}
