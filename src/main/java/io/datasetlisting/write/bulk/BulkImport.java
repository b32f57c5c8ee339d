package io.datasetlisting.write.bulk;

import static io.datasetlisting.base.CallerContext.compute;

import java.nio.charset.StandardCharsets;
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
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.write.edit.DatasetInput;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * One running import: lines become batches, batches become transactions, and the counts contain only committed rows.
 * Used by one event loop; lines are read on workers, one chunk after another.
 */
final class BulkImport {

    private static final int MAX_BATCH_ROWS = 1_000;
    private static final int MAX_BATCH_BYTES = 2 << 20;
    /** The database writes one batch while the next one is read and sent. */
    private static final int WRITES_AT_ONCE = 3;
    private static final int MAX_REFUSALS = 100;
    private static final int MAX_KNOWN_OWNERS = 10_000;
    private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

    private final BulkRepository repository;
    private final DatasetInput input;
    private final int maxLineLength;
    private final LineSplitter lines;
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
    BulkImport(BulkRepository repository, DatasetInput input, int maxLineLength, Author author,
            Supplier<Uni<Void>> permission) {
        this.repository = repository;
        this.author = author;
        importId = repository.beginImport(author).memoize().indefinitely();
        this.permission = permission;
        this.input = input;
        this.maxLineLength = maxLineLength;
        lines = new LineSplitter(maxLineLength);
    }

    private record Item(long line, Dataset dataset) {
    }

    /**
     * What a line contains.
     *
     * @param length
     *            of the line, in bytes
     * @param dataset
     *            null for a refused line
     * @param refusal
     *            its reason, otherwise null
     */
    private record Read(long line, int length, Dataset dataset, ObjectNode refusal) {
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
            return items.size() < MAX_BATCH_ROWS && bytes < MAX_BATCH_BYTES && !keys.contains(dataset.id)
                    && !keys.contains(dataset.uavUid);
        }

        void add(Item item, int length) {
            items.add(item);
            keys.add(item.dataset.id);
            keys.add(item.dataset.uavUid);
            bytes += length;
        }
    }

    /** Reads the body and writes the batches. It requests from the body only what it can write. */
    Multi<Void> run(Multi<byte[]> body) {
        return body.onItem().transformToUniAndConcatenate(bytes -> compute(() -> read(lines.split(bytes))))
                .onCompletion().switchTo(() -> compute(() -> read(lines.end())).toMulti())
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
    private List<Batch> batches(List<Read> lines) {
        List<Batch> full = new ArrayList<>();
        for (Read line : lines) {
            if (line.dataset == null) {
                refuse(line.line, line.refusal);
                continue;
            }
            if (!open.hasRoomFor(line.dataset)) {
                full.add(open);
                open = new Batch();
            }
            open.add(new Item(line.line, line.dataset), line.length);
        }
        return full;
    }

    /** Runs on a worker: requests would wait for the event loop meanwhile. */
    private List<Read> read(List<LineSplitter.Line> lines) {
        return lines.stream().map(this::read).toList();
    }

    private Read read(LineSplitter.Line line) {
        byte[] bytes = line.bytes();
        if (bytes == null) {
            return new Read(line.number(), 0, null,
                    new ApiException(413, "The line is longer than " + maxLineLength + " bytes.").reason());
        }
        try {
            int from = line.number() == 1 && startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0;
            return new Read(line.number(), bytes.length, input.readLine(bytes, from, bytes.length), null);
        } catch (ApiException e) {
            return new Read(line.number(), bytes.length, null, e.reason());
        }
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= 3 && bytes[0] == BYTE_ORDER_MARK[0] && bytes[1] == BYTE_ORDER_MARK[1]
                && bytes[2] == BYTE_ORDER_MARK[2];
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
        return withOwners(items).chain(owned -> owned.isEmpty()
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
