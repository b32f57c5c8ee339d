package io.datasetlisting.faces.web;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;

/** Tests in a real browser the pages on which readers make and revoke tokens, and admins make accounts. */
@QuarkusTest
@Tag(NightlySuite.TAG)
class AccessPagesBrowserTest extends PagesInBrowser {

    private static final String ROWS = "document.querySelectorAll('#access tbody tr').length";
    private static final String READY = "document.querySelector('#access:not([aria-busy]) tbody tr')";
    private static final String KEY = "document.querySelector('.new-key code')?.textContent";
    private static final String CREATE = "#access > form [type=submit]";

    private Caller ada;

    @BeforeEach
    void fill() {
        catalogue.replaceWith();
        ada = Caller.writer("ada");
    }

    private void openAs(Caller caller, String address) {
        open("");
        browser.read("sessionStorage.setItem('dataset-token', '" + caller.key() + "')");
        open(address);
        browser.await("!document.querySelector('header .access').hidden");
    }

    private static String cell(int row, String label) {
        return text("#access tbody tr:nth-child(" + row + ") [data-label='" + label + "']");
    }

    private static JsonArray tokens(Caller caller) {
        return caller.json(Caller.TOKENS + "?page_size=100").getJsonArray("results");
    }

    private static int status(String key) {
        return Caller.anonymous().holding(key).get("/api/account/me/").statusCode();
    }

    /** Walks with the tabulator to a control. */
    @Test
    void aReaderMakesATokenUsesItAndRevokesIt() {
        open("");
        mark();
        assertFalse(browser.find("header .access").isDisplayed());
        browser.click("#sign-in");
        browser.type(ada.key(), Keys.ENTER);
        browser.await(NOTICE + " === 'You are signed in as ada.'");
        browser.click("header .access");
        browser.await(READY);
        assertSameDocument();
        assertEquals("Your tokens", text("h1"));
        assertEquals(1L, browser.read(ROWS));
        assertEquals("reads and writes", cell(1, "Right"));
        assertEquals("valid", cell(1, "State"));
        assertEquals(0L, browser.read("document.querySelectorAll('.way').length"));
        // Nobody gives more than it has.
        assertEquals(List.of("reader", "writer"),
                browser.read("[...document.querySelectorAll('#field-right option')].map(each => each.value)"));

        browser.click("#field-name");
        browser.type("field laptop");
        browser.find("#field-right").sendKeys("reads and");
        browser.click("#field-workspaces");
        browser.type("12, 34");
        browser.click("#field-expires");
        browser.type("031520991030AM");
        browser.click(CREATE);
        browser.await(KEY);
        String key = (String) browser.read(KEY);
        assertEquals("new-key", browser.read("document.activeElement.parentElement.className"));
        assertEquals("field laptop", text("#access tbody tr:nth-child(2) th"));
        assertEquals("reads and writes", cell(2, "Right"));
        assertEquals("12, 34", cell(2, "Workspaces"));
        assertEquals("Mar 15, 2099, 10:30 AM UTC", cell(2, "Valid until"));
        assertEquals("never", cell(2, "Last used"));
        assertEquals("", browser.read("document.getElementById('field-name').value"));
        Caller program = ada.holding(key);
        assertEquals(200, status(key));
        assertEquals(403, program.post(Listing.PATH, "{}").statusCode());
        assertEquals(new JsonArray().add(12).add(34), tokens(ada).getJsonObject(1).getJsonArray("workspaces"));

        // Another page has the key no more, and neither has the list.
        browser.click(".catalogue");
        browser.await("!document.querySelector('#access')");
        browser.click("header .access");
        browser.await(READY);
        assertFalse(browser.read("document.documentElement.outerHTML").toString().contains(key));

        browser.click("#access tbody tr:nth-child(2) .revoke");
        assertEquals("field laptop", text("#access dialog .name"));
        assertFalse(text("#access dialog").contains("You are signed in"));
        browser.click("#access dialog .cancel");
        assertEquals(200, status(key));
        browser.click("#access tbody tr:nth-child(2) .revoke");
        browser.click("#access dialog [type=submit]");
        browser.await(NOTICE + " === 'The token is revoked.'");
        browser.await("document.querySelector('#access tr.over')");
        assertEquals("revoked", cell(2, "State"));
        assertEquals(401, status(key));
        assertEquals(1L, browser.read("document.querySelectorAll('#access .revoke').length"));
        assertEquals(List.of(), browser.console());
    }

    @Test
    void theKeyIsCopied() {
        openAs(ada, "tokens/");
        browser.await(READY);
        browser.read("navigator.clipboard.writeText = async text => { window.copied = text; }");
        browser.click(CREATE);
        browser.await(KEY);
        browser.click(".new-key button");
        browser.await(NOTICE + " === 'Copied.'");
        assertEquals(browser.read(KEY), browser.read("window.copied"));
    }

    @Test
    void theKeyboardIsEnough() {
        openAs(ada, "tokens/");
        browser.await(READY);
        browser.tabTo("#field-name");
        browser.type("by keyboard");
        browser.tabTo("#field-right");
        browser.type(Keys.ARROW_DOWN);
        browser.tabTo(CREATE.substring(CREATE.indexOf('[')) + ":not(dialog *)");
        browser.type(Keys.ENTER);
        browser.await(KEY);
        String key = (String) browser.read(KEY);
        assertEquals("writer", tokens(ada).getJsonObject(1).getString("right"));
        browser.tabTo(".revoke[aria-label=\"Revoke: by keyboard\"]");
        browser.type(Keys.ENTER);
        browser.await("document.querySelector('#access dialog[open]')");
        browser.type(Keys.ESCAPE);
        assertEquals(200, status(key));
        browser.tabTo(".revoke[aria-label=\"Revoke: by keyboard\"]");
        browser.type(Keys.ENTER);
        browser.tabTo("#access dialog [type=submit]");
        browser.type(Keys.ENTER);
        browser.await(NOTICE + " === 'The token is revoked.'");
        browser.await("document.activeElement.localName === 'table'");
        assertEquals(401, status(key));
    }

    @Test
    void anErrorStandsAtItsField() {
        Caller limited = ada.holding(ada.post(Caller.TOKENS, "{\"right\":\"writer\",\"workspaces\":[7]}").path("key"));
        openAs(limited, "tokens/");
        browser.await(READY);
        browser.click("#field-workspaces");
        browser.type("8");
        browser.click("#field-expires");
        browser.type("031520011030AM");
        browser.click(CREATE);
        browser.await("document.querySelector('#error-expires').textContent === 'This moment has passed.'");
        assertEquals("This token may write in these workspaces only: 7.", text("#error-workspaces"));
        assertEquals("field-workspaces", browser.read("document.activeElement.id"));
        assertEquals(List.of(), browser.violations());
        assertEquals(2, tokens(ada).size());
        browser.read("document.getElementById('field-expires').value = ''");
        browser.click("#field-workspaces");
        browser.type(Keys.BACK_SPACE, "7");
        browser.click(CREATE);
        browser.await(KEY);
        assertEquals("", text("#error-workspaces"));
        // Without the network nothing is made, and the form keeps what it has.
        browser.click("#field-name");
        browser.type("kept");
        browser.setNetwork(false, 0);
        browser.click(CREATE);
        browser.await(NOTICE + ".startsWith('The service cannot be reached.')");
        assertEquals("kept", browser.read("document.getElementById('field-name').value"));
        browser.setNetwork(true, 0);
        assertEquals(3, tokens(ada).size());
    }

    @Test
    void anErrorOfAProxyIsASentence() {
        openAs(ada, "tokens/");
        browser.await(READY);
        browser.read("(() => { window.fetch = async () => new Response('<h1>Bad gateway</h1>',"
                + " {status: 502, headers: {'Content-Type': 'text/html'}}); })()");
        String sentence = " === 'The service answers with an error. Try again later.'";
        browser.click(CREATE);
        browser.await(NOTICE + sentence);
        browser.read("document.getElementById('notice').replaceChildren()");
        browser.click("#access .revoke");
        browser.click("#access dialog [type=submit]");
        browser.await(NOTICE + sentence);
        assertEquals(List.of(), browser.console());
    }

    /** The words of a heading, a button or a link do not break. */
    @Test
    void wordsOfControlsStayWhole() {
        String broken = "[...document.querySelectorAll('header nav a, #access thead th, #access button')].filter(each => {"
                + " const range = document.createRange(); const text = each.firstChild; let start = 0;"
                + " return text?.nodeType === 3 && text.data.split(' ').some(word => { range.setStart(text, start);"
                + " range.setEnd(text, start + word.length); start += word.length + 1;"
                + " return range.getClientRects().length > 1; }); }).map(each => each.textContent)";
        for (String language : List.of("de", "ar")) {
            browser.localize(language, "UTC");
            for (int width : List.of(390, 1100)) {
                browser.width(width);
                openAs(Caller.admin(), "tokens/");
                browser.await(READY);
                assertEquals(List.of(), browser.read(broken), language + width);
                assertEquals(true, browser.read("document.documentElement.scrollWidth <= innerWidth"),
                        language + width);
            }
        }
        assertEquals(1L, browser.read("new Set([...document.querySelectorAll('header nav a')].map("
                + "each => [each.offsetHeight, getComputedStyle(each).fontSize].join())).size"));
    }

    @Test
    void aTokenThatRevokesItselfSignsItsReaderOut() {
        openAs(ada, "tokens/");
        browser.await(READY);
        browser.click("#access .revoke");
        assertTrue(text("#access dialog").contains("You are signed in with this token."));
        assertEquals("cancel", browser.read("document.activeElement.className"));
        browser.click("#access dialog [type=submit]");
        browser.await("document.querySelector('.refusal')?.textContent.startsWith('Sign in.')");
        assertEquals("Your token is no longer valid. You see the public datasets.", browser.read(NOTICE));
        assertEquals(0L, browser.read("sessionStorage.length"));
        assertFalse(browser.find("header .access").isDisplayed());
    }

    @Test
    void anAdminMakesAnAccountWithATokenAndAnotherToken() {
        ada.post(Caller.TOKENS, "{\"right\":\"reader\",\"name\":\"of ada\"}").then().statusCode(201);
        openAs(Caller.admin(), "tokens/");
        browser.await(READY);
        assertEquals("Tokens of all accounts", text("h1"));
        assertTrue(text("#access tbody").contains("of ada"));
        assertEquals("ada", browser.read("[...document.querySelectorAll('#access tbody tr')]"
                + ".find(row => row.textContent.includes('of ada')).querySelector('[data-label=Account]').textContent"));
        browser.click(".way a");
        browser.await("document.querySelector('#field-username') && " + READY);
        long before = (Long) browser.read(ROWS);
        browser.click("#field-username");
        browser.type("bob");
        browser.find("#field-right").sendKeys("reads and writes");
        browser.click(CREATE);
        browser.await(KEY);
        Caller bob = Caller.anonymous().holding((String) browser.read(KEY));
        assertEquals("The account is created.", browser.read(NOTICE));
        assertEquals(before + 1, browser.read(ROWS));
        assertEquals("bob", bob.get("/api/account/me/").path("username"));
        assertEquals(201, bob.post(Listing.PATH, "{}").statusCode());

        browser.click("#field-username");
        browser.type("BOB", Keys.ENTER);
        browser.await("document.querySelector('#error-username').textContent.includes('already exists')");
        assertEquals(before + 1, browser.read(ROWS));

        browser.click("#access tbody tr:last-child a");
        browser.await("document.querySelector('#access bdi')?.textContent === 'bob' && " + READY);
        browser.click(CREATE);
        browser.await(KEY);
        Caller reader = Caller.anonymous().holding((String) browser.read(KEY));
        assertEquals("bob", reader.get("/api/account/me/").path("username"));
        assertEquals(403, reader.post(Listing.PATH, "{}").statusCode());
        assertEquals(2, tokens(bob).size());
    }

    private static void choose(String action) {
        browser.click("#access dialog [data-action=" + action + "]");
    }

    @Test
    void anAdminManagesAnAccountThatLeaves() {
        Caller bob = Caller.writer("bob");
        long id = ada.post(Listing.PATH, "{\"coordinates\":[1,2]}").path("id") instanceof Integer number ? number : -1;
        openAs(Caller.admin(), "accounts/");
        browser.await(READY);
        String manage = "[aria-label='Manage: ada']";
        browser.click(manage);
        browser.await("document.querySelector('#access dialog[open]') && document.activeElement.name === 'username'");
        assertEquals(List.of(), browser.violations());
        browser.find("#field-new-username").clear();
        browser.click("#field-new-username");
        browser.type("Ada Jones");
        choose("rename");
        browser.await(NOTICE + " === 'The account has its new name.'");
        Listing.client().get(Listing.PATH + id + "/").then().body("user", equalTo("Ada Jones " + ada.id()));

        manage = "[aria-label='Manage: Ada Jones']";
        browser.await("document.querySelector(\"" + manage + "\")");
        browser.click(manage);
        browser.await("document.querySelector('#access dialog[open]')");
        browser.click("#field-to");
        browser.type("999999999");
        choose("handover");
        browser.click("#access .confirm");
        browser.await("document.querySelector('#access dialog .error').textContent");
        browser.find("#field-to").clear();
        browser.click("#field-to");
        browser.type(Long.toString(bob.id()));
        choose("handover");
        assertTrue(text("#account-question").contains("drafts"));
        browser.click("#access .confirm");
        browser.await(NOTICE + " === 'The datasets are handed over.'");
        Listing.client().get(Listing.PATH + id + "/").then().body("user", equalTo("bob " + bob.id()));

        browser.click(manage);
        browser.await("document.querySelector('#access dialog[open]')");
        assertFalse(browser.find("#access [data-action=erase]").isDisplayed());
        choose("disable");
        assertEquals(200, status(ada.key()));
        browser.click("#access .confirm");
        browser.await(NOTICE + " === 'The account is disabled.'");
        assertEquals(401, status(ada.key()));

        browser.click(manage);
        browser.await("document.querySelector('#access dialog[open]')");
        assertEquals("This account is disabled.", text("#access .is-disabled"));
        choose("erase");
        assertEquals(List.of(), browser.violations());
        browser.click("#access .confirm");
        browser.await(NOTICE + " === 'The personal data are erased.'");
        browser.await("document.querySelector('#access tbody').textContent.includes('erased-" + ada.id() + "')");
    }

    @Test
    void aReaderWithoutScriptsSeesASentence() {
        String sentence = ".unscripted";
        for (String page : List.of("tokens/", "accounts/", "new/", "drafts/")) {
            open(page);
            assertFalse(browser.find(sentence).isDisplayed(), page);
        }
        browser.setScripts(false);
        for (String page : List.of("tokens/", "accounts/", "new/", "drafts/")) {
            browser.open(list.resolve(page).toString());
            assertEquals("This page needs JavaScript. Programs use the API.", browser.find(sentence).getText(), page);
            assertTrue(browser.find(sentence + " a").getAttribute("href").endsWith("/docs/"), page);
        }
    }

    @Test
    void aReaderWithoutTheRightSeesASentence() {
        open("tokens/");
        assertEquals("Sign in. Then this page shows its content.", text(".refusal"));
        open("accounts/");
        assertEquals("Sign in. Then this page shows its content.", text(".refusal"));
        browser.click("#sign-in");
        browser.type(ada.key(), Keys.ENTER);
        browser.await("document.querySelector('.refusal').textContent"
                + " === 'Only admins may see this page. Your token has another right.'");
        assertEquals(0L, browser.read("document.querySelectorAll('#access').length"));
        assertEquals(List.of(), browser.violations());
        browser.click("#sign-in");
        browser.await("document.querySelector('.refusal').textContent.startsWith('Sign in.')");
        // The parameter has no effect for other callers.
        openAs(ada, "tokens/?user=0");
        browser.await(READY);
        assertEquals(0L, browser.read("document.querySelectorAll('[name=user]').length"));
    }

    @Test
    void aLongListHasPages() {
        catalogue.sql("insert into account (username) select 'account ' || i from generate_series(1, 150) i");
        openAs(Caller.admin(), "accounts/");
        browser.await(READY);
        assertEquals(100L, browser.read(ROWS));
        assertFalse(browser.find("#access .previous").isEnabled());
        browser.click("#access .next");
        browser.await(ROWS + " < 100");
        browser.await("document.activeElement.localName === 'table'");
        assertFalse(browser.find("#access .next").isEnabled());
        browser.click("#access .previous");
        browser.await(ROWS + " === 100");
    }

    /** A key is shown meanwhile. */
    @Test
    void thePagesAreAccessibleInEachForm() {
        for (String scheme : List.of("light", "dark")) {
            browser.prefer(Map.of("prefers-color-scheme", scheme));
            for (boolean isPhone : new boolean[]{false, true}) {
                browser.width(isPhone ? 390 : 1280);
                openAs(Caller.admin(), "tokens/");
                browser.await(READY);
                browser.click(CREATE);
                browser.await(KEY);
                check(scheme + isPhone);
                browser.read("document.querySelector('#access .revoke').click()");
                assertEquals(List.of(), browser.violations());
                openAs(Caller.admin(), "accounts/");
                browser.await(READY);
                check(scheme + isPhone);
                assertEquals(List.of(), browser.console());
            }
        }
    }

    private static void check(String form) {
        assertEquals(List.of(), browser.violations(), form);
        assertEquals(true, browser.read("document.documentElement.scrollWidth <= innerWidth"), form);
    }

    @Test
    void theWordsAreThoseOfTheLanguage() {
        browser.localize("ar", "UTC");
        openAs(ada, "tokens/");
        browser.await(READY);
        assertEquals("رموزك", text("h1"));
        browser.width(390);
        assertEquals(true, browser.read("document.documentElement.scrollWidth <= innerWidth"));
        assertEquals(List.of(), browser.violations());
    }
}
