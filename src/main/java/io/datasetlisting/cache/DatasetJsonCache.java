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
 * Caches the JSON of datasets without the thumbnail's link. It stays the same until the dataset is written. So a page
 * needs only the revisions of its datasets, and loads those that are not cached.
 */
// Caffeine loads its classes by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSSMW",
        "com.github.benmanes.caffeine.cache.PSMW"})
@Singleton
public class DatasetJsonCache {

    /** Bytes of an entry besides its JSON: the objects that hold it, and the bookkeeping of the cache. */
    private static final int OVERHEAD = 400;

    private final DatasetJson json;
    /** By dataset id. */
    private final Cache<Long, Entry> entries;

    DatasetJsonCache(DatasetJson json, CacheConfig config, MeterRegistry meters) {
        this.json = json;
        entries = Caffeine.newBuilder().maximumWeight(config.datasets().asLongValue())
                .<Long, Entry>weigher((id, entry) -> entry.size() + OVERHEAD)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, entries, "dataset.texts");
    }

    /** The JSON of one revision, and its link, which is signed again when the link window changes. */
    public static final class Entry {

        private final Revision revision;
        private final UnsignedJson json;
        private volatile SignedLink link = new SignedLink("", null);

        private record SignedLink(String signer, byte[] url) {
        }

        Entry(Revision revision, UnsignedJson json) {
            this.revision = revision;
            this.json = json;
        }

        /** Bytes of the JSON, the object's key and the link. */
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

    /** The current entries, by dataset id. */
    Map<Long, Entry> entries() {
        entries.cleanUp();
        return entries.asMap();
    }

    /**
     * The JSON of these revisions, in their order; null when one of the datasets has changed since its revision was
     * read.
     *
     * @param load
     *            reads datasets by id
     */
    public Uni<List<Entry>> find(List<Revision> revisions, ThumbnailLinks.Signer signer,
            Function<List<Long>, Uni<List<StoredDataset>>> load) {
        List<Entry> found = new ArrayList<>(revisions.size());
        List<Long> missing = new ArrayList<>();
        for (Revision revision : revisions) {
            Entry entry = entries.getIfPresent(revision.id());
            if (entry == null || !entry.revision.equals(revision)) {
                entry = null;
                missing.add(revision.id());
            } else if (!entry.isSignedBy(signer)) {
                entry.url(signer);
                // The link may have another length now. Replacing an entry with itself makes the cache weigh it again.
                entries.asMap().replace(revision.id(), entry, entry);
            }
            found.add(entry);
        }
        return missing.isEmpty()
                ? Uni.createFrom().item(found)
                : load.apply(missing).map(stored -> complete(found, revisions, stored, signer));
    }

    private List<Entry> complete(List<Entry> found, List<Revision> revisions, List<StoredDataset> stored,
            ThumbnailLinks.Signer signer) {
        Map<Revision, Entry> read = new HashMap<>();
        for (StoredDataset one : stored) {
            Entry entry = new Entry(one.revision(), json.unsigned(one.dataset()));
            entry.url(signer);
            entries.put(one.revision().id(), entry);
            read.put(one.revision(), entry);
        }
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) == null) {
                Entry entry = read.get(revisions.get(i));
                if (entry == null) {
                    return null;
                }
                found.set(i, entry);
            }
        }
        return found;
    }
}
