package io.datasetlisting.faces.stac;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.catalogue.grid.GridModel;
import io.datasetlisting.catalogue.query.ExpressionModel;
import io.datasetlisting.catalogue.query.ExpressionModel.Item;
import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;

/** What a search of items finds, in plain Java. */
final class SearchModel {

    private final Map<Dataset, Item> items = new HashMap<>();
    private final Comparator<String> textOrder;
    private final ExpressionModel expressions;

    /** A key of the order. */
    record Sort(String property, boolean descending) {
    }

    /**
     * A search. Null stands for an absent parameter.
     *
     * @param bbox
     *            four or six numbers
     * @param condition
     *            all other conditions together
     */
    record Question(double[] bbox, List<String> ids, List<String> collections, Expression condition,
            List<Sort> sortby) {
    }

    /**
     * @param updated
     *            the time of the last change of each dataset, by id
     * @param bands
     *            the labels of the bands of each dataset, by id
     * @param otherTexts
     *            texts that datasets are compared with
     */
    SearchModel(List<Dataset> datasets, Map<Long, Instant> updated, Map<Long, Instant> created,
            Map<Long, List<String>> bands, Catalogue catalogue,
            Collection<String> otherTexts) {
        Set<String> texts = new HashSet<>(otherTexts);
        for (Dataset dataset : datasets) {
            // A draft is no item. The model of items needs a place.
            Item item = Item.of(dataset.coordinates == null ? Catalogue.dataset(dataset.id, same -> {
            }) : dataset, updated.get(dataset.id));
            item.properties().put("title", title(dataset));
            item.properties().put("created", created.get(dataset.id));
            item.properties().put("dataset:bands", bands.getOrDefault(dataset.id, List.of()));
            items.put(dataset, item);
            item.properties().values().stream().flatMap(value -> value instanceof List<?> list
                    ? list.stream()
                    : Stream.of(value)).filter(String.class::isInstance).forEach(text -> texts.add((String) text));
            texts.add(dataset.datasetName);
        }
        textOrder = order(texts, catalogue);
        expressions = new ExpressionModel(textOrder);
    }

    private static String title(Dataset dataset) {
        return BlankText.isBlank(dataset.datasetName) ? "Dataset " + dataset.id : dataset.datasetName;
    }

    /** The order of texts, which only the database knows. */
    private static Comparator<String> order(Set<String> texts, Catalogue catalogue) {
        Stream.of(texts.toArray(String[]::new)).forEach(text -> texts.add(ExpressionModel.fold(text)));
        return catalogue.nameOrder(texts);
    }

    /** The ids of all matching items that the caller sees, in order. */
    List<String> find(Question question, Caller caller) {
        return items.keySet().stream()
                .filter(dataset -> caller.lists(dataset) && matches(dataset, question))
                .sorted(order(question.sortby())).map(dataset -> Long.toString(dataset.id)).toList();
    }

    private boolean matches(Dataset dataset, Question question) {
        return (question.bbox() == null || isIn(question.bbox(), dataset))
                && (question.ids() == null || question.ids().isEmpty()
                        || question.ids().contains(Long.toString(dataset.id)))
                && (question.collections() == null || question.collections().isEmpty()
                        || question.collections().contains("datasets")
                        || question.collections().contains("workspace-" + dataset.workspace)
                        || question.collections().contains(
                                items.get(dataset).geometry().getDimension() == 0
                                        ? "points"
                                        : "areas"))
                && (question.condition() == null
                        || Boolean.TRUE.equals(expressions.evaluate(question.condition(), items.get(dataset))));
    }

    /** As the listing's filter: the bbox of the dataset counts, or its point. */
    private static boolean isIn(double[] box, Dataset dataset) {
        boolean hasElevation = box.length == 6;
        if (hasElevation && (box[2] > 0 || box[5] < 0)) {
            return false;
        }
        return GridModel.touches(dataset, hasElevation ? new double[]{box[0], box[1], box[3], box[4]} : box);
    }

    private Comparator<Dataset> order(List<Sort> sortby) {
        Comparator<Dataset> order = null;
        for (Sort sort : sortby == null ? List.<Sort>of() : sortby) {
            Comparator<Dataset> next = sort.property().equals("gsd")
                    ? FilterModel.byGsd(sort.descending())
                    : sort.descending() ? by(sort.property()).reversed() : by(sort.property());
            order = order == null ? next : order.thenComparing(next);
        }
        Comparator<Dataset> byId = by("id");
        if (order == null) {
            return byId;
        }
        return order.thenComparing(sortby.get(0).descending() ? byId.reversed() : byId);
    }

    @SuppressWarnings("unchecked")
    private Comparator<Dataset> by(String property) {
        return switch (property) {
            case "id" -> Comparator.comparing(dataset -> dataset.id);
            // Datasets without a name are first.
            case "title" -> Comparator.comparing(dataset -> dataset.datasetName, textOrder);
            case "dataset:user" -> Comparator.comparing(dataset -> dataset.ownerName, textOrder);
            case "dataset:latest_adjustment_status" -> Comparator
                    .comparing(dataset -> dataset.latestAdjustmentStatus, textOrder);
            // Java finds -0.0 smaller than 0.0.
            case "dataset:cumulative_adjustment" -> Comparator
                    .comparing(dataset -> dataset.cumulativeAdjustment + 0.0);
            default -> Comparator
                    .comparing(dataset -> (Comparable<Object>) items.get(dataset).properties().get(property));
        };
    }
}
