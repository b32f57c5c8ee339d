package io.datasetlisting.catalogue.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/**
 * Caches what is made from a dataset, which stays the same until the dataset is written. So a page loads only what is missing.
 */
// Caffeine loads its classes by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSSMW",
        "com.github.benmanes.caffeine.cache.PSMW"})
public final class RevisionCache<E extends RevisionCache.Entry> {

    /** Bytes of an entry besides its content: the objects that hold it, and the bookkeeping of the cache. */
    private static final int OVERHEAD = 400;

    /** By dataset id. */
    private final Cache<Long, E> entries;

    /**
     * @param name
     *            the name of the cache in the metrics
     * @param maxSize
     *            bytes of all entries
     */
    public RevisionCache(String name, long maxSize, MeterRegistry meters) {
        entries = Caffeine.newBuilder().maximumWeight(maxSize)
                .<Long, E>weigher((id, entry) -> entry.size() + OVERHEAD)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, entries, name);
    }

    /** What is made from one revision of a dataset. */
    public interface Entry {

        Revision revision();

        /** Bytes of the content. */
        int size();
    }

    /** The current entries, by dataset id. */
    Map<Long, E> entries() {
        entries.cleanUp();
        return entries.asMap();
    }

    /** Weighs an entry again, whose size has changed. */
    void weighAgain(E entry) {
        entries.asMap().replace(entry.revision().id(), entry, entry);
    }

    /**
     * The entries of these revisions, in their order; null when one of the datasets that it loads has changed since its
     * revision was read.
     *
     * @param isUsable
     *            whether a cached entry serves this request
     * @param load
     *            reads datasets by id
     * @param make
     *            makes the entry of a dataset
     */
    public Uni<List<E>> find(List<Revision> revisions, Predicate<E> isUsable,
            Function<List<Long>, Uni<List<StoredDataset>>> load, Function<StoredDataset, E> make) {
        List<E> found = new ArrayList<>(revisions.size());
        List<Long> missing = new ArrayList<>();
        for (Revision revision : revisions) {
            E entry = entries.getIfPresent(revision.id());
            if (entry == null || !entry.revision().equals(revision) || !isUsable.test(entry)) {
                entry = null;
                missing.add(revision.id());
            }
            found.add(entry);
        }
        return missing.isEmpty()
                ? Uni.createFrom().item(found)
                : load.apply(missing).map(stored -> complete(found, revisions, stored, make));
    }

    private List<E> complete(List<E> found, List<Revision> revisions, List<StoredDataset> stored,
            Function<StoredDataset, E> make) {
        Map<Revision, E> read = new HashMap<>();
        Set<Revision> asked = new HashSet<>(revisions);
        for (StoredDataset one : stored) {
            if (!asked.contains(one.revision())) {
                return null; // It may be a draft now, of which nothing can be made.
            }
            E entry = make.apply(one);
            entries.put(one.revision().id(), entry);
            read.put(one.revision(), entry);
        }
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) == null) {
                E entry = read.get(revisions.get(i));
                if (entry == null) {
                    return null;
                }
                found.set(i, entry);
            }
        }
        return found;
    }
}
