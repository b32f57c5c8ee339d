package io.datasetlisting.support;

import java.awt.Color;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

import javax.imageio.ImageIO;

import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Point;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Controls a headless Chromium, if the machine has one. */
public final class Browser implements AnyBrowser {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Shorter than the driver waits for a script. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    /** Waits for a condition, for some milliseconds at most. */
    private static final String POLL = """
            const done = arguments[arguments.length - 1];
            const end = performance.now() + %d;
            (function poll() {
              let met = false;
              try {
                met = (() => %s)();
              } catch (e) {
                // Not yet.
              }
              if (met || performance.now() > end) {
                done(Boolean(met));
              } else {
                setTimeout(poll, 20);
              }
            })();""";

    private final ChromeDriver driver;
    private final Pointer pointer;

    private Browser(File browser, File driver, boolean isTrustful) {
        ChromeOptions options = new ChromeOptions();
        options.setAcceptInsecureCerts(isTrustful);
        options.setBinary(browser);
        // Builds run as root and in containers, where there is no sandbox and little shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--no-proxy-server", "--disable-background-networking", "--disable-component-update",
                "--no-first-run",
                // One process for all pages takes a quarter less CPU than a new one for each page after about:blank.
                "--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(driver).usingAnyFreePort().build(), options);
        this.driver.manage().timeouts().scriptTimeout(TIMEOUT).pageLoadTimeout(TIMEOUT);
        pointer = new Pointer(this.driver);
    }

    /** Starts the browser. Skips the calling test on a machine without a browser. */
    public static Browser start() {
        return start(false);
    }

    /** The same, which accepts the certificates that servers of the tests make. */
    public static Browser startTrustful() {
        return start(true);
    }

    private static Browser start(boolean isTrustful) {
        File browser = Program.find("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
        File driver = Program.find("chromedriver");
        Requirement.require(browser != null && driver != null,
                "Chromium with chromedriver (Debian's packages chromium and chromium-driver)");
        return new Browser(browser, driver, isTrustful);
    }

    public void open(String url) {
        driver.get(url);
    }

    /** The script of a page for people is a module, which runs before the page is complete. */
    @Override
    public void openPage(URI url) {
        open(url.toString());
        await("document.readyState === 'complete'");
    }

    /**
     * Calls an asynchronous function of the page. Returns its result, or {@code failed: } and the name of the error.
     *
     * @param arguments
     *            texts, numbers, or maps and lists of these
     */
    public Object call(String function, Object... arguments) {
        return driver.executeAsyncScript("const done = arguments[arguments.length - 1];" + function
                + "(...Array.prototype.slice.call(arguments, 0, -1)).then(done, e => done('failed: ' + e.name));",
                arguments);
    }

    @Override
    public Object read(String expression) {
        return driver.executeScript("return " + expression);
    }

    /** A page without scripts is replaced by the next one while the condition is awaited. */
    @Override
    public void await(String condition) {
        Object outcome = null;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (outcome == null) {
            try {
                outcome = driver.executeAsyncScript(POLL.formatted((end - System.nanoTime()) / 1_000_000, condition));
            } catch (JavascriptException e) {
                if (!String.valueOf(e.getMessage()).contains("document unloaded") || System.nanoTime() > end) {
                    throw e;
                }
            }
        }
        if (!Boolean.TRUE.equals(outcome)) {
            throw new AssertionError("not true after 45 s: " + condition + "\n" + driver.getCurrentUrl() + '\n'
                    + read("document.body.innerText") + '\n' + console());
        }
    }

    /** The script of the page may replace the element between the search and the click. */
    @Override
    public void click(String selector) {
        Patience.await("a click on " + selector).ignoreException(StaleElementReferenceException.class).until(() -> {
            find(selector).click();
            return true;
        });
    }

    /** Moves the mouse to the centre of an element. */
    public void hover(String selector) {
        new Actions(driver).moveToElement(find(selector)).perform();
    }

    /** The mouse and the fingers of the reader. */
    public Pointer pointer() {
        return pointer;
    }

    /** The centre of an element that an expression of the page finds, in the view. */
    public Point centre(String expression) {
        List<?> place = (List<?>) read("(() => { const box = (" + expression + ").getBoundingClientRect();"
                + " return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round); })()");
        return new Point(((Number) place.get(0)).intValue(), ((Number) place.get(1)).intValue());
    }

    @Override
    public void type(CharSequence... keys) {
        new Actions(driver).sendKeys(String.join("", keys)).perform();
    }

    @Override
    public void typeSlowly(Duration pause, CharSequence... keys) {
        Actions actions = new Actions(driver);
        String.join("", keys).codePoints()
                .forEach(key -> actions.sendKeys(Character.toString(key)).pause(pause));
        actions.perform();
    }

    /** Moves the focus to an element by the key Tab. */
    public void tabTo(String selector) {
        for (int i = 0; i < 80; i++) {
            if (Boolean.TRUE.equals(read("document.activeElement.matches('" + selector + "')"))) {
                return;
            }
            type(Keys.TAB);
        }
        throw new AssertionError("no way to " + selector);
    }

    /** Types a key while another one is held down. */
    public void typeHolding(Keys held, Keys key) {
        new Actions(driver).keyDown(held).sendKeys(key).keyUp(held).perform();
    }

    /** Drags a file from outside of the browser to a point, and drops it there. */
    public void drop(Path file, Point place) {
        for (String type : List.of("dragEnter", "dragOver", "drop")) {
            cdp("Input.dispatchDragEvent", Map.of("type", type, "x", place.x, "y", place.y, "data",
                    Map.of("items", List.of(), "files", List.of(file.toString()), "dragOperationsMask", 1)));
        }
    }

    public WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    public String url() {
        return driver.getCurrentUrl();
    }

    /** Makes the only other window the current one, when it is open and has an element. Returns the window before. */
    public String enterOtherWindow(String selector) {
        String before = driver.getWindowHandle();
        Patience.await("a window with " + selector).ignoreExceptions().until(() -> {
            String other = driver.getWindowHandles().stream().filter(window -> !window.equals(before)).findFirst()
                    .orElseThrow();
            driver.switchTo().window(other);
            return find(selector).isDisplayed();
        });
        return before;
    }

    /** Makes a window the current one again, when all others are closed. */
    public void returnTo(String window) {
        Patience.await("the end of the other window").until(() -> driver.getWindowHandles().size() == 1);
        driver.switchTo().window(window);
    }

    public void forgetCookies() {
        driver.manage().deleteAllCookies();
    }

    public void back() {
        driver.navigate().back();
    }

    public void width(int pixels) {
        size(pixels, 900);
    }

    public void size(int width, int height) {
        cdp("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** The size of the text in the settings of the browser, in pixels: the unit of widths in style sheets, too. */
    public void textSize(int pixels) {
        cdp("Page.enable", Map.of());
        cdp("Page.setFontSizes", Map.of("fontSizes", Map.of("standard", pixels, "fixed", pixels)));
    }

    /** Emulates a phone: a narrow view and a touch screen, for the pages that are opened next. */
    public void becomePhone() {
        cdp("Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
        setTouchScreen(true);
    }

    public void setTouchScreen(boolean enabled) {
        cdp("Emulation.setTouchEmulationEnabled", Map.of("enabled", enabled));
    }

    public void hideScrollbars() {
        cdp("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    }

    /** The view of the page, as a WebP image. */
    public byte[] screenshot() {
        return screenshot(Map.of("format", "webp", "quality", 80));
    }

    private byte[] screenshot(Map<String, Object> options) {
        return Base64.getDecoder().decode((String) cdp("Page.captureScreenshot", options).get("data"));
    }

    /** What the browser has painted at a place of its view. */
    public Color colour(Point place) throws IOException {
        return new Color(ImageIO.read(new ByteArrayInputStream(screenshot(Map.of("format", "png")))).getRGB(place.x,
                place.y));
    }

    /** Emulates preferences of the reader, {@code prefers-color-scheme} for example. */
    public void prefer(Map<String, String> features) {
        cdp("Emulation.setEmulatedMedia", Map.of("features", features.entrySet().stream()
                .map(feature -> Map.of("name", feature.getKey(), "value", feature.getValue())).toList()));
    }

    /** Emulates the language and the time zone of the reader, for the pages that are opened next. */
    public void localize(String language, String timeZone) {
        cdp("Emulation.setUserAgentOverride",
                Map.of("userAgent", read("navigator.userAgent"), "acceptLanguage", language));
        cdp("Emulation.setTimezoneOverride", Map.of("timezoneId", timeZone));
    }

    /** Saves downloads in a folder, without asking. */
    public void saveTo(Path folder) {
        cdp("Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", folder.toString()));
    }

    /** Prints the page, as the reader does. */
    public void print() {
        cdp("Page.printToPDF", Map.of());
    }

    /** Lets time pass, as a reader does while typing or reading. */
    public void rest(Duration time) {
        call("(time => new Promise(done => setTimeout(done, time)))", time.toMillis());
    }

    public void setScripts(boolean enabled) {
        cdp("Emulation.setScriptExecutionDisabled", Map.of("value", !enabled));
    }

    /**
     * @param latency
     *            in milliseconds
     */
    public void setNetwork(boolean online, int latency) {
        setNetwork(online, latency, -1);
    }

    /**
     * @param latency
     *            in milliseconds
     * @param throughput
     *            in bytes a second; negative without a limit
     */
    public void setNetwork(boolean online, int latency, int throughput) {
        cdp("Network.enable", Map.of());
        cdp("Network.emulateNetworkConditions", Map.of("offline", !online, "latency", latency, "downloadThroughput",
                throughput, "uploadThroughput", throughput));
    }

    /** Makes requests for some addresses fail, also for files that the browser has in its cache. */
    public void block(String... patterns) {
        cdp("Network.enable", Map.of());
        cdp("Network.setCacheDisabled", Map.of("cacheDisabled", patterns.length > 0));
        cdp("Network.setBlockedURLs", Map.of("urls", List.of(patterns)));
    }

    private Map<String, Object> cdp(String command, Map<String, Object> parameters) {
        return driver.executeCdpCommand(command, parameters);
    }

    /** What a screen reader finds, in its order: the role of each element, and its name in quotes. */
    public List<String> accessibilityTree() {
        Map<Object, Map<?, ?>> nodes = new LinkedHashMap<>();
        ((List<?>) cdp("Accessibility.getFullAXTree", Map.of()).get("nodes"))
                .forEach(node -> nodes.put(((Map<?, ?>) node).get("nodeId"), (Map<?, ?>) node));
        List<String> tree = new ArrayList<>();
        add(nodes, nodes.keySet().iterator().next(), tree);
        return tree;
    }

    private static void add(Map<Object, Map<?, ?>> nodes, Object id, List<String> tree) {
        Map<?, ?> node = nodes.get(id);
        if (node == null) {
            return;
        }
        if (Boolean.FALSE.equals(node.get("ignored"))) {
            Object name = node.get("name") instanceof Map<?, ?> named ? named.get("value") : "";
            tree.add(((Map<?, ?>) node.get("role")).get("value") + " \"" + name + '"');
        }
        ((List<?>) node.get("childIds")).forEach(child -> add(nodes, child, tree));
    }

    /** The violations of accessibility that axe-core finds while all disclosures are open: rule and element. */
    public List<?> violations() {
        if (Boolean.FALSE.equals(read("'axe' in window"))) {
            try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
                driver.executeScript(new String(script.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        // A colour that changes has another contrast meanwhile.
        await("document.getAnimations().every(each => !(each instanceof CSSTransition) || each.playState !== 'running')");
        // The operations of an OpenAPI document are loaded when a reader opens them.
        return (List<?>) call(
                "(async () => { const closed = [...document.querySelectorAll('details:not([open], .try, .operation)')];"
                        + " closed.forEach(each => { each.open = true; }); const { violations } = await axe.run();"
                        + " closed.forEach(each => { each.open = false; }); return violations.flatMap("
                        + "rule => rule.nodes.map(node => `${rule.id}: ${node.html} ${node.failureSummary}`)); })");
    }

    /** The messages of the console since the last call: errors of scripts, blocked files, and what the page has logged. */
    public List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::toString).toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
