package io.datasetlisting.faces.list;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.write.change.RecentChanges;
import io.quarkus.qute.HtmlEscaper;

/**
 * Writes the newest changes as an Atom feed, with a tombstone for each dataset that is gone.
 *
 * @param language
 *            of the reader
 * @param author
 *            the name of the catalogue
 * @param filters
 *            the filters in words, empty without filters; a feed reader shows feeds by their titles alone
 * @param self
 *            the address of the feed
 * @param page
 *            the address of the changes as a page
 * @param service
 *            public address of the service, without a slash at its end
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4287">RFC 4287</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6721">RFC 6721</a>
 */
record AtomFeed(Language language, String author, String filters, String self, String page, String service) {

    private static final HtmlEscaper ESCAPER = new HtmlEscaper(List.of(MediaTypes.XML));
    private static final String BEGIN = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xml:lang="%s">
            <id>%s</id>
            <title>%s</title>
            <updated>%s</updated>
            <author><name>%s</name></author>
            <link rel="self" type="application/atom+xml" href="%s"/>
            <link rel="alternate" type="text/html" href="%s"/>
            """;
    private static final String GONE = """
            <at:deleted-entry ref="%s" when="%s"/>
            """;
    /** Only the page is an alternate: some feed readers open the last alternate of an entry, whatever its type. */
    private static final String ENTRY = """
            <entry>
            <id>%s</id>
            <title>%s</title>
            <updated>%s</updated>%s
            <author><name>%s</name></author>
            <link rel="alternate" type="text/html" href="%s"/>
            <link rel="related" type="application/json" href="%s"/>
            <category term="%s" label="%s"/>
            <summary>%s %s, %s</summary>
            </entry>
            """;
    private static final String ID = "urn:uuid:";

    byte[] write(RecentChanges changes) {
        Words words = Words.in(language);
        String captured = words.of("dataset:label_captured");
        StringBuilder xml = new StringBuilder(BEGIN.formatted(language.tag(), text(self),
                text(Stream.of(words.of("msg:changes"), filters, author).filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" · "))),
                changes.time(), text(author),
                text(self),
                text(page)));
        changes.entries().forEach(entry -> xml.append(entry.dataset() == null
                ? GONE.formatted(ID + entry.uavUid(), entry.time())
                : entry(entry, words, captured)));
        return xml.append("</feed>\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private String entry(RecentChanges.Entry entry, Words words, String captured) {
        Card card = Card.of(entry.dataset().dataset(), key -> null);
        boolean isNew = entry.dataset().isNew();
        return ENTRY.formatted(ID + entry.uavUid(), text(card.name()), entry.time(),
                entry.dataset().created() == null ? "" : "\n<published>" + entry.dataset().created() + "</published>",
                text(card.owner()), text(service + Endpoints.PAGES + entry.id() + '/'),
                text(service + Endpoints.DATASETS + entry.id() + '/'), isNew ? "added" : "changed",
                text(words.of(isNew ? "msg:change_added" : "msg:change_changed")), text(captured), card.moment(),
                text(card.place()));
    }

    /** A text in XML. In place of each character that XML 1.0 does not allow it has U+FFFD. */
    private static String text(String text) {
        StringBuilder allowed = new StringBuilder(text.length());
        text.codePoints().map(c -> isAllowed(c) ? c : '\uFFFD').forEach(allowed::appendCodePoint);
        return ESCAPER.map(allowed.toString(), null);
    }

    /** The production {@code Char} of XML 1.0. A surrogate without its pair is not allowed. */
    private static boolean isAllowed(int c) {
        return c == '\t' || c == '\n' || c == '\r' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD
                || c >= 0x10000;
    }
}
