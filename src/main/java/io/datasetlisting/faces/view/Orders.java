package io.datasetlisting.faces.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.http.paging.Ordering.Key;

/** Makes the links to the most common orders. People see the newest datasets first, unless they choose another order. */
@Singleton
public class Orders {

    private static final String PARAMETER = "ordering";
    private static final String DEFAULT = "-captured_date";
    /** In the direction that people want first. */
    private static final List<Key> LINKED = List.of(new Key("captured_date", true), new Key(RasterGsd.NAME, false),
            new Key("dataset_name", false), new Key("user", false), new Key(Ordering.TIE_BREAKER, true));

    private final DatasetFields fields;

    Orders(DatasetFields fields) {
        this.fields = fields;
    }

    /**
     * An order of the list.
     *
     * @param value
     *            of the parameter
     * @param label
     *            in the words of the fields, for an order that has no words of its own
     * @param href
     *            the same view in this order, or in the opposite one if it has this order; null if there is none
     */
    public record Link(String value, String label, String href, boolean chosen) {
    }

    /** The query of the page in the words of the API, whose own order is another one. */
    public static QueryString withDefault(QueryString query) {
        return query.get(PARAMETER) == null ? query.with(PARAMETER, DEFAULT) : query;
    }

    /** The query without the order that the page has anyway. */
    public static QueryString withoutDefault(QueryString query) {
        return DEFAULT.equals(query.get(PARAMETER)) ? query.without(PARAMETER) : query;
    }

    public List<Link> links(ListRequest request, Language language) {
        Optional<Key> current = request.ordering().onlyKey();
        QueryString others = request.query().without("p");
        List<Link> links = new ArrayList<>();
        for (Key key : LINKED) {
            Optional<Key> chosen = current.filter(order -> order.field().equals(key.field()));
            Key next = chosen.map(order -> new Key(order.field(), !order.descending())).orElse(key);
            Key shown = chosen.orElse(key);
            links.add(new Link(value(shown), label(shown, language),
                    Chips.href(withoutDefault(others.with(PARAMETER, value(next)))), chosen.isPresent()));
        }
        if (links.stream().noneMatch(Link::chosen)) {
            links.add(new Link("", request.ordering().keys().stream().map(key -> label(key, language))
                    .collect(Collectors.joining(", ")), null, true));
        }
        return links;
    }

    private String label(Key key, Language language) {
        Words words = Words.in(language);
        String label = key.field().equals(RasterGsd.NAME)
                ? words.of("msg:pixel_size")
                : fields.get(key.field()).label();
        return key.descending() ? words.of("msg:order_descending", label) : words.of("msg:order_ascending", label);
    }

    private static String value(Key key) {
        return (key.descending() ? "-" : "") + key.field();
    }
}
