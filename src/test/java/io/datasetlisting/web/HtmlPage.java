package io.datasetlisting.web;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.namespace.NamespaceContext;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import io.restassured.response.Response;
import nu.validator.htmlparser.dom.HtmlDocumentBuilder;

/** A page as a browser parses it, without scripts. Elements have the prefix {@code h} in XPath. */
final class HtmlPage {

    private final Document document;

    private HtmlPage(Document document) {
        this.document = document;
    }

    static HtmlPage of(Response response) {
        try {
            HtmlDocumentBuilder parser = new HtmlDocumentBuilder();
            return new HtmlPage(parser.parse(new InputSource(new StringReader(response.asString()))));
        } catch (SAXException e) {
            throw new AssertionError(response.asString(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of each node that an expression selects. */
    List<String> all(String expression) {
        try {
            NodeList nodes = (NodeList) xpath().evaluate(expression, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength()).mapToObj(i -> nodes.item(i).getTextContent().strip()).toList();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(expression, e);
        }
    }

    /** The text of the only node that an expression selects. */
    String one(String expression) {
        List<String> all = all(expression);
        if (all.size() != 1) {
            throw new AssertionError(expression + " selects " + all);
        }
        return all.get(0);
    }

    /** The ids of the datasets. */
    List<Long> ids() {
        return all("//h:ol[@class='datasets']/h:li/@data-id").stream().map(Long::valueOf).toList();
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
