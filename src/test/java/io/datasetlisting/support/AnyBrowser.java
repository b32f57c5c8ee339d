package io.datasetlisting.support;

import java.io.Closeable;
import java.net.URI;
import java.time.Duration;

/** What a test does with a page in any browser. */
public interface AnyBrowser extends Closeable {

    /** Opens a page for people, and waits until it is complete. */
    void openPage(URI url);

    /** The value of an expression of the page. */
    Object read(String expression);

    /** Waits until an expression of the page is true. */
    void await(String condition);

    /** Presses and releases the button of the mouse at the centre of an element. */
    void click(String selector);

    /** Types into the element that has the focus. */
    void type(CharSequence... keys);

    /** Types with a pause after each key. */
    void typeSlowly(Duration pause, CharSequence... keys);
}
