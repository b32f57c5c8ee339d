package io.datasetlisting.http;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.quarkus.qute.HtmlEscaper;

/** Writes an error as a small page. It needs no template, so that every handler can send it, also when a template fails. */
final class ErrorPage {

    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%1$s</title>
            <link rel="icon" href="%2$sassets/icon.svg">
            <link rel="stylesheet" href="%2$sassets/leaflet-1.9.4.css">
            <link rel="stylesheet" href="%2$sassets/page.css">
            <script src="%2$sassets/leaflet-1.9.4.js" defer></script>
            <script type="module" src="%2$sassets/page.js"></script>
            </head>
            <body data-root="%2$s">
            <header>
            <a class="catalogue" href="%2$sdatasets/">Datasets</a>
            <nav aria-label="Service"><a href="%2$sdocs/">API</a> <a href="%2$sstac?f=html">STAC</a></nav>
            </header>
            <p id="notice" role="status"></p>
            <main id="content" tabindex="-1">
            <h1>%1$s</h1>
            %3$s<p><a href="%2$sdatasets/">All datasets</a></p>
            </main>
            </body>
            </html>
            """;

    private static final HtmlEscaper ESCAPER = new HtmlEscaper(List.of(MediaTypes.HTML));

    private ErrorPage() {
    }

    /**
     * @param path
     *            path of the request, as the client has sent it
     * @param fields
     *            the messages of each field, or null
     */
    static String write(String path, String title, String detail, ObjectNode fields) {
        // Below the title "Not Found" the same words say nothing.
        String sentence = detail.equalsIgnoreCase(title + '.') ? "The service has no page at this address." : detail;
        StringBuilder messages = new StringBuilder();
        for (String message : ApiException.sentences(sentence, fields)) {
            messages.append("<p>").append(escape(message)).append("</p>\n");
        }
        return PAGE.formatted(escape(title), PublicUrl.root(path), messages);
    }

    private static String escape(String text) {
        return ESCAPER.map(text, null);
    }
}
