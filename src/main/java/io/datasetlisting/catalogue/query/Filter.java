package io.datasetlisting.catalogue.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.locationtech.jts.geom.Geometry;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.BlankText;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.GeometryReader;
import io.datasetlisting.dataset.cql2.Limits;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.StrictJson;

/**
 * Parses the filters of a listing. A dataset must match all parameters; of the values of one parameter, one matching value
 * is enough.
 */
public final class Filter {

    private static final int MAX_ITEMS = 100;
    private static final int MAX_TEXT = 255;
    private static final int MAX_TERMS = 20;
    /** A geometry of an address, whose check must not block the event loop. */
    private static final int MAX_GEOMETRY = 10_000;
    private static final Limits GEOMETRY = new Limits(4, MAX_GEOMETRY, 1, 250, 0);
    private static final String NUMBER = "\\d{1,18}";

    /** What conditions compare that are of no column, see {@link #without}. */
    public static final String STATS = "has_stats";
    public static final String BANDS_OF_DATASET = "band_labels(band_stats)";

    private static final Operand BANDS = operand("dataset:bands", Queryable.Type.TEXTS, BANDS_OF_DATASET);
    /** No property of an item. */
    private static final Operand OWNER = operand("owner_id", Queryable.Type.INTEGER, "owner_id");

    private final DrfFields parameters;
    private final DatasetFields fields;
    private final Caller caller;

    private Filter(QueryString query, DatasetFields fields, Caller caller) {
        parameters = DrfFields.of(query);
        this.fields = fields;
        this.caller = caller;
    }

    /**
     * The condition of all filters.
     *
     * @param caller
     *            to whom {@code mine=true} refers
     * @throws ApiException
     *             400 with all wrong parameters; 401 if an anonymous caller asks for its own datasets
     */
    public static Expression parse(QueryString query, DatasetFields fields, Caller caller) {
        return new Filter(query, fields, caller).parse();
    }

    /** The order of the conditions differs from that of the parameters, which is the order of the errors in a response. */
    private Expression parse() {
        List<Expression> workspaces = in(field("workspace"), workspaces(), Filter::number);
        List<Expression> users = users();
        List<Expression> categories = in(field("category"), choices("category", DatasetFields.CATEGORIES),
                Filter::text);
        List<Expression> rasters = in(field("available_rasters"), choices("available_rasters", DatasetFields.RASTERS),
                Filter::text);
        List<Expression> shareable = flag("is_shareable");
        List<Expression> isPrivate = flag("is_private");
        Boolean mine = parameters.has("mine") ? parameters.bool("mine") : null;
        List<Expression> after = time("captured_after", field("captured_date"), Operator.GREATER_OR_EQUAL);
        List<Expression> coarser = optional("gsd_min", parameters::number, gsd(Operator.GREATER_OR_EQUAL));
        List<Expression> finer = optional("gsd_max", parameters::number, gsd(Operator.LESS_OR_EQUAL));
        List<Expression> before = time("captured_before", field("captured_date"), Operator.LESS);
        String search = parameters.words("search", MAX_TEXT);
        List<Expression> words = search == null ? List.of() : List.of(new Expression.Words(search));
        List<String> terms = terms();
        List<Expression> texts = terms.isEmpty() ? List.of() : List.of(new Expression.FreeText(terms));
        List<Expression> boxes = optional("in_bbox", this::box, box -> box);
        List<Expression> geometries = optional("intersects", this::geometry, Expression.Intersects::new);
        List<Expression> bands = in(BANDS, parameters.texts("band", MAX_ITEMS), Filter::text);
        List<String> rastersWithStats = choices(STATS, DatasetFields.RASTERS);
        List<Expression> stats = rastersWithStats.isEmpty()
                ? List.of()
                : List.of(new Expression.HasStats(rastersWithStats));
        List<Expression> updated = optional("updated_since", parameters::exactInstant,
                instant -> new Expression.VisibleSince(microseconds(instant)));
        parameters.check();
        return Expression.and(Stream
                .of(mine(mine), isPrivate, workspaces, users, categories, rasters, bands, shareable, after, before,
                        coarser, finer, updated, words, texts, stats, boxes, geometries)
                .flatMap(List::stream).toList());
    }

    /** Commas separate them, as in a search of {@code /stac}. */
    private List<String> terms() {
        String text = parameters.words("q", MAX_TEXT);
        List<String> terms = text == null
                ? List.of()
                : Arrays.stream(text.split(",")).map(BlankText::strip).filter(term -> !term.isEmpty()).distinct()
                        .toList();
        if (terms.size() > MAX_TERMS) {
            parameters.refuse("q", "Ensure this field has no more than " + MAX_TERMS + " elements.");
        }
        return terms;
    }

    private List<Expression> flag(String name) {
        return optional(name, parameters::bool,
                value -> new Comparison(field(name), Operator.EQUAL, new Literal.Bool(value)));
    }

    /** The datasets of the caller's account, of which an anonymous caller has none. */
    private List<Expression> mine(Boolean mine) {
        if (!Boolean.TRUE.equals(mine)) {
            return List.of();
        }
        if (caller.isAnonymous()) {
            throw ApiException.unauthenticated();
        }
        return in(OWNER, List.of(caller.accountId()), Filter::number);
    }

    /** The condition of a parameter; none if it is absent or refused. */
    private <T> List<Expression> optional(String name, Function<String, T> parser, Function<T, Expression> condition) {
        T value = parameters.has(name) ? parser.apply(name) : null;
        return value == null ? List.of() : List.of(condition.apply(value));
    }

    private static Operand operand(String name, Queryable.Type type, String sql) {
        return new Operand(new Queryable(name, type, sql), false);
    }

    private Operand field(String name) {
        return new Operand(fields.get(name).queryable(), false);
    }

    private static Literal text(String value) {
        return new Literal.Text(value, false);
    }

    private static Literal number(Long value) {
        return new Literal.Number(BigDecimal.valueOf(value));
    }

    private static <T> List<Expression> in(Operand property, List<T> values, Function<T, Literal> literal) {
        return values.isEmpty() ? List.of() : List.of(new In(property, values.stream().map(literal).toList()));
    }

    /** A username may consist of digits, so a number is compared with names and ids. */
    private List<Expression> users() {
        List<String> users = parameters.texts("user", MAX_ITEMS);
        List<Expression> named = in(field("user"), users, Filter::text);
        List<Expression> numbered = in(OWNER, users.stream().filter(user -> user.matches(NUMBER)).map(Long::valueOf)
                .distinct().toList(), Filter::number);
        return numbered.isEmpty() ? named : List.of(new Expression.Or(List.of(named.get(0), numbered.get(0))));
    }

    /**
     * The parameter {@code bbox}, clamped to the world; null when it is absent.
     *
     * @throws ApiException
     *            400 when it is malformed
     */
    public static Box clampedBox(QueryString query) {
        DrfFields fields = DrfFields.of(query);
        double[] corners = fields.has("bbox") ? corners(fields, "bbox") : null;
        Box box = corners == null
                ? null
                : ordered(fields, "bbox", clamped(corners[0], Box.WORLD.east()), clamped(corners[1], Box.WORLD.north()),
                        clamped(corners[2], Box.WORLD.east()), clamped(corners[3], Box.WORLD.north()));
        fields.check();
        return box;
    }

    private static double clamped(double degrees, double max) {
        return Math.max(-max, Math.min(max, degrees));
    }

    /** The conditions in a filter: the expressions that are neither {@code and}, {@code or} nor {@code not}. */
    public static Stream<Expression> parts(Expression filter) {
        if (filter instanceof Expression.And and) {
            return and.operands().stream().flatMap(Filter::parts);
        } else if (filter instanceof Expression.Or or) {
            return or.operands().stream().flatMap(Filter::parts);
        } else if (filter instanceof Expression.Not not) {
            return parts(not.operand());
        }
        return Stream.of(filter);
    }

    /** The property that a condition compares with values; null for another condition. */
    public static Operand operand(Expression condition) {
        if (condition instanceof Comparison comparison) {
            return comparison.property();
        } else if (condition instanceof Expression.Between between) {
            return between.property();
        } else if (condition instanceof In in) {
            return in.property();
        }
        return condition instanceof Expression.Like like ? like.property() : null;
    }

    /** Whether a condition finds the datasets of one account by its id, which is no property of an item. */
    public static boolean isMine(In condition) {
        return condition.property().equals(OWNER);
    }

    /** A filter of parameters without the conditions that compare this column. */
    public static Expression without(Expression filter, String column) {
        return Expression.and(filter.conjuncts().stream().filter(each -> !column.equals(compared(each))).toList());
    }

    /** What a condition of a parameter compares; null for the ones that are always kept. */
    private static String compared(Expression condition) {
        if (condition instanceof Expression.Or users) {
            return compared(users.operands().get(0));
        }
        Operand property = operand(condition);
        return property != null
                ? property.property().column()
                : condition instanceof Expression.HasStats ? STATS : null;
    }

    /**
     * The geometry of a parameter.
     *
     * @throws ApiException
     *             400 for another text
     */
    public static Geometry geometryOf(String text) {
        return new GeometryReader(GEOMETRY, "geometry").read(text);
    }

    /** The box of a filter; null without one. */
    public static Box boxOf(Expression filter) {
        return filter.conjuncts().stream().filter(Box.class::isInstance).map(Box.class::cast).findFirst().orElse(null);
    }

    /** A filter without its boxes. */
    public static Expression everywhere(Expression filter) {
        return Expression.and(filter.conjuncts().stream().filter(each -> !(each instanceof Box)).toList());
    }

    private List<Long> workspaces() {
        List<String> texts = parameters.texts("workspace", MAX_ITEMS);
        if (texts.stream().allMatch(text -> text.matches(NUMBER))) {
            // 3 and 03 are the same workspace.
            return texts.stream().map(Long::valueOf).distinct().toList();
        }
        parameters.refuse("workspace", "A valid integer is required.");
        return List.of();
    }

    private List<String> choices(String name, List<String> choices) {
        List<String> texts = parameters.texts(name, MAX_ITEMS);
        texts.stream().filter(text -> !choices.contains(text)).findFirst()
                .ifPresent(text -> parameters.refuse(name, DrfFields.notAChoice(text)));
        return texts;
    }

    /** Rounded up to the microseconds of PostgreSQL: no stored time is between the two. */
    private List<Expression> time(String name, Operand property, Operator operator) {
        return optional(name, parameters::exactInstant,
                instant -> new Comparison(property, operator, new Literal.Time(microseconds(instant))));
    }

    /** The first time of the database that is not before a time. */
    private static ExactInstant microseconds(Instant instant) {
        return new ExactInstant(instant.plusNanos(999).truncatedTo(ChronoUnit.MICROS), true);
    }

    private static Function<Double, Expression> gsd(Operator operator) {
        return metres -> new Comparison(new Operand(RasterGsd.QUERYABLE, false), operator,
                new Literal.Number(BigDecimal.valueOf(metres)));
    }

    private Box box(String name) {
        double[] corners = corners(parameters, name);
        if (corners == null) {
            return null;
        }
        for (int i = 0; i < corners.length; i++) {
            if (Math.abs(corners[i]) > (i % 2 == 0 ? Box.WORLD.east() : Box.WORLD.north())) {
                return parameters.refuse(name,
                        "Longitudes are between -180 and 180, latitudes between -90 and 90.");
            }
        }
        return ordered(parameters, name, corners[0], corners[1], corners[2], corners[3]);
    }

    private Geometry geometry(String name) {
        String text = parameters.text(name, MAX_GEOMETRY);
        try {
            return text == null ? null : geometryOf(text);
        } catch (ApiException e) {
            return parameters.refuse(name, e.getMessage());
        }
    }

    private static Box ordered(DrfFields fields, String name, double west, double south, double east, double north) {
        return south > north
                ? fields.refuse(name, "min_lat is greater than max_lat.")
                : new Box(west, south, east, north);
    }

    /** Longitude, latitude, longitude, latitude; null when the text is refused. */
    private static double[] corners(DrfFields fields, String name) {
        String text = fields.text(name, MAX_TEXT);
        if (text == null) {
            return null;
        }
        List<BigDecimal> numbers = Arrays.stream(text.split(",", -1))
                .map(part -> StrictJson.number(TextNode.valueOf(part))).toList();
        return numbers.size() == 4 && numbers.stream().allMatch(Objects::nonNull)
                ? numbers.stream().mapToDouble(BigDecimal::doubleValue).toArray()
                : fields.refuse(name, "Expected four numbers: min_lon,min_lat,max_lon,max_lat.");
    }
}
