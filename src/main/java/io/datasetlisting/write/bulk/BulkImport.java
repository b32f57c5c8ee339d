package io.datasetlisting.write.bulk;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.dataset.Dataset;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * One running import: rows become batches, batches become transactions, and the counts contain only committed rows.
 * Used by one event loop.
 */
final class BulkImport {

    private static final int MAX_BATCH_ROWS = 1_000;
    private static final int MAX_BATCH_BYTES = 2 << 20;
    /** The database writes one batch while the next one is read and sent. */
    private static final int WRITES_AT_ONCE = 3;
    private static final int MAX_REFUSALS = 100;
    private static final int MAX_KNOWN_OWNERS = 10_000;

    private final BulkRepository repository;
    private final Supplier<Uni<Void>> permission;
    private final Author author;
    /** Of the audit; the first batch begins it. */
    private final Uni<Long> importId;

    private Batch open = new Batch();
    private final List<Batch> inFlight = new ArrayList<>();
    private final Set<Owner> knownOwners = new HashSet<>();

    private long created;
    private long replaced;
    private long refused;
    private final TreeMap<Long, ObjectNode> firstRefusals = new TreeMap<>();

    /**
     * @param author
     *            the caller that imports
     * @param permission
     *            fails when the caller may not import any more
     */
    BulkImport(BulkRepository repository, Author author, Supplier<Uni<Void>> permission) {
        this.repository = repository;
        this.author = author;
        importId = repository.beginImport(author).memoize().indefinitely();
        this.permission = permission;
    }

    private record Item(long line, Dataset dataset) {
    }

    /**
     * The datasets of one transaction. Lines are applied in their order, so a batch contains each id and each uav_uid
     * at most once.
     */
    private static final class Batch {

        private final List<Item> items = new ArrayList<>();
        private final Set<Object> keys = new HashSet<>();
        private int bytes;
        private Uni<Void> written;

        boolean hasRoomFor(Dataset dataset) {
            return items.size() < MAX_BATCH_ROWS && bytes < MAX_BATCH_BYTES
                    && Collections.disjoint(keys, keys(dataset));
        }

        void add(Item item, int length) {
            items.add(item);
            keys.addAll(keys(item.dataset));
            bytes += length;
        }

        private static List<Object> keys(Dataset dataset) {
            return dataset.id == 0 ? List.of(dataset.uavUid) : List.of(dataset.id, dataset.uavUid);
        }
    }

    /** Writes the rows in batches. It requests only rows that it can write. */
    Multi<Void> run(Multi<List<ImportedRow>> rows) {
        return rows
                .onItem().transformToIterable(this::batches)
                .onCompletion().switchTo(() -> Multi.createFrom().item(open))
                .onItem().transformToUni(this::write).merge(WRITES_AT_ONCE)
                .onFailure().call(this::awaitRunning);
    }

    /** If a batch fails, those beside it are stored nevertheless, and are counted before the import ends. */
    private Uni<?> awaitRunning() {
        return Multi.createFrom().iterable(List.copyOf(inFlight))
                .onItem().call(batch -> batch.written.onFailure().recoverWithNull()).collect().last();
    }

    /** The committed rows so far. */
    ObjectNode counts() {
        return JsonNodeFactory.instance.objectNode()
                .put("created", created)
                .put("replaced", replaced)
                .put("refused", refused);
    }

    long lines() {
        return created + replaced + refused;
    }

    /** The first refusals, in the order of their lines. */
    ArrayNode refusals() {
        ArrayNode refusals = JsonNodeFactory.instance.arrayNode();
        for (Map.Entry<Long, ObjectNode> refusal : firstRefusals.entrySet()) {
            refusals.addObject().put("line", refusal.getKey()).set("reason", refusal.getValue());
        }
        return refusals;
    }

    /** The batches that these lines complete. */
    private List<Batch> batches(List<ImportedRow> rows) {
        List<Batch> full = new ArrayList<>();
        for (ImportedRow row : rows) {
            if (row.dataset() == null) {
                refuse(row.line(), row.refusal());
                continue;
            }
            if (!open.hasRoomFor(row.dataset())) {
                full.add(open);
                open = new Batch();
            }
            open.add(new Item(row.line(), row.dataset()), row.length());
        }
        return full;
    }

    /** Waits for batches in flight that write the same datasets; runs beside the others. */
    private Uni<Void> write(Batch batch) {
        Uni<Void> ready = permission.get();
        for (Batch other : inFlight) {
            if (!Collections.disjoint(other.keys, batch.keys)) {
                ready = ready.chain(() -> other.written);
            }
        }
        inFlight.add(batch);
        batch.written = ready.chain(() -> write(batch.items)).onTermination().invoke(() -> inFlight.remove(batch))
                .memoize().indefinitely();
        return batch.written;
    }

    private Uni<Void> write(List<Item> items) {
        return repository.number(items.stream().map(Item::dataset).filter(dataset -> dataset.id == 0).toList())
                .chain(() -> withOwners(items)).chain(owned -> owned.isEmpty()
                        ? Uni.createFrom().voidItem()
                        : writeOrSplit(owned));
    }

    /** The items whose owners exist; the others are refused. */
    private Uni<List<Item>> withOwners(List<Item> items) {
        if (items.stream().allMatch(item -> knownOwners.contains(item.dataset.owner()))) {
            return Uni.createFrom().item(items);
        }
        return repository.ensureOwners(items.stream().map(Item::dataset).toList(), author).map(withoutAccount -> {
            if (knownOwners.size() > MAX_KNOWN_OWNERS) {
                knownOwners.clear();
            }
            List<Item> owned = new ArrayList<>();
            for (Item item : items) {
                String refusal = withoutAccount.get(item.dataset.owner());
                if (refusal == null) {
                    knownOwners.add(item.dataset.owner());
                    owned.add(item);
                } else {
                    ObjectNode reason = JsonNodeFactory.instance.objectNode();
                    reason.putArray("user").add(refusal);
                    refuse(item.line, reason);
                }
            }
            return owned;
        });
    }

    /**
     * Writes all items in one statement. If the database refuses one of them, writes halves until that item is alone.
     */
    private Uni<Void> writeOrSplit(List<Item> items) {
        return importId.chain(number -> repository.write(number, items.stream().map(Item::dataset).toList()))
                .invoke(written -> {
                    created += written.created();
                    replaced += written.replaced();
                    refuseIdsOfOthers(items, written.idsOfOthers());
                })
                .replaceWithVoid()
                .onFailure(e -> BulkRepository.refusal(e) != null).recoverWithUni(e -> {
                    if (items.size() == 1) {
                        refuse(items.get(0).line, BulkRepository.refusal(e));
                        return Uni.createFrom().voidItem();
                    }
                    int middle = items.size() / 2;
                    return writeOrSplit(items.subList(0, middle))
                            .chain(() -> writeOrSplit(items.subList(middle, items.size())));
                });
    }

    private void refuseIdsOfOthers(List<Item> items, Set<Long> ids) {
        if (!ids.isEmpty()) {
            items.stream().filter(item -> ids.contains(item.dataset.id))
                    .forEach(item -> refuse(item.line, BulkRepository.idRefusal()));
        }
    }

    private void refuse(long line, ObjectNode reason) {
        refused++;
        firstRefusals.put(line, reason);
        if (firstRefusals.size() > MAX_REFUSALS) {
            firstRefusals.pollLastEntry();
        }
    }
}
