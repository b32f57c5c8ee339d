package io.datasetlisting.dataset;

import static io.datasetlisting.dataset.DatasetField.field;
import static io.datasetlisting.dataset.FieldType.BOOLEAN;
import static io.datasetlisting.dataset.FieldType.IDENTIFIER;
import static io.datasetlisting.dataset.FieldType.INTEGER;
import static io.datasetlisting.dataset.FieldType.JSON;
import static io.datasetlisting.dataset.FieldType.NOTHING;
import static io.datasetlisting.dataset.FieldType.NUMBER;
import static io.datasetlisting.dataset.FieldType.NUMBERS;
import static io.datasetlisting.dataset.FieldType.TEXT;
import static io.datasetlisting.dataset.FieldType.TEXTS;
import static io.datasetlisting.dataset.FieldType.TIME;
import static io.datasetlisting.dataset.InputRule.MAX_NAME;
import static io.datasetlisting.dataset.InputRule.anyOf;
import static io.datasetlisting.dataset.InputRule.bool;
import static io.datasetlisting.dataset.InputRule.instant;
import static io.datasetlisting.dataset.InputRule.integer;
import static io.datasetlisting.dataset.InputRule.nothing;
import static io.datasetlisting.dataset.InputRule.number;
import static io.datasetlisting.dataset.InputRule.someOf;
import static io.datasetlisting.dataset.InputRule.text;
import static io.datasetlisting.dataset.InputRule.thumbnailKey;
import static io.datasetlisting.dataset.InputRule.user;
import static io.datasetlisting.dataset.InputRule.uuid;
import static io.datasetlisting.dataset.InputRule.verbatim;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.paging.Ordering;

/**
 * The table of all fields of a dataset, in the order of the contract. Select list, row mapper, JSON, CSV, {@code OPTIONS}, sort columns,
 * input rules and the columns of an import follow from it. No name of a request reaches the SQL except through this table.
 */
@Singleton
public final class DatasetFields {

    public static final List<String> CATEGORIES = List.of("Artificial - terrestrial", "Deep ocean floor", "Desert",
            "Forest", "Grassland", "Intertidal", "Neritic", "Oceanic", "Other", "Rocky", "Savanna", "Shrubland",
            "Wetlands");

    public static final List<String> RASTERS = List.of("ortho", "dsm", "dtm", "multispec_ortho");

    /** The fields of the contract. */
    static List<DatasetFieldBuilder<?>> contract() {
        return List.of(
                field("id", INTEGER).property("id").queriedAs(Queryable.Type.ID).sortable().described("label", "ID")
                        .attribute(d -> d.id, (d, id) -> d.id = id)
                        .imported(integer(1)).required(),
                field("uav_uid", IDENTIFIER).property("dataset:uav_uid").sortable()
                        .attribute(d -> d.uavUid, (d, uuid) -> d.uavUid = uuid)
                        .imported(uuid()).required(),
                // Two columns: the owner's name and id.
                field("user", TEXT).property("dataset:user").computed("d.owner_name || ' ' || d.owner_id")
                        .sortable("owner_name")
                        .attribute(Dataset::user, Dataset::assignTo)
                        .imported(user()).required()
                        .importColumn("owner_id", INTEGER, d -> d.ownerId)
                        .importColumn("owner_name", TEXT, d -> d.ownerName),
                field("workspace", INTEGER).property("dataset:workspace").sortable()
                        .attribute(d -> d.workspace, (d, workspace) -> d.workspace = workspace)
                        .writable(integer(0)).required(),
                field("dataset_name", TEXT).property("title")
                        .shownInItems("case when dataset_name = '' then 'Dataset ' || id else dataset_name end")
                        .sortable().described("max_length", MAX_NAME)
                        .attribute(d -> d.datasetName, (d, name) -> d.datasetName = name)
                        // An import keeps the space around a name.
                        .writable(text(MAX_NAME)).imported(verbatim(MAX_NAME)).readFirst(),
                field("category", TEXTS).property("dataset:category")
                        .described("choices", choiceDescriptions(CATEGORIES))
                        .attribute(d -> d.category, (d, category) -> d.category = category)
                        .writable(someOf(CATEGORIES)),
                // The column has the object's key, from which the link is made.
                field("thumbnail_image", TEXT).column("thumbnail_key")
                        .attribute(d -> d.thumbnailKey, (d, key) -> d.thumbnailKey = key)
                        .shownAsLink((key, links) -> links.apply(key))
                        .imported(thumbnailKey()),
                field("captured_date", TIME).property("datetime").sortable()
                        .attribute(d -> d.capturedDate, Dataset::setCaptured)
                        .writable(instant()).required(),
                field("is_private", BOOLEAN).property("dataset:is_private").sortable()
                        .attribute(d -> d.isPrivate, (d, isPrivate) -> d.isPrivate = isPrivate)
                        .writable(bool()),
                field("is_shareable", BOOLEAN).property("dataset:is_shareable").sortable()
                        .attribute(d -> d.isShareable, (d, isShareable) -> d.isShareable = isShareable)
                        .writable(bool()),
                field("available_rasters", TEXTS).property("dataset:rasters")
                        .described("choices", choiceDescriptions(RASTERS))
                        .attribute(d -> d.availableRasters, (d, rasters) -> d.availableRasters = rasters)
                        .writable(anyOf(RASTERS)),
                field("is_deleted", BOOLEAN)
                        .attribute(d -> d.isDeleted, (d, isDeleted) -> d.isDeleted = isDeleted)
                        .imported(bool()),
                field("gcps_file", NOTHING).computed("null::text")
                        .imported(nothing()).readLast(),
                field("band_stats", JSON).property("dataset:band_stats").selected("d.band_stats::text")
                        .attribute(d -> d.bandStats, (d, stats) -> d.bandStats = stats)
                        .writable(InputRule.bandStats()),
                // Coordinates that were not given follow the bbox.
                field("bbox", NUMBERS)
                        .attribute(d -> d.bbox, Dataset::moveTo)
                        .writable(InputRule.bbox()),
                field("coordinates", NUMBERS).nullShownAs(new double[0])
                        .attribute(d -> d.coordinates, Dataset::locateAt)
                        .writable(InputRule.coordinates()),
                field("cant_orthomosaic", BOOLEAN).property("dataset:cant_orthomosaic").sortable()
                        .attribute(d -> d.cantOrthomosaic, (d, cannot) -> d.cantOrthomosaic = cannot)
                        .imported(bool()),
                field("is_dem_processing", BOOLEAN).property("dataset:is_dem_processing").sortable()
                        .attribute(d -> d.isDemProcessing, (d, isProcessing) -> d.isDemProcessing = isProcessing)
                        .imported(bool()),
                field("cumulative_adjustment", NUMBER).property("dataset:cumulative_adjustment").sortable()
                        .attribute(d -> d.cumulativeAdjustment, (d, sum) -> d.cumulativeAdjustment = sum)
                        .imported(number()),
                field("latest_adjustment_status", TEXT).property("dataset:latest_adjustment_status").sortable()
                        .attribute(d -> d.latestAdjustmentStatus, (d, status) -> d.latestAdjustmentStatus = status)
                        .imported(verbatim(MAX_NAME)),
                field("latest_adjustment_id", TEXT).property("dataset:latest_adjustment_id")
                        .attribute(d -> d.latestAdjustmentId, (d, id) -> d.latestAdjustmentId = id)
                        .imported(verbatim(MAX_NAME)));
    }

    private final Map<String, DatasetField<?>> fields = new LinkedHashMap<>();
    private final FieldSelection all;
    private final FieldSelection none;
    private final Set<String> sortable;

    @Inject
    public DatasetFields() {
        this(contract());
    }

    DatasetFields(List<DatasetFieldBuilder<?>> table) {
        table.stream().map(DatasetFieldBuilder::build).forEach(field -> fields.put(field.name(), field));
        all = select(fields.keySet());
        none = select(Set.of());
        sortable = fields.values().stream().filter(field -> field.sortColumn() != null).map(DatasetField::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The names of all fields, in the order of the contract. */
    public Set<String> names() {
        return Collections.unmodifiableSet(fields.keySet());
    }

    public FieldSelection all() {
        return all;
    }

    public FieldSelection none() {
        return none;
    }

    /** The fields with these names. */
    public FieldSelection select(Collection<String> names) {
        return select(names, Set.of());
    }

    /** The fields with these names, and others that are read and not written. */
    FieldSelection select(Collection<String> names, Collection<String> hidden) {
        return new FieldSelection(this, fields.values().stream()
                .filter(field -> names.contains(field.name()) || hidden.contains(field.name())).toList(), names);
    }

    /** The names of the fields that a listing can be sorted by. */
    public Set<String> sortable() {
        return sortable;
    }

    /** The properties of an item that filters can name and that have a field. */
    public List<Queryable> queryables() {
        return fields.values().stream().map(DatasetField::queryable).filter(Objects::nonNull).toList();
    }

    /** The properties of an item that a search can be sorted by and that have a field. */
    public List<Queryable> sortables() {
        return fields.values().stream().filter(field -> field.sortColumn() != null).map(DatasetField::queryable)
                .filter(Objects::nonNull).toList();
    }

    /** The column that a sortable field sorts by. */
    public String sortColumn(String field) {
        return fields.get(field).sortColumn();
    }

    /** The name of a field in the properties of an item; null when an item has no such property. */
    public String property(String field) {
        return fields.get(field).property();
    }

    /** The name of a field for people. */
    public String label(String field) {
        return fields.get(field).label();
    }

    /** The columns of an {@code order by}, each with the prefix. */
    public String orderBy(String prefix, Ordering ordering) {
        return ordering.keys().stream()
                .map(key -> prefix + sortColumn(key.field()) + (key.descending() ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The columns that an import writes. */
    public List<DatasetField.ImportColumn<?>> importColumns() {
        return fields.values().stream().<DatasetField.ImportColumn<?>>flatMap(field -> field.importColumns().stream())
                .toList();
    }

    /** The fields in the order in which a request's fields are read, which is the order of the errors in a response. */
    List<DatasetField<?>> inReadOrder() {
        return fields.values().stream().<DatasetField<?>>map(field -> field)
                .sorted(Comparator.comparing(DatasetField::readOrder)).toList();
    }

    /** The descriptions of the fields in {@code OPTIONS}, as Django REST Framework's metadata. */
    public Map<String, Object> descriptions() {
        Map<String, Object> descriptions = new LinkedHashMap<>();
        fields.forEach((name, field) -> descriptions.put(name, field.description()));
        return descriptions;
    }

    private static List<Map<String, String>> choiceDescriptions(List<String> values) {
        return values.stream().map(value -> {
            Map<String, String> choice = new LinkedHashMap<>();
            choice.put("value", value);
            choice.put("display_name", value);
            return choice;
        }).toList();
    }
}
