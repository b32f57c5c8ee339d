package io.datasetlisting.catalogue.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.base.HeapShare;
import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.UnsignedJson;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;

/**
 * Caches the JSON of datasets without the thumbnail's link. It stays the same until the dataset is written. So a page
 * needs only the revisions of its datasets, and loads those that are not cached.
 */
@Singleton
public class DatasetJsonCache {

    private final DatasetJson json;
    private final RevisionCache<Entry> entries;

    DatasetJsonCache(DatasetJson json, CacheConfig config, MeterRegistry meters) {
        this.json = json;
        entries = new RevisionCache<>("dataset.texts", HeapShare.DATASETS.bytes(config.datasets()), meters);
    }

    /** The JSON of one revision, and its link, which is signed again when the link window changes. */
    public static final class Entry implements RevisionCache.Entry {

        private final Revision revision;
        private final UnsignedJson json;
        private volatile SignedLink link = new SignedLink("", null);

        private record SignedLink(String signer, byte[] url) {
        }

        Entry(Revision revision, UnsignedJson json) {
            this.revision = revision;
            this.json = json;
        }

        @Override
        public Revision revision() {
            return revision;
        }

        /** Bytes of the JSON, the object's key and the link. */
        @Override
        public int size() {
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
        return entries.entries();
    }

    /**
     * The JSON of these revisions, in their order; null when one of the datasets that it loads has changed since its revision
     * was read.
     *
     * @param load
     *            reads datasets by id
     */
    public Uni<List<Entry>> find(List<Revision> revisions, ThumbnailLinks.Signer signer,
            Function<List<Long>, Uni<List<StoredDataset>>> load) {
        return entries.find(revisions, entry -> true, load, stored -> sign(stored, signer)).invoke(found -> {
            if (found != null) {
                found.forEach(entry -> signAgain(entry, signer));
            }
        });
    }

    private Entry sign(StoredDataset stored, ThumbnailLinks.Signer signer) {
        Entry entry = new Entry(stored.revision(), json.unsigned(stored.dataset()));
        entry.url(signer);
        return entry;
    }

    private void signAgain(Entry entry, ThumbnailLinks.Signer signer) {
        if (!entry.isSignedBy(signer)) {
            entry.url(signer);
            // The link may have another length now.
            entries.weighAgain(entry);
        }
    }
}
