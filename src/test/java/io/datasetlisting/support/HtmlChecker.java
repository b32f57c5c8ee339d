package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

import nu.validator.validation.SimpleDocumentValidator;

/** Checks pages with the checker of the W3C, without the network. Warnings count as errors. */
public final class HtmlChecker {

    private static final String SCHEMA = "http://s.validator.nu/html5-all.rnc";

    /**
     * The checker is of 2020. It does not know what all browsers have learned since, and that the standard has forms of dialogs.
     */
    private static final Pattern IGNORED = Pattern.compile(
            "^Attribute “popover(target|targetaction)?” not allowed"
                    + "|^The “(inputmode|date|datetime-local|dialog)” .* is not supported in all browsers"
                    // The linter of .ci/run checks the style.
                    + "|^CSS: "
                    + "|^Bad value “dialog” for attribute “method” on element “form”");

    private static SimpleDocumentValidator validator;

    private HtmlChecker() {
    }

    /** Fails with all messages if the page is not valid HTML. */
    public static void check(String page, String html) {
        assertEquals(List.of(), messages(html), page);
    }

    /** The errors and warnings about a page. The checker is not thread-safe, and takes a second to start. */
    public static synchronized List<String> messages(String html) {
        Messages messages = new Messages();
        try {
            if (validator == null) {
                validator = new SimpleDocumentValidator(false, false, false);
                validator.setUpMainSchema(SCHEMA, messages);
            }
            validator.setUpValidatorAndParsers(messages, false, false);
            validator.checkHtmlInputSource(new InputSource(new StringReader(html)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return messages.found;
    }

    private static final class Messages implements ErrorHandler {

        private final List<String> found = new ArrayList<>();

        @Override
        public void warning(SAXParseException e) {
            add(e);
        }

        @Override
        public void error(SAXParseException e) {
            add(e);
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            add(e);
        }

        private void add(SAXParseException e) {
            if (!IGNORED.matcher(e.getMessage()).find()) {
                found.add("line " + e.getLineNumber() + ": " + e.getMessage());
            }
        }
    }
}
