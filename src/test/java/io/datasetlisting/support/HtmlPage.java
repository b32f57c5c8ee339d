package io.datasetlisting.support;

import java.io.IOException;
import java.io.StringReader;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.namespace.NamespaceContext;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import nu.validator.htmlparser.common.XmlViolationPolicy;
import nu.validator.htmlparser.dom.HtmlDocumentBuilder;

/** A page as a browser parses it, without scripts. In XPath, elements have the prefix {@code h}. */
public record HtmlPage(Document document) {

    public static HtmlPage parse(String html) {
        try {
            return new HtmlPage(new HtmlDocumentBuilder(XmlViolationPolicy.FATAL)
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

    /** The text of each node that an XPath expression selects, without white space around it. */
    public List<String> select(String expression) {
        try {
            NodeList nodes = (NodeList) xpath().evaluate(expression, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength()).mapToObj(i -> nodes.item(i).getTextContent().strip()).toList();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(expression, e);
        }
    }

    /** The text of the only node that an XPath expression selects. */
    public String one(String expression) {
        List<String> selected = select(expression);
        if (selected.size() != 1) {
            throw new AssertionError(expression + " selects " + selected);
        }
        return selected.get(0);
    }

    /** The ids of the datasets of a list. */
    public List<Long> ids() {
        return select("//h:ol[@class='datasets']/h:li/@data-id").stream().map(Long::valueOf).toList();
    }

    private static XPath xpath() {
        XPath xpath = XPathFactory.newInstance().newXPath();
        xpath.setNamespaceContext(new NamespaceContext() {

            @Override
            public String getNamespaceURI(String prefix) {
                return "http://www.w3.org/1999/xhtml";
            }

            @Override
            public String getPrefix(String namespace) {
                return "h";
            }

            @Override
            public Iterator<String> getPrefixes(String namespace) {
                return List.of("h").iterator();
            }
        });
        return xpath;
    }
}
