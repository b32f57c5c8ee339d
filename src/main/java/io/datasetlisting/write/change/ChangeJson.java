package io.datasetlisting.write.change;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import jakarta.inject.Singleton;

import io.datasetlisting.base.Sha256;
import io.datasetlisting.catalogue.rank.ChangesConfig;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.http.paging.ChangeCursors;

/**
 * Writes changes as JSON, as lines, and as server-sent events in the form of CloudEvents 1.0.
 *
 * @see <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md">CloudEvents, JSON</a>
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent events</a>
 */
@Singleton
class ChangeJson {

    /**
     * The first chunk of a stream of events, because the headers do not wait for a change, and the last one of a stream that the
     * service ends. A client connects again after 2 seconds.
     */
    static final byte[] RETRY = "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] END_OF_EVENT = "\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final String TYPE = "io.datasetlisting.dataset.";

    private final String tombstones;
    private final Clock clock;

    ChangeJson(ChangesConfig config, Clock clock) {
        this.clock = clock;
        tombstones = config.keep().isPresent() ? "transient" : "persistent";
    }

    /**
     * What decides the bytes of a page besides its changes.
     *
     * @param base
     *            the public address, without a slash at its end
     */
    record Form(EntryWriter entries, String base, ChangeCursors.Scope scope) {

        private String name(String type) {
            return type + entries.member() + base;
        }
    }

    ChangePage.Representation page(ChangePage page, Form form) {
        return page.written(form.name("json "), () -> {
            Bytes out = new Bytes();
            out.add("{\"changes\":[");
            String separator = "";
            for (Change change : page.changes()) {
                out.add(separator).add(entry(change, form));
                separator = ",";
            }
            out.add("],").add(state(page));
            // The hour renews the tag, so that a client that gets 304 again and again soon has a newer position.
            EntityTag tag = new EntityTag(Sha256.number(out.toByteArray()),
                    "changes" + clock.instant().truncatedTo(ChronoUnit.HOURS).getEpochSecond());
            return new ChangePage.Representation(out.add(next(page, form)).add("}").toByteArray(), tag);
        });
    }

    /** A line for each change, and a last line with the position. The platform ends the last line. */
    byte[] lines(ChangePage page, Form form) {
        Bytes out = new Bytes();
        page.changes().forEach(change -> out.add(entry(change, form)).add("\n"));
        return out.add("{").add(state(page)).add(next(page, form)).add("}").toByteArray();
    }

    /** An event for each change, some of them with a position. Without a change an event without data has it. */
    byte[] events(ChangePage page, Form form) {
        return page.written(form.name("events "), () -> {
            Bytes out = new Bytes();
            List<Change> changes = page.changes();
            for (int i = 0; i < changes.size(); i++) {
                Change change = changes.get(i);
                boolean isPut = change.dataset() != null;
                ChangeCursor position = page.positionAfter(i);
                if (position != null) {
                    out.add("id: ").add(form.scope.write(position)).add("\n");
                }
                out.add("data: {\"specversion\":\"1.0\",\"id\":\"").add(change.id() + ":")
                        .add(isPut ? change.dataset().revision().text() : "gone:" + page.next().seen())
                        .add("\",\"source\":\"").add(form.base + Endpoints.DATASETS)
                        .add("\",\"type\":\"" + TYPE).add(isPut ? "put" : "gone")
                        .add("\",\"subject\":\"" + change.id()).add("\",\"time\":\"").add(page.asOf().toString())
                        .add("\",\"datacontenttype\":\"application/json\",\"data\":").add(entry(change, form))
                        .add("}").add(END_OF_EVENT);
            }
            if (changes.isEmpty()) {
                out.add("id: ").add(form.scope.write(page.next())).add(END_OF_EVENT);
            }
            return new ChangePage.Representation(out.toByteArray(), null);
        }).bytes();
    }

    /** The event that tells a client to copy everything again. */
    static byte[] reset(String detail) {
        return ("event: reset\ndata: {\"detail\":\"" + detail + "\"}\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @param cursor
     *            the token of the position, as the client has sent it
     */
    static byte[] digest(Digest digest, String cursor) {
        Bytes out = new Bytes();
        out.add("{\"cursor\":\"").add(cursor)
                .add("\",\"catalogue\":\"" + digest.catalogue() + "\",\"block_size\":" + Digest.SIZE)
                .add(",\"blocks\":[");
        String separator = "";
        for (Map.Entry<Long, Digest.Block> block : digest.blocks().entrySet()) {
            out.add(separator).add("{\"block\":" + block.getKey() + ",\"count\":" + block.getValue().count())
                    .add(String.format(",\"sum\":\"%016x\"}", block.getValue().sum()));
            separator = ",";
        }
        return out.add("]}").toByteArray();
    }

    private static byte[] entry(Change change, Form form) {
        Bytes out = new Bytes();
        if (change.dataset() == null) {
            return out.add("{\"change\":\"gone\",").add(form.entries.gone(change.id(), change.uavUid())).add("}")
                    .toByteArray();
        }
        return out.add("{\"change\":\"put\",\"revision\":\"").add(change.dataset().revision().text()).add("\",\"")
                .add(form.entries.member()).add("\":").add(form.entries.write(change.dataset(), form.base))
                .add(form.entries.details(change.dataset())).add("}").toByteArray();
    }

    /** The tag leaves it out, because it moves with changes that the caller does not see. */
    private static String next(ChangePage page, Form form) {
        return ",\"next\":\"" + form.scope.write(page.next()) + '"';
    }

    private String state(ChangePage page) {
        return "\"more\":" + page.hasMore() + ",\"as_of\":\"" + page.asOf()
                + "\",\"tombstones\":\"" + tombstones + "\",\"catalogue\":\"" + page.catalogue() + '"';
    }

    /** Collects texts without characters that JSON must escape, and JSON. */
    private static final class Bytes extends ByteArrayOutputStream {

        Bytes add(String text) {
            return add(text.getBytes(StandardCharsets.UTF_8));
        }

        Bytes add(byte[] bytes) {
            writeBytes(bytes);
            return this;
        }
    }
}
