package io.datasetlisting.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.UnsignedJson;
import io.datasetlisting.storage.ThumbnailLinks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/**
 * The JSON of datasets that were read before: it stays the same until somebody writes them, but for the link. So a page
 * needs to know which revisions are on it, and reads the others alone.
 */
// Caffeine finds what it is made of by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSSMW",
        "com.github.benmanes.caffeine.cache.PSMW"})
@Singleton
public class DatasetJsonCache {

    /** Of an entry, beside its texts: the objects that hold these, and the cache's own bookkeeping. */
    private static final int OVERHEAD = 400;

    private final DatasetJson json;
    /** By the dataset's id. */
    private final Cache<Long, Text> texts;

    DatasetJsonCache(DatasetJson json, CacheConfig config, MeterRegistry meters) {
        this.json = json;
        texts = Caffeine.newBuilder().maximumWeight(config.datasets().asLongValue())
                .<Long, Text>weigher((id, text) -> text.size() + OVERHEAD)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, texts, "dataset.texts");
    }

    /** A dataset's JSON around the link, and the link as it was last signed: it stays the same for half of its lifetime. */
    public static final class Text {

        private final Revision revision;
        private final UnsignedJson json;
        private volatile SignedLink link = new SignedLink("", null);

        private record SignedLink(String signer, byte[] url) {
        }

        Text(Revision revision, UnsignedJson json) {
            this.revision = revision;
            this.json = json;
        }

        /** Bytes of the text, the thumbnail's key and the link. */
        int size() {
            SignedLink signed = link;
            return json.before().length + json.after().length + HeapSize.of(json.thumbnailKey())
                    + (signed.url == null ? 0 : signed.url.length);
        }

        private boolean isSignedBy(ThumbnailLinks.Signer signer) {
            return link.signer.equals(signer.id());
        }

        public int length(ThumbnailLinks.Signer signer) {
            return json.before().length + url(signer).length + 2 + json.after().length;
        }

        public void write(ByteBuffer out, ThumbnailLinks.Signer signer) {
            out.put(json.before()).put((byte) '"').put(url(signer)).put((byte) '"').put(json.after());
        }

        private byte[] url(ThumbnailLinks.Signer signer) {
            SignedLink signed = link;
            if (!signed.signer.equals(signer.id())) {
                signed = new SignedLink(signer.id(),
                        signer.link(json.thumbnailKey()).getBytes(StandardCharsets.US_ASCII));
                link = signed;
            }
            return signed.url;
        }
    }

    /** What is kept at the moment, by the dataset's id. */
    Map<Long, Text> kept() {
        texts.cleanUp();
        return texts.asMap();
    }

    /** The texts of these in their order, with links; null when one of them has been written meanwhile. */
    public Uni<List<Text>> of(List<Revision> revisions, ThumbnailLinks.Signer signer,
            Function<List<Long>, Uni<List<StoredDataset>>> load) {
        List<Text> found = new ArrayList<>(revisions.size());
        List<Long> missing = new ArrayList<>();
        for (Revision revision : revisions) {
            Text text = texts.getIfPresent(revision.id());
            if (text == null || !text.revision.equals(revision)) {
                text = null;
                missing.add(revision.id());
            } else if (!text.isSignedBy(signer)) {
                text.url(signer);
                // The link may have another length now. Replacing an entry with itself has it weighed again.
                texts.asMap().replace(revision.id(), text, text);
            }
            found.add(text);
        }
        return missing.isEmpty()
                ? Uni.createFrom().item(found)
                : load.apply(missing).map(stored -> complete(found, revisions, stored, signer));
    }

    private List<Text> complete(List<Text> found, List<Revision> revisions, List<StoredDataset> stored,
            ThumbnailLinks.Signer signer) {
        Map<Revision, Text> read = new HashMap<>();
        for (StoredDataset one : stored) {
            Text text = new Text(one.revision(), json.unsigned(one.dataset()));
            text.url(signer);
            texts.put(one.revision().id(), text);
            read.put(one.revision(), text);
        }
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) == null) {
                Text text = read.get(revisions.get(i));
                if (text == null) {
                    return null;
                }
                found.set(i, text);
            }
        }
        return found;
    }
}
