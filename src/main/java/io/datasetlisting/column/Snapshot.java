package io.datasetlisting.column;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cql2.Expression;

/** The datasets that a caller sees at one moment. */
public final class Snapshot {

    private final long listing;
    private final Elements[] elements;
    /** For each of the elements, the datasets that no pending change names; null for all. */
    private final long[][] settled;
    private final Selector visible;
    private final Compiler compiler;
    private final Map<Expression, Selector> found;

    /**
     * @param found
     *            the selectors of the conditions that no column decides
     */
    Snapshot(long listing, Elements[] elements, long[][] settled, Caller caller, Compiler compiler,
            Map<Expression, Selector> found) {
        this.listing = listing;
        this.elements = elements;
        this.settled = settled;
        this.compiler = compiler;
        this.found = found;
        visible = visibleTo(caller);
    }

    /** The selector of the datasets that a caller sees in a listing. */
    static Selector visibleTo(Caller caller) {
        Selector isPublic = new Selector.Not(new Selector.Marked(Column.MARKS, List.of(Mark.PRIVATE)));
        if (caller.isAdmin()) {
            return Selector.ALL;
        }
        return caller.isAnonymous()
                ? isPublic
                : new Selector.Or(List.of(isPublic,
                        new Selector.Between(Column.OWNERS, caller.accountId(), caller.accountId())));
    }

    /** The listing version. */
    public long listing() {
        return listing;
    }

    /** The labels of bands that have a bit in {@link Column#BANDS}. */
    public Map<String, Integer> bands() {
        return compiler.bands();
    }

    /** Selects the datasets that match one of the filters for which the snapshot was read, and that the caller sees. */
    public Selection select(Expression filter) {
        List<Selector> selectors = new ArrayList<>();
        selectors.add(visible);
        filter.conjuncts().stream().map(compiler::compile).filter(Objects::nonNull).forEach(selectors::add);
        Expression rest = rest(filter, compiler);
        if (!rest.equals(Expression.ALL)) {
            selectors.add(Objects.requireNonNull(found.get(rest)));
        }
        Selector all = selectors.size() == 1 ? visible : new Selector.And(selectors);
        long[][] bits = new long[elements.length][];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = all.select(elements[i]);
            if (settled[i] != null) {
                bits[i] = bits[i].clone();
                Selector.and(bits[i], settled[i]);
            }
        }
        return new Selection(elements, bits);
    }

    /** The conditions that no column decides. */
    static Expression rest(Expression filter, Compiler compiler) {
        return Expression.and(filter.conjuncts().stream().filter(each -> compiler.compile(each) == null).toList());
    }
}
