package io.datasetlisting.catalogue.column;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.base.Micros;
import io.datasetlisting.catalogue.query.CoveringBoxes;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LiteralValue;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.HasStats;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Intersects;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.raster.RasterGsd;

/**
 * Makes selectors of filters. A condition that no column decides has no selector; PostgreSQL finds its datasets.
 *
 * @param owners
 *            the ids of the accounts that filters name
 * @param bands
 *            the bits of the labels of bands
 * @param hasOtherBands
 *            whether datasets may have other labels
 */
public record Compiler(Map<String, Long> owners, Map<String, Integer> bands, boolean hasOtherBands) {

    private static final String OWNER = "owner_name";
    private static final Map<String, Column> INTEGERS = Map.of("workspace", Column.WORKSPACES, "owner_id",
            Column.OWNERS, "captured_date", Column.TIMES, RasterGsd.COLUMN, Column.GSDS);

    /** The names of accounts that a filter compares. */
    public static Set<String> owners(Expression filter) {
        return Filter.parts(filter).filter(each -> {
            Operand property = Filter.operand(each);
            return property != null && property.property().column().equals(OWNER);
        }).flatMap(each -> each instanceof In in
                ? in.literals().stream()
                : each instanceof Comparison comparison ? Stream.of(comparison.literal()) : Stream.empty())
                .map(Compiler::text).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether columns decide a condition. */
    public boolean decides(Expression condition) {
        return compile(condition, Compiler::boxes) != null;
    }

    /** The columns that decide a condition; none if columns do not decide it. */
    public Set<Column> columns(Expression condition) {
        Selector selector = compile(condition, Compiler::boxes);
        return selector == null ? Set.of() : selector.columns();
    }

    /**
     * The selector of a condition; null if no column decides it.
     *
     * @param intersecting
     *            selects the datasets that intersect a geometry
     */
    public Selector compile(Expression filter, Function<Intersects, Selector> intersecting) {
        return compile(filter, true, intersecting);
    }

    /**
     * The datasets for which a condition is true, or those for which it is false. It is neither for a distance that is not known.
     */
    private Selector compile(Expression filter, boolean value, Function<Intersects, Selector> intersecting) {
        if (filter instanceof Expression.And and) {
            return all(and.operands(), value, value, intersecting);
        } else if (filter instanceof Expression.Or or) {
            return all(or.operands(), value, !value, intersecting);
        } else if (filter instanceof Expression.Not not) {
            return compile(not.operand(), !value, intersecting);
        }
        Selector selector = ofCondition(filter, intersecting);
        return value || selector == null ? selector : others(comparesDistances(filter), selector);
    }

    private static boolean comparesDistances(Expression condition) {
        Operand property = condition instanceof Expression.IsNull isNull
                ? isNull.property()
                : Filter.operand(condition);
        return property != null && property.property().equals(RasterGsd.QUERYABLE);
    }

    private static Selector others(boolean areDistances, Selector selector) {
        Selector others = new Selector.Not(selector);
        return areDistances
                ? new Selector.And(List.of(new Selector.Between(Column.GSDS, 1, Long.MAX_VALUE), others))
                : others;
    }

    private Selector ofCondition(Expression filter, Function<Intersects, Selector> intersecting) {
        if (filter instanceof Intersects intersects) {
            return intersecting.apply(intersects);
        } else if (filter instanceof Expression.Ids ids) {
            return new Selector.Identified(new TreeSet<>(ids.ids()));
        } else if (filter instanceof Expression.Constant constant) {
            return constant.value() ? Selector.ALL : Selector.NONE;
        } else if (filter instanceof Expression.HasArea) {
            return new Selector.Marked(Column.MARKS, List.of(Mark.AREA));
        } else if (filter instanceof HasStats stats) {
            return new Selector.Marked(Column.MARKS, stats.rasters().stream()
                    .map(raster -> Mark.STATS + DatasetFields.RASTERS.indexOf(raster)).toList());
        } else if (filter instanceof Box box) {
            return box(box);
        } else if (filter instanceof In in) {
            return in(in.property(), in.literals());
        } else if (filter instanceof Comparison comparison) {
            return comparison(comparison);
        } else if (filter instanceof Expression.Between between) {
            return between(between);
        } else if (filter instanceof Expression.IsNull isNull
                && isNull.property().property().equals(RasterGsd.QUERYABLE)) {
            return new Selector.Between(Column.GSDS, 0, 0);
        }
        return null;
    }

    private Selector all(List<Expression> operands, boolean value, boolean isAnd,
            Function<Intersects, Selector> intersecting) {
        List<Selector> selectors = new ArrayList<>();
        for (Expression operand : operands) {
            Selector selector = compile(operand, value, intersecting);
            if (selector == null) {
                return null;
            }
            selectors.add(selector);
        }
        return switch (selectors.size()) {
            case 0 -> isAnd ? Selector.ALL : Selector.NONE;
            case 1 -> selectors.get(0);
            default -> isAnd ? new Selector.And(selectors) : new Selector.Or(selectors);
        };
    }

    private static Selector box(Box box) {
        return box.crossesAntimeridian()
                ? new Selector.Or(List.of(new Selector.Touching(box.west(), box.south(), 180, box.north()),
                        new Selector.Touching(-180, box.south(), box.east(), box.north())))
                : new Selector.Touching(box.west(), box.south(), box.east(), box.north());
    }

    /** Selects footprints that touch boxes around a geometry. */
    public static Selector boxes(Intersects intersects) {
        return any(CoveringBoxes.of(intersects.geometry()).boxes().stream().map(
                each -> new Selector.Touching(each.getMinX(), each.getMinY(), each.getMaxX(), each.getMaxY())));
    }

    private Selector in(Operand property, List<Literal> literals) {
        String column = property.property().column();
        if (property.casei() || literals.stream().anyMatch(Compiler::isFolded)) {
            return null;
        }
        if (Mark.hasChoices(column)) {
            return marked(Column.MARKS, literals.stream().map(each -> Mark.of(column, text(each))).toList());
        }
        if (column.equals(Filter.BANDS_OF_DATASET)) {
            return bands(literals);
        }
        if (column.equals(OWNER)) {
            return any(literals.stream().map(Compiler::text).filter(owners::containsKey)
                    .map(name -> equal(Column.OWNERS, owners.get(name))));
        }
        Column integers = INTEGERS.get(column);
        if (integers == null || integers == Column.TIMES) {
            return null;
        }
        return any(literals.stream().map(each -> LiteralValue.of(property.property().type(), each))
                .filter(LiteralValue::isExact).map(each -> equal(integers, integer(each.value()))));
    }

    private static boolean isFolded(Literal literal) {
        return literal instanceof Literal.Text text && text.casei();
    }

    private static Selector marked(Column column, List<Integer> bits) {
        return bits.contains(-1) ? null : new Selector.Marked(column, bits);
    }

    private Selector bands(List<Literal> literals) {
        List<Integer> bits = literals.stream().map(each -> bands.getOrDefault(text(each), -1))
                .filter(bit -> bit >= 0 || hasOtherBands).toList();
        return bits.isEmpty() ? Selector.NONE : marked(Column.BANDS, bits);
    }

    private static Selector any(Stream<? extends Selector> selectors) {
        List<Selector> all = List.copyOf(selectors.toList());
        return switch (all.size()) {
            case 0 -> Selector.NONE;
            case 1 -> all.get(0);
            default -> new Selector.Or(all);
        };
    }

    private static Selector equal(Column column, long value) {
        return range(column, value, value);
    }

    /** The datasets with an integer from low to high. A distance that is not known is in no range. */
    private static Selector range(Column column, long low, long high) {
        return column == Column.GSDS
                ? new Selector.Between(column, Math.max(low, 1), Math.min(high, Long.MAX_VALUE - 1))
                : new Selector.Between(column, low, high);
    }

    private Selector comparison(Comparison comparison) {
        Operand property = comparison.property();
        Operator operator = comparison.operator();
        String column = property.property().column();
        if (Mark.FLAG_BITS.containsKey(column)) {
            return flag(column, operator, comparison.literal());
        }
        Column integers = INTEGERS.get(column);
        if (integers != null) {
            return compared(integers, operator, LiteralValue.of(property.property().type(), comparison.literal()));
        }
        Selector equal = switch (operator) {
            case EQUAL -> in(property, List.of(comparison.literal()));
            // Of several elements, any other one is enough.
            case NOT_EQUAL -> column.equals(OWNER) ? in(property, List.of(comparison.literal())) : null;
            default -> null;
        };
        return equal == null || operator == Operator.EQUAL ? equal : new Selector.Not(equal);
    }

    private static Selector flag(String column, Operator operator, Literal literal) {
        if (operator != Operator.EQUAL && operator != Operator.NOT_EQUAL) {
            return null;
        }
        Selector marked = new Selector.Marked(Column.MARKS, List.of(Mark.FLAG_BITS.get(column)));
        boolean wanted = ((Literal.Bool) literal).value() == (operator == Operator.EQUAL);
        return wanted ? marked : new Selector.Not(marked);
    }

    private static Selector compared(Column column, Operator of, LiteralValue literal) {
        long value = integer(literal.value());
        return switch (literal.operator(of)) {
            case EQUAL -> literal.isExact() ? equal(column, value) : Selector.NONE;
            case NOT_EQUAL -> others(column == Column.GSDS, literal.isExact() ? equal(column, value) : Selector.NONE);
            case LESS -> value == Long.MIN_VALUE ? Selector.NONE : range(column, Long.MIN_VALUE, value - 1);
            case LESS_OR_EQUAL -> range(column, Long.MIN_VALUE, value);
            case GREATER -> value == Long.MAX_VALUE ? Selector.NONE : range(column, value + 1, Long.MAX_VALUE);
            case GREATER_OR_EQUAL -> range(column, value, Long.MAX_VALUE);
        };
    }

    /** Times as microseconds since 1970, and distances, which are above 0, as their bits. */
    private static long integer(Object value) {
        if (value instanceof Double number) {
            return Double.doubleToRawLongBits(Math.max(number, 0));
        }
        return value instanceof OffsetDateTime time ? Micros.of(time) : (Long) value;
    }

    private Selector between(Expression.Between between) {
        Selector low = comparison(
                new Comparison(between.property(), Operator.GREATER_OR_EQUAL, between.low()));
        Selector high = comparison(new Comparison(between.property(), Operator.LESS_OR_EQUAL, between.high()));
        return low == null || high == null ? null : new Selector.And(List.of(low, high));
    }

    private static String text(Literal literal) {
        return ((Literal.Text) literal).value();
    }
}
