package io.datasetlisting.http;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

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
        for (String message : fields == null ? List.of(sentence) : messages(fields)) {
            messages.append("<p>").append(escape(message)).append("</p>\n");
        }
        // The service may stand behind a path prefix, so the links are relative.
        String root = "../".repeat((int) Math.max(0, path.chars().filter(c -> c == '/').count() - 1));
        return PAGE.formatted(escape(title), root.isEmpty() ? "./" : root, messages);
    }

    private static List<String> messages(ObjectNode fields) {
        List<String> messages = new ArrayList<>();
        fields.properties().forEach(field -> {
            for (JsonNode message : field.getValue()) {
                messages.add(field.getKey() + ": " + message.asText());
            }
        });
        return messages;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
