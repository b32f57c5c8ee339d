package io.datasetlisting.support;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import nu.validator.htmlparser.common.XmlViolationPolicy;
import nu.validator.htmlparser.dom.HtmlDocumentBuilder;

/** A page as a browser parses it. */
public record HtmlPage(Document document) {

    public static HtmlPage parse(String html) {
        try {
            return new HtmlPage(new HtmlDocumentBuilder(XmlViolationPolicy.ALLOW)
                    .parse(new InputSource(new StringReader(html))));
        } catch (SAXException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The elements with this name, in the order of the page. {@code *} finds all elements. */
    public List<Element> all(String name) {
        NodeList found = document.getElementsByTagNameNS("*", name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
    }

    /** The elements with this name whose attribute has this value. */
    public List<Element> all(String name, String attribute, String value) {
        return all(name).stream().filter(element -> element.getAttribute(attribute).equals(value)).toList();
    }

    /** The texts of the elements with this name. */
    public List<String> texts(String name) {
        return all(name).stream().map(Element::getTextContent).toList();
    }

    /** The content of the only {@code meta} element whose attribute has this value. */
    public String meta(String attribute, String value) {
        List<Element> found = all("meta", attribute, value);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " elements meta " + value);
        }
        return found.get(0).getAttribute("content");
    }
}
