package io.datasetlisting.support;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.imageio.ImageIO;

import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.bidi.BiDi;
import org.openqa.selenium.bidi.Command;
import org.openqa.selenium.bidi.Connection;
import org.openqa.selenium.bidi.Event;
import org.openqa.selenium.interactions.KeyInput;
import org.openqa.selenium.interactions.Pause;
import org.openqa.selenium.interactions.PointerInput;
import org.openqa.selenium.interactions.PointerInput.Kind;
import org.openqa.selenium.interactions.PointerInput.Origin;
import org.openqa.selenium.interactions.Sequence;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.remote.http.ClientConfig;
import org.openqa.selenium.remote.http.HttpClient;

/**
 * Controls a headless Firefox, if the machine has one. Debian has no geckodriver, which Selenium's driver needs, so that this
 * class sends the commands of WebDriver BiDi to Firefox itself.
 */
public final class Firefox implements AnyBrowser {

    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final Duration SWIPE = Duration.ofMillis(200);
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(30);

    private final FirefoxProcess process;
    private final HttpClient client;
    private final BiDi session;
    private final Queue<String> console = new ConcurrentLinkedQueue<>();
    private String tab;

    private Firefox(FirefoxProcess process) {
        this.process = process;
        URI address = process.address();
        this.client = HttpClient.Factory.createDefault()
                .createClient(ClientConfig.defaultConfig().baseUri(address).connectionTimeout(LONGEST_CONNECT));
        this.session = new BiDi(new Connection(client, address.toString()));
        send("session.new", Map.of("capabilities", Map.of()));
        session.addListener(new Event<>("log.entryAdded", entry -> entry.get("level") + ": " + entry.get("text")),
                console::add);
    }

    /** Starts the browser. Skips the calling test on a machine without Firefox. */
    public static Firefox start() throws IOException {
        File program = Program.find("firefox-esr", "firefox");
        Requirement.require(program != null, "Firefox (Debian's package firefox-esr)");
        FirefoxProcess process = FirefoxProcess.start(program);
        try {
            return new Firefox(process);
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    /** Replaces the tab of the last test. A new tab has no session storage, and the console is empty. */
    public void newTab(int width, int height) {
        String last = tab;
        tab = (String) send("browsingContext.create", Map.of("type", "tab")).get("context");
        if (last != null) {
            send("browsingContext.close", Map.of("context", last));
        }
        console();
        size(width, height);
    }

    /** The script of a page for people is a module, which runs before the page is complete. */
    @Override
    public void openPage(URI url) {
        send("browsingContext.navigate", Map.of("context", tab, "url", url.toString(), "wait", "complete"));
    }

    public void back() {
        send("browsingContext.traverseHistory", Map.of("context", tab, "delta", -1));
    }

    public String url() {
        return (String) read("location.href");
    }

    public void size(int width, int height) {
        send("browsingContext.setViewport",
                Map.of("context", tab, "viewport", Map.of("width", width, "height", height)));
    }

    /** The value of an expression, or of its promise, as JSON has it. */
    @Override
    public Object read(String expression) {
        Map<String, Object> outcome = send("script.evaluate",
                Map.of("expression", "(async () => JSON.stringify(await (" + expression + ")))()", "target",
                        Map.of("context", tab), "awaitPromise", true));
        if (!"success".equals(outcome.get("type"))) {
            Object problem = ((Map<?, ?>) outcome.get("exceptionDetails")).get("text");
            throw new IllegalStateException(expression + ": " + problem);
        }
        Object text = ((Map<?, ?>) outcome.get("result")).get("value");
        return text == null ? null : new Json().toType((String) text, Object.class);
    }

    @Override
    public void await(String condition) {
        try {
            Patience.await(condition).atMost(PATIENCE).ignoreExceptions()
                    .until(() -> Boolean.TRUE.equals(read("Boolean(" + condition + ")")));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not true after " + PATIENCE + ": " + condition + '\n' + url() + '\n'
                    + read("document.body.innerText") + '\n' + console(), e);
        }
    }

    /** Moves the mouse to the centre of an element. */
    public void hover(String selector) {
        perform(at(new PointerInput(Kind.MOUSE, "mouse"), selector));
    }

    @Override
    public void click(String selector) {
        press(new PointerInput(Kind.MOUSE, "mouse"), selector);
    }

    /** Taps the centre of an element with one finger. */
    public void tap(String selector) {
        press(new PointerInput(Kind.TOUCH, "finger"), selector);
    }

    /** Puts one finger on the centre of an element, moves it up, and lifts it. */
    public void swipeUp(String selector, int pixels) {
        PointerInput finger = new PointerInput(Kind.TOUCH, "finger");
        perform(at(finger, selector).addAction(finger.createPointerDown(0))
                .addAction(finger.createPointerMove(SWIPE, Origin.pointer(), 0, -pixels))
                .addAction(finger.createPointerUp(0)));
    }

    private void press(PointerInput pointer, String selector) {
        perform(at(pointer, selector).addAction(pointer.createPointerDown(0))
                .addAction(pointer.createPointerUp(0)));
    }

    private Sequence at(PointerInput pointer, String selector) {
        List<?> centre = (List<?>) read("""
                (() => {
                  const element = document.querySelector(%s);
                  element.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
                  const { left, top, width, height } = element.getBoundingClientRect();
                  return [left + width / 2, top + height / 2].map(Math.floor);
                })()""".formatted(new Json().toJson(selector)));
        return new Sequence(pointer, 0).addAction(pointer.createPointerMove(Duration.ZERO, Origin.viewport(),
                ((Number) centre.get(0)).intValue(), ((Number) centre.get(1)).intValue()));
    }

    @Override
    public void type(CharSequence... keys) {
        typeSlowly(Duration.ZERO, keys);
    }

    @Override
    public void typeSlowly(Duration pause, CharSequence... keys) {
        KeyInput keyboard = new KeyInput("keyboard");
        Sequence sequence = new Sequence(keyboard, 0);
        String.join("", keys).codePoints().forEach(key -> sequence.addAction(keyboard.createKeyDown(key))
                .addAction(keyboard.createKeyUp(key)).addAction(new Pause(keyboard, pause)));
        perform(sequence);
    }

    private void perform(Sequence sequence) {
        send("input.performActions", Map.of("context", tab, "actions", List.of(sequence.toJson())));
    }

    /** The picture of a rectangle of the view. */
    public BufferedImage picture(int left, int top, int width, int height) throws IOException {
        Map<String, Object> area = Map.of("type", "box", "x", left, "y", top, "width", width, "height", height);
        String png = (String) send("browsingContext.captureScreenshot", Map.of("context", tab, "clip", area))
                .get("data");
        return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(png)));
    }

    /** The messages of the console since the last call: errors of scripts, blocked files, and what the page has logged. */
    public List<String> console() {
        List<String> messages = new ArrayList<>();
        for (String message = console.poll(); message != null; message = console.poll()) {
            messages.add(message);
        }
        return messages;
    }

    private Map<String, Object> send(String method, Map<String, Object> parameters) {
        return session.send(new Command<>(method, new HashMap<>(parameters), Map.class));
    }

    @Override
    public void close() throws IOException {
        try (process) {
            client.close();
        }
    }
}
