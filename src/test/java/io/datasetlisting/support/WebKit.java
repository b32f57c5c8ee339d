package io.datasetlisting.support;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.MutableCapabilities;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.remote.RemoteWebDriver;

/** Controls WebKitGTK on a display in memory, if the machine has both. */
public final class WebKit implements AnyBrowser {

    private final Process process;
    private final RemoteWebDriver driver;

    private WebKit(Process process, RemoteWebDriver driver) {
        this.process = process;
        this.driver = driver;
    }

    /** Starts the browser. Skips the calling test on a machine without it. */
    public static WebKit start() throws IOException {
        File server = Program.find("WebKitWebDriver");
        File display = Program.find("xvfb-run");
        Path browser = Stream.of("4.1", "4.0").map(version -> Path.of("/usr/lib/x86_64-linux-gnu/webkit2gtk-" + version,
                "MiniBrowser")).filter(Files::isExecutable).findFirst().orElse(null);
        Requirement.requireLocally(server != null && display != null && browser != null,
                "WebKitGTK (Debian's packages webkit2gtk-driver and xvfb)");
        int port = FreePort.find();
        ProcessBuilder builder = new ProcessBuilder(display.toString(), "-a", server.toString(), "--port=" + port)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "GDK_BACKEND", "x11",
                "LIBGL_ALWAYS_SOFTWARE", "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"));
        Process process = builder.start();
        try {
            MutableCapabilities options = new MutableCapabilities(Map.of("browserName", "MiniBrowser",
                    "webkitgtk:browserOptions", Map.of("binary", browser.toString(), "args", List.of("--automation"))));
            return new WebKit(process, Patience.await("WebKitGTK").ignoreExceptions().until(
                    () -> new RemoteWebDriver(URI.create("http://127.0.0.1:" + port).toURL(), options), made -> true));
        } catch (RuntimeException | Error e) {
            stop(process);
            throw e;
        }
    }

    @Override
    public void openPage(URI url) {
        driver.get(url.toString());
    }

    public void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    @Override
    public Object read(String expression) {
        return driver.executeScript("return " + expression);
    }

    @Override
    public void await(String condition) {
        Patience.await(condition).ignoreExceptions()
                .until(() -> Boolean.TRUE.equals(read("Boolean(" + condition + ")")));
    }

    @Override
    public void click(String selector) {
        find(selector).click();
    }

    @Override
    public void type(CharSequence... keys) {
        typeSlowly(Duration.ZERO, keys);
    }

    @Override
    public void typeSlowly(Duration pause, CharSequence... keys) {
        Actions actions = new Actions(driver);
        String.join("", keys).codePoints()
                .forEach(key -> actions.sendKeys(Character.toString(key)).pause(pause));
        actions.perform();
    }

    public WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    @Override
    public void close() {
        driver.quit();
        stop(process);
    }

    private static void stop(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
