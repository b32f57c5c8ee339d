package io.datasetlisting.support;

import java.time.Duration;
import java.util.List;

import org.openqa.selenium.Point;
import org.openqa.selenium.interactions.Interaction;
import org.openqa.selenium.interactions.PointerInput;
import org.openqa.selenium.interactions.PointerInput.Kind;
import org.openqa.selenium.interactions.PointerInput.MouseButton;
import org.openqa.selenium.interactions.PointerInput.Origin;
import org.openqa.selenium.interactions.Sequence;
import org.openqa.selenium.remote.RemoteWebDriver;

/**
 * The mouse and two fingers of a reader. The browser receives them as from a device, so that an element is reached only where it
 * is visible. Points are pixels from the top left corner of the view.
 */
public final class Pointer {

    private static final int STEPS = 10;
    private static final Duration STEP = Duration.ofMillis(20);
    private static final int LEFT = MouseButton.LEFT.asArg();

    private final RemoteWebDriver driver;
    private final PointerInput mouse = new PointerInput(Kind.MOUSE, "mouse");
    private final List<PointerInput> fingers = List.of(new PointerInput(Kind.TOUCH, "first finger"),
            new PointerInput(Kind.TOUCH, "second finger"));

    Pointer(RemoteWebDriver driver) {
        this.driver = driver;
    }

    /** Moves the mouse in small steps, as a hand does. */
    public void move(Point from, Point to) {
        Sequence path = new Sequence(mouse, 0);
        addPath(path, mouse, from, to);
        driver.perform(List.of(path));
    }

    public void move(Point to) {
        driver.perform(List.of(new Sequence(mouse, 0).addAction(moveTo(mouse, to))));
    }

    public void click(Point point) {
        driver.perform(List.of(new Sequence(mouse, 0).addAction(moveTo(mouse, point))
                .addAction(mouse.createPointerDown(LEFT)).addAction(mouse.createPointerUp(LEFT))));
    }

    /** Moves the mouse with its button held down. */
    public void drag(Point from, Point to) {
        Sequence path = new Sequence(mouse, 0).addAction(moveTo(mouse, from)).addAction(mouse.createPointerDown(LEFT));
        addPath(path, mouse, from, to);
        driver.perform(List.of(path.addAction(mouse.createPointerUp(LEFT))));
    }

    /** Touches a point with a finger for a moment. */
    public void tap(Point point) {
        driver.perform(List.of(swipe(0, point, point)));
    }

    /** Moves one finger over the view. */
    public void swipe(Point from, Point to) {
        driver.perform(List.of(swipe(0, from, to)));
    }

    /** Moves two fingers over the view at the same time: to the same side, together, or apart. */
    public void swipe(Point from, Point to, Point secondFrom, Point secondTo) {
        driver.perform(List.of(swipe(0, from, to), swipe(1, secondFrom, secondTo)));
    }

    private Sequence swipe(int finger, Point from, Point to) {
        PointerInput input = fingers.get(finger);
        Sequence path = new Sequence(input, 0).addAction(moveTo(input, from))
                .addAction(input.createPointerDown(LEFT));
        if (!from.equals(to)) {
            addPath(path, input, from, to);
        }
        return path.addAction(input.createPointerUp(LEFT));
    }

    private static void addPath(Sequence path, PointerInput input, Point from, Point to) {
        for (int i = 0; i <= STEPS; i++) {
            path.addAction(input.createPointerMove(STEP, Origin.viewport(),
                    from.x + (to.x - from.x) * i / STEPS, from.y + (to.y - from.y) * i / STEPS));
        }
    }

    private static Interaction moveTo(PointerInput input, Point point) {
        return input.createPointerMove(Duration.ZERO, Origin.viewport(), point.x, point.y);
    }
}
