package io.datasetlisting.support;

import java.io.Closeable;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Controls a headless Chromium, if the machine has one. */
public final class Browser implements Closeable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ChromeDriver driver;

    private Browser(File browser, File driver) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser);
        // Builds run as root and in containers, where there is no sandbox and little shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--no-proxy-server", "--disable-background-networking", "--disable-component-update",
                "--no-first-run");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        this.driver = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(driver).usingAnyFreePort().build(), options);
        this.driver.manage().timeouts().scriptTimeout(TIMEOUT).pageLoadTimeout(TIMEOUT);
    }

    /** Starts the browser. Skips the calling test on a machine without a browser. */
    public static Browser start() {
        File browser = Program.find("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
        File driver = Program.find("chromedriver");
        Requirement.require(browser != null && driver != null,
                "Chromium with chromedriver (Debian's packages chromium and chromium-driver)");
        return new Browser(browser, driver);
    }

    public void open(String url) {
        driver.get(url);
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

    /** Calls a method of the Chrome DevTools Protocol. */
    public Map<String, Object> devTools(String method, Map<String, Object> parameters) {
        return driver.executeCdpCommand(method, parameters);
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
