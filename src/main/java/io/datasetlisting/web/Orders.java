package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.Ordering;
import io.datasetlisting.paging.Ordering.Key;

/** Makes the choices of an order: links for the most common orders, and a list of all orders by one field. */
@Singleton
class Orders {

    /** In the direction that people want first. */
    private static final List<Key> LINKED = List.of(new Key("captured_date", true), new Key("dataset_name", false),
            new Key("user", false), new Key(Ordering.TIE_BREAKER, false));

    private final DatasetFields fields;
    private final Map<Key, Item> items = new LinkedHashMap<>();

    Orders(DatasetFields fields) {
        this.fields = fields;
        fields.names().stream().filter(fields.sortable()::contains).flatMap(
                field -> Stream.of(new Key(field, false), new Key(field, true)))
                .forEach(key -> items.put(key, new Item(label(key), value(key), false)));
    }

    /**
     * A link to the same view in another order.
     *
     * @param direction
     *            in words if the view has this order, otherwise null. The link then leads to the opposite direction
     */
    record Link(String label, String href, String direction) {
    }

    /** An order of the list. */
    record Item(String label, String value, boolean chosen) {

        Item orChosen(boolean isChosen) {
            return isChosen ? new Item(label, value, true) : this;
        }
    }

    List<Link> links(ListRequest request) {
        Optional<Key> current = request.ordering().onlyKey();
        QueryString others = request.query().without("p");
        return LINKED.stream().map(key -> {
            Optional<Key> chosen = current.filter(order -> order.field().equals(key.field()));
            Key next = chosen.map(order -> new Key(order.field(), !order.descending())).orElse(key);
            return new Link(fields.get(key.field()).label(), "?" + others.with("ordering", value(next)),
                    chosen.map(Orders::direction).orElse(null));
        }).toList();
    }

    List<Item> items(ListRequest request) {
        Optional<Key> current = request.ordering().onlyKey();
        List<Item> all = new ArrayList<>(items.size() + 1);
        if (current.isEmpty()) {
            all.add(new Item(request.ordering().keys().stream().map(this::label).collect(Collectors.joining(", ")),
                    request.query().get("ordering"), true));
        }
        items.forEach((key, item) -> all.add(item.orChosen(current.filter(key::equals).isPresent())));
        return all;
    }

    private String label(Key key) {
        return fields.get(key.field()).label() + ", " + direction(key);
    }

    private static String direction(Key key) {
        return key.descending() ? "descending" : "ascending";
    }

    private static String value(Key key) {
        return (key.descending() ? "-" : "") + key.field();
    }
}
