package io.datasetlisting.faces.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests in a real browser what a reader with a token sees and saves. */
@QuarkusTest
class SignInBrowserTest extends PagesInBrowser {

    private static final String SECRET = "{\"dataset_name\": \"secret\", \"coordinates\": [1, 2], \"is_private\": true,"
            + " \"captured_date\": \"2021-01-01T00:00:00Z\"}";

    @BeforeEach
    void fill() {
        catalogue.replaceWith(Catalogue.plain(40));
    }

    @Test
    void anOwnerSignsInAndOut() {
        Caller owner = Caller.writer("ada");
        owner.create(SECRET);
        open("?search=secret");
        mark();
        assertEquals(0L, browser.read(CARDS));
        browser.click("#sign-in");
        browser.type("wrong", Keys.ENTER);
        browser.await("document.getElementById('sign-in-error').textContent.includes('does not know')");
        assertEquals(List.of(), browser.violations());
        browser.type(owner.key(), Keys.ENTER);
        browser.await(FIRST + " === 'secret'");
        assertEquals("ada", browser.read("document.getElementById('account').textContent"));
        browser.click("ol.datasets a");
        browser.await("document.querySelector('h1').textContent === 'secret'");
        assertFalse((browser.read("document.documentElement.outerHTML") + browser.url()).contains(owner.key()));
        assertEquals(List.of("", 0L),
                browser.read("[document.cookie, localStorage.length]"));

        browser.open(browser.url());
        browser.await("document.querySelector('h1').textContent === 'secret'");
        open("?search=secret");
        browser.await(FIRST + " === 'secret'");
        browser.click("#sign-in");
        browser.await(CARDS + " === 0");
        assertEquals(0L, browser.read("sessionStorage.length"));
    }

    @Test
    void anOwnerSavesTheDataOfItsOwnView(@TempDir Path folder) throws IOException {
        Caller owner = Caller.writer("ada");
        owner.create(SECRET);
        browser.saveTo(folder);
        open("");
        browser.read("sessionStorage.setItem('dataset-token', '" + owner.key() + "')");
        open("?search=secret");
        browser.await(FIRST + " === 'secret'");
        mark();
        assertTrue(text(".commands code").startsWith("curl -H \"Authorization: Token $TOKEN\" 'http"));
        // Without the dialog of the browser, the file is in memory first.
        browser.read("window.showSaveFilePicker = undefined");
        for (String name : List.of("dataset.json", "datasets.geojson", "datasets.csv", "datasets.ndjson")) {
            browser.read("document.querySelectorAll('.formats a')[" + Files.list(folder).count() + "].click()");
            browser.await(NOTICE + " === '" + name + " is saved.'");
            assertTrue(saved(folder.resolve(name)).contains("secret"), name);
        }
        // With the dialog, an export is written while it arrives.
        browser.read("window.showSaveFilePicker = async ({suggestedName}) =>"
                + " (await navigator.storage.getDirectory()).getFileHandle(suggestedName, {create: true})");
        browser.click(".formats li:nth-child(3) a");
        browser.await(NOTICE + " === 'datasets.csv is saved.'");
        assertTrue(browser.call("(async () => (await (await (await navigator.storage.getDirectory())"
                + ".getFileHandle('datasets.csv')).getFile()).text())").toString().contains("secret"));
        browser.read("window.showSaveFilePicker = async () => { throw new DOMException('', 'AbortError'); }");
        browser.click(".formats li:nth-child(3) a");
        browser.await(NOTICE + " === 'Nothing is saved.'");
        browser.read(
                "window.fetch = async () => new Response(new ReadableStream({pull: body => body.enqueue(new Uint8Array(2 ** "
                        + "24))}),"
                        + " {headers: {'Content-Type': 'application/json'}})");
        browser.click(".formats a");
        browser.await(NOTICE + ".startsWith('dataset.json is larger than 100 MB')");
        browser.read(
                "window.fetch = async () => new Response(new ReadableStream({pull: body => body.error(new TypeError())}))");
        browser.click(".formats a");
        browser.await(NOTICE + " === 'dataset.json has not arrived completely. Try again.'");
        assertSameDocument();
    }

    @Test
    void aLinkWithoutTokenIsFollowedAndAnErrorIsASentence() {
        Caller owner = Caller.writer("ada");
        open("");
        browser.click(".formats a");
        browser.await("location.pathname === '/api/dataset/'");
        open("");
        mark();
        browser.read("sessionStorage.setItem('dataset-token', '" + owner.key() + "')");
        browser.read("document.querySelector('.formats a').href = '../api/dataset/?workspace=x'");
        browser.click(".formats a");
        browser.await(NOTICE + " === 'workspace: A valid integer is required.'");
        assertSameDocument();
    }

    @Test
    void anOwnerOpensAPrivateDatasetDirectly(@TempDir Path folder) throws IOException {
        Caller owner = Caller.writer("ada");
        long id = owner.create(SECRET);
        browser.saveTo(folder);
        open("");
        browser.read("sessionStorage.setItem('dataset-token', '" + owner.key() + "')");
        open(id + "/");
        browser.await("document.querySelector('h1').textContent === 'secret'");
        assertEquals("Sign out", browser.find("#sign-in").getText());
        assertEquals("Drone and aerial imagery", browser.find(".catalogue").getText());
        browser.click(".formats li:nth-child(2) a");
        assertTrue(saved(folder.resolve(id + ".geojson")).contains("secret"));
    }

    @Test
    void aPrivateDatasetInANewTabOffersToSignIn() {
        Caller owner = Caller.writer("ada");
        long id = owner.create(SECRET);
        open(id + "/");
        assertEquals("Not Found", text("h1"));
        assertEquals("There is no public dataset at this address. It may be private: sign in to see your own datasets.",
                text("main p"));
        assertEquals("Drone and aerial imagery", text(".catalogue"));
        mark();
        browser.click("#sign-in");
        browser.type(owner.key(), Keys.ENTER);
        browser.await("document.querySelector('h1').textContent === 'secret'");
        browser.await(NOTICE + " === 'You are signed in as ada.'");
        assertTrue(browser.read("document.title").toString().startsWith("secret"));
        // What only the owner may see does not stay on the screen.
        browser.click("#sign-in");
        browser.await("document.querySelector('h1').textContent === 'Not Found'");
        browser.await(NOTICE + " === 'You are signed out.'");
        Caller other = Caller.reader("eve");
        browser.click("#sign-in");
        browser.type(other.key(), Keys.ENTER);
        browser.await("document.querySelector('main p').textContent"
                + " === 'There is no dataset at this address, or it is private and belongs to another account.'");
        assertSameDocument();
    }

    /** The text of a file that the browser saves. */
    private static String saved(Path file) throws IOException {
        for (int i = 0; i < 200 && Files.notExists(file); i++) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return Files.readString(file);
    }

    @Test
    void aTokenThatIsNoLongerValidIsForgotten() {
        open("?ordering=id");
        mark();
        // The map may meet the refusal before the click. Then the sentence of the next page replaces the one about the token.
        browser.read("window.said = []");
        browser.read("new MutationObserver(() => said.push(" + NOTICE + "))"
                + ".observe(document.getElementById('notice'), {childList: true})");
        browser.read("sessionStorage.setItem('dataset-token', 'revoked')");
        browser.click("nav.pages a[rel=next]");
        browser.await(FIRST + " === 'dataset 48'");
        browser.await("said.some(sentence => sentence.includes('no longer valid'))");
        assertEquals(0L, browser.read("sessionStorage.length"));
        assertSameDocument();
    }
}
