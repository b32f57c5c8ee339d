package io.datasetlisting.catalogue.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Compiler;
import io.datasetlisting.catalogue.column.Elements;
import io.datasetlisting.catalogue.column.Mark;
import io.datasetlisting.catalogue.column.Order;
import io.datasetlisting.catalogue.column.Parts;
import io.datasetlisting.catalogue.column.Selection;
import io.datasetlisting.catalogue.column.Selector;
import io.datasetlisting.catalogue.column.Sized;
import io.datasetlisting.catalogue.column.Slices;
import io.datasetlisting.catalogue.query.CoveringBoxes;
import io.datasetlisting.catalogue.query.GeometryMatcher.Deadline;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.postgres.database.Sql;

/** The datasets that a caller sees at one moment, or a chunk of them. */
public final class Snapshot implements Sized {

    /** Bytes of a part besides the bits of its datasets. */
    private static final int OVERHEAD = 80;

    private final Parts parts;
    private final Elements[] elements;
    /** For each of the elements, the datasets that no pending change names; null for all. */
    private final long[][] settled;
    private final State state;
    private final Selector visible;
    private final Map<Expression, Selector> found;
    private final Duration maxIntersectsTime;
    private final ColumnCache cache;
    /** All datasets that the caller sees; null before they are asked for. */
    private volatile Selection all;

    /**
     * @param found
     *            the selectors of the conditions that no column decides, and of datasets that intersect a geometry and have
     *            {@link Mark#ELSEWHERE}
     */
    Snapshot(State state, Elements[] elements, Caller caller, Map<Expression, Selector> found,
            Duration maxIntersectsTime, ColumnCache cache) {
        parts = state.parts();
        this.elements = elements;
        settled = state.settled(elements);
        this.state = state;
        this.maxIntersectsTime = maxIntersectsTime;
        this.found = found;
        this.cache = cache;
        visible = visibleTo(caller, this::found);
    }

    /**
     * The selector of the datasets that a caller sees in a listing.
     *
     * @param found
     *            finds the datasets of an account
     */
    static Selector visibleTo(Caller caller, UnaryOperator<Selector> found) {
        if (caller.isAdmin()) {
            return Selector.ALL;
        }
        return caller.isAnonymous()
                ? Selector.PUBLIC
                : new Selector.Or(List.of(Selector.PUBLIC, found.apply(
                        new Selector.Between(Column.OWNERS, caller.accountId(), caller.accountId()))));
    }

    /** The listing version. */
    public long listing() {
        return state.listing();
    }

    /** Since when the server runs: with the listing version, this names the content of the snapshot. */
    String server() {
        return state.server();
    }

    /** Whether the snapshot was in memory, so that the listing may have changed since. */
    public boolean isUnchecked() {
        return state.isUnchecked();
    }

    /** The listing version in a statement; it is null there if the listing has changed since the snapshot. */
    public Sql version() {
        return state.version();
    }

    public Parts parts() {
        return parts;
    }

    /** The datasets of a part; behind the parts, those that pending changes name. */
    public Elements elements(int part) {
        return elements[part];
    }

    /** The datasets of a part that no pending change names; null for all. */
    public long[] settled(int part) {
        return settled[part];
    }

    /** The datasets of a part whose texts no pending change changes; null for all. */
    long[] settledTexts(int part) {
        return state.settledTexts(elements)[part];
    }

    /** Whether a dataset that pending changes name is in a part, and none of them changes its texts. */
    boolean hasTextsOfPart(long id) {
        int part = state.hasNewText(id) ? -1 : parts.of(id);
        return part >= 0 && elements[part].integers(Column.IDS).find(id) >= 0;
    }

    /** Whether no pending change of another moment named a dataset of a part that no pending change names now. */
    public boolean areSettled(int part, long[] others) {
        if (others != null) {
            long[] now = settled[part] == null ? Selector.ALL.select(elements[part]) : settled[part];
            for (int word = 0; word < now.length; word++) {
                if ((now[word] & ~others[word]) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Bytes besides the columns: of the bits of all datasets that the caller sees. */
    @Override
    public long bytes() {
        return Arrays.stream(elements).mapToLong(each -> OVERHEAD + (long) Long.BYTES * each.words()).sum();
    }

    /** The labels of bands that have a bit in {@link Column#BANDS}. */
    public Map<String, Integer> bands() {
        return state.compiler().bands();
    }

    /** Selects the datasets that match one of the filters for which the snapshot was read, and that the caller sees. */
    public Selection select(Expression filter) {
        if (!filter.equals(Expression.ALL)) {
            return selectSome(filter);
        }
        Selection known = all;
        if (known == null) {
            known = select(visible);
            all = known;
        }
        return known;
    }

    /** Whether all datasets that the caller sees have been selected before, which takes most of the time of a page of them. */
    public boolean isSelected() {
        return all != null;
    }

    private Selection selectSome(Expression filter) {
        List<Selector> selectors = new ArrayList<>();
        selectors.add(visible);
        Deadline deadline = deadline();
        filter.conjuncts().stream()
                .map(each -> state.compiler().compile(each, geometry -> intersecting(geometry, deadline)))
                .filter(Objects::nonNull).map(each -> isCompared(each) ? found(each) : each).forEach(selectors::add);
        Expression rest = rest(filter, state.compiler());
        if (!rest.equals(Expression.ALL)) {
            selectors.add(Objects.requireNonNull(found.get(rest)));
        }
        return select(new Selector.And(selectors));
    }

    private Selection select(Selector selector) {
        long[][] bits = new long[elements.length][];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = selector.select(elements[i]);
            if (settled[i] != null) {
                bits[i] = bits[i].clone();
                Selector.and(bits[i], settled[i]);
            }
        }
        return new Selection(elements, bits, this::slices);
    }

    /** Whether a dataset has a geometry that is a point outside of its footprint. */
    boolean hasPointsElsewhere() {
        return Arrays.stream(elements).anyMatch(each -> each.bitmaps(Column.MARKS).has(Mark.ELSEWHERE));
    }

    /** When exact tests of geometries that begin now have to end. */
    Deadline deadline() {
        return Deadline.after(maxIntersectsTime);
    }

    /** The datasets that intersect a geometry, also ones that the caller does not see. */
    Selection inside(Intersects intersects, Deadline deadline) {
        return select(intersecting(intersects, deadline));
    }

    private Selector intersecting(Intersects intersects, Deadline deadline) {
        Selector boxes = Compiler.boxes(intersects);
        Selector inside = boxes;
        if (!CoveringBoxes.of(intersects.geometry()).areExact()) {
            Selector.Intersecting exact = new Selector.Intersecting(intersects.geometry(), boxes);
            inside = found(exact, exact.until(deadline));
        }
        Selector elsewhere = found.get(intersects);
        return elsewhere == null
                ? inside
                : new Selector.Or(List.of(elsewhere, new Selector.And(List.of(inside,
                        new Selector.Not(new Selector.Marked(Column.MARKS, List.of(Mark.ELSEWHERE)))))));
    }

    /** Whether the datasets are found by comparing numbers. */
    private static boolean isCompared(Selector selector) {
        return selector instanceof Selector.Touching || selector instanceof Selector.Between
                || selector == Selector.NONE
                || selector instanceof Selector.Or or && or.any().stream().allMatch(Snapshot::isCompared);
    }

    /** The datasets of boxes and ranges are cached: the list, the counts and the map of a view ask for the same ones. */
    private Selector found(Selector compared) {
        return found(compared, compared);
    }

    private Selector found(Object key, Selector selector) {
        return new Selector.Found(Arrays.copyOf(cached(key, selector::select), elements.length, long[][].class));
    }

    /** The key of the cache. */
    private record Sliced(Column column, int mark) {
    }

    private Slices[] slices(Order order) {
        Object[] slices = order.column() == Column.MARKS
                ? Arrays.stream(elements).map(order::slices).toArray()
                : cached(new Sliced(order.column(), order.mark()), order::slices);
        return Arrays.copyOf(slices, elements.length, Slices[].class);
    }

    /** What is computed from the elements of each part, and of the datasets of pending changes. That of parts is cached. */
    private Object[] cached(Object key, Function<Elements, Object> compute) {
        Object[] known = cache.get(key, parts);
        Object[] all = Arrays.copyOf(known, elements.length);
        boolean isKnown = true;
        for (int i = 0; i < all.length; i++) {
            isKnown &= all[i] != null || i == known.length;
            all[i] = all[i] == null ? compute.apply(elements[i]) : all[i];
        }
        if (!isKnown) {
            cache.put(key, parts, Arrays.copyOf(all, known.length));
        }
        return all;
    }

    /** The conditions that no column decides. */
    static Expression rest(Expression filter, Compiler compiler) {
        return Expression.and(filter.conjuncts().stream().filter(each -> !compiler.decides(each)).toList());
    }
}
