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
import static io.datasetlisting.dataset.rule.InputRule.MAX_NAME;
import static io.datasetlisting.dataset.rule.InputRule.anyOf;
import static io.datasetlisting.dataset.rule.InputRule.bool;
import static io.datasetlisting.dataset.rule.InputRule.instant;
import static io.datasetlisting.dataset.rule.InputRule.integer;
import static io.datasetlisting.dataset.rule.InputRule.nothing;
import static io.datasetlisting.dataset.rule.InputRule.number;
import static io.datasetlisting.dataset.rule.InputRule.optionalText;
import static io.datasetlisting.dataset.rule.InputRule.someOf;
import static io.datasetlisting.dataset.rule.InputRule.tags;
import static io.datasetlisting.dataset.rule.InputRule.text;
import static io.datasetlisting.dataset.rule.InputRule.thumbnailKey;
import static io.datasetlisting.dataset.rule.InputRule.user;
import static io.datasetlisting.dataset.rule.InputRule.uuid;
import static io.datasetlisting.dataset.rule.InputRule.verbatim;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import io.datasetlisting.dataset.FieldDescription.Display;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.http.paging.Ordering;

/**
 * The table of all fields of a dataset, in the order of the contract. Select list, row mapper, JSON, CSV, {@code OPTIONS}, sort
 * columns, input rules, the columns of an import, the properties of items, and the rows of the page of a dataset follow from it.
 * No name of a request reaches the SQL except through this table.
 */
@Singleton
public final class DatasetFields {

    public static final List<String> CATEGORIES = List.of("Artificial - terrestrial", "Deep ocean floor", "Desert",
            "Forest", "Grassland", "Intertidal", "Neritic", "Oceanic", "Other", "Rocky", "Savanna", "Shrubland",
            "Wetlands");

    public static final List<String> RASTERS = List.of("ortho", "dsm", "dtm", "multispec_ortho");

    /** The schema of STAC excludes spaces, and with them expressions of several licences. */
    public static final Pattern LICENSE = Pattern.compile("([0-9]*[A-Za-z][-A-Za-z0-9.+]*)");
    private static final int MAX_LICENSE = 100;
    public static final InputRule<String> LICENSE_RULE = optionalText(MAX_LICENSE, LICENSE,
            "Must be an SPDX identifier or other.");
    /** The address of a resolver before the DOI is not kept, and no segment of a path is relative. */
    private static final Pattern DOI = Pattern.compile(
            "(?i)(?:https?://(?:dx\\.|www\\.)?doi\\.org/|doi:\\s*)?(10\\.\\d{4,9}/(?!(?:.*/)?\\.\\.?(?:/|$))[^\\s\"\\\\]+)");
    private static final int MAX_DESCRIPTION = 5_000;
    private static final int MAX_CREDITS = 1_000;
    private static final int MAX_TAGS = 50;
    private static final int MAX_TAG = 100;

    /** The fields of the contract, and behind them the fields that listings do not show. */
    static List<DatasetField<?>> contract() {
        return List.of(
                field("id", INTEGER, "The number of the dataset as text.")
                        .property("id").queriedAs(Queryable.Type.ID).inSchema("type", "string")
                        .inSchema("x-ogc-role", "id").sortable().onCards().display(Display.NUMBER_AS_NAME)
                        .described("label", "ID")
                        .attribute(d -> d.id, (d, id) -> d.id = id)
                        .imported(integer(1)).required(),
                field("uav_uid", IDENTIFIER, "The permanent identifier of the dataset, which imports and exports keep.")
                        .property("dataset:uav_uid").sortable()
                        .attribute(d -> d.uavUid, (d, uuid) -> d.uavUid = uuid)
                        .imported(uuid()).required(),
                // Two columns: the owner's name and id.
                field("user", TEXT, "The username of the owner.")
                        .property("dataset:user").textInItems(DatasetView::owner).onCards()
                        .computed("d.owner_name || ' ' || d.owner_id")
                        .sortable("owner_name")
                        .attribute(Dataset::user, Dataset::assignTo)
                        .imported(user()).required()
                        .importColumn("owner_id", INTEGER, d -> d.ownerId)
                        .importColumn("owner_name", TEXT, d -> d.ownerName),
                field("workspace", INTEGER, "The number of the workspace that contains the dataset.")
                        .property("dataset:workspace").inSchema("minimum", 0).sortable().display(Display.NUMBER_AS_NAME)
                        .attribute(d -> d.workspace, (d, workspace) -> d.workspace = workspace)
                        .writable(integer(0)).required(),
                field("dataset_name", TEXT, "The name of the dataset.")
                        .property("title").isTitle().onCards().optionalInItems()
                        .sortable().described("max_length", MAX_NAME).inSchema("maxLength", MAX_NAME)
                        .attribute(d -> d.datasetName, (d, name) -> d.datasetName = name)
                        // An import keeps the space around a name.
                        .writable(text(MAX_NAME)).imported(verbatim(MAX_NAME)).readFirst(),
                field("category", TEXTS,
                        "The categories of the dataset; a comparison holds if it holds for any of them.")
                        .property("dataset:category").optionalInItems()
                        .choices(CATEGORIES).tagOnCards("category")
                        .attribute(d -> d.category, (d, category) -> d.category = category)
                        .writable(someOf(CATEGORIES)),
                // The column has the object's key, from which the link is made.
                field("thumbnail_image", TEXT, "A signed link to a small picture of the dataset.")
                        .column("thumbnail_key").onCards()
                        .attribute(d -> d.thumbnailKey, (d, key) -> d.thumbnailKey = key)
                        .shownAsLink((key, links) -> links.apply(key))
                        .imported(thumbnailKey()),
                field("captured_date", TIME, "The time at which the dataset was captured.")
                        .property("datetime").inSchema("x-ogc-role", "primary-instant")
                        .textInItems(d -> d.get("captured_date").toString()).sortable().onCards()
                        .attribute(d -> d.capturedDate, Dataset::setCaptured)
                        .writable(instant()).required(),
                field("is_private", BOOLEAN, "Whether only the owner and admins see the dataset.")
                        .property("dataset:is_private").sortable().onCards()
                        .trueMeans("yes: only the owner and admins see this dataset")
                        .attribute(d -> d.isPrivate, (d, isPrivate) -> d.isPrivate = isPrivate)
                        .writable(bool()),
                field("is_shareable", BOOLEAN, "Whether the owner lets others share the dataset.")
                        .property("dataset:is_shareable").sortable()
                        .attribute(d -> d.isShareable, (d, isShareable) -> d.isShareable = isShareable)
                        .writable(bool()),
                field("available_rasters", TEXTS,
                        "The rasters that the dataset has; a comparison holds if it holds for any of them.")
                        .property("dataset:rasters").optionalInItems()
                        .choices(RASTERS).tagOnCards("raster")
                        .attribute(d -> d.availableRasters, Dataset::haveRasters)
                        .writable(anyOf(RASTERS)),
                field("is_deleted", BOOLEAN, "Whether the dataset is deleted.")

                        .attribute(d -> d.isDeleted, (d, isDeleted) -> d.isDeleted = isDeleted)
                        .imported(bool()),
                field("gcps_file", NOTHING, "Always null.")
                        .computed("null::text")
                        .imported(nothing()).readLast(),
                field("band_stats", JSON, "The statistics of the bands of each raster.")
                        .property("dataset:band_stats").selected("d.band_stats::text").optionalInItems()
                        .display(Display.BAND_STATISTICS)
                        .attribute(d -> d.bandStats, (d, stats) -> d.bandStats = stats)
                        .writable(InputRule.bandStats()),
                // Coordinates that were not given follow the bbox.
                field("bbox", NUMBERS, "The area of the dataset as two corners.")

                        .onCards().display(Display.AREA)
                        .attribute(d -> d.bbox, Dataset::moveTo)
                        .writable(InputRule.bbox()),
                field("coordinates", NUMBERS, "The position of the dataset.")
                        .nullShownAs(new double[0]).onCards().display(Display.POSITION)
                        .attribute(d -> d.coordinates, Dataset::locateAt)
                        .writable(InputRule.coordinates()),
                field("cant_orthomosaic", BOOLEAN, "Whether no orthomosaic can be made of the images.")
                        .property("dataset:cant_orthomosaic").sortable()
                        .attribute(d -> d.cantOrthomosaic, (d, cannot) -> d.cantOrthomosaic = cannot)
                        .imported(bool()),
                field("is_dem_processing", BOOLEAN, "Whether an elevation model is being made.")
                        .property("dataset:is_dem_processing").sortable()
                        .attribute(d -> d.isDemProcessing, (d, isProcessing) -> d.isDemProcessing = isProcessing)
                        .imported(bool()),
                field("cumulative_adjustment", NUMBER, "The sum of all adjustments of the elevation.")
                        .property("dataset:cumulative_adjustment").sortable()
                        .attribute(d -> d.cumulativeAdjustment, (d, sum) -> d.cumulativeAdjustment = sum)
                        .imported(number()),
                field("latest_adjustment_status", TEXT, "The status of the latest adjustment of the elevation.")
                        .property("dataset:latest_adjustment_status").sortable()
                        .attribute(d -> d.latestAdjustmentStatus, (d, status) -> d.latestAdjustmentStatus = status)
                        .imported(verbatim(MAX_NAME)),
                field("latest_adjustment_id", TEXT, "The id of the latest adjustment of the elevation.")
                        .property("dataset:latest_adjustment_id")
                        .attribute(d -> d.latestAdjustmentId, (d, id) -> d.latestAdjustmentId = id)
                        .imported(verbatim(MAX_NAME)),
                detail("description", MAX_DESCRIPTION, "What the owner says about the dataset.",
                        d -> d.description, (d, text) -> d.description = text)
                        .property("description"),
                field("tags", TEXTS, "Words of the owner by which the dataset can be found.")
                        .property("dataset:tags").optionalInItems().queriedAs(null).detail().described("type", "list")
                        .nullShownAs(new String[0])
                        .attributeOrNull(d -> d.tags, (d, tags) -> d.tags = tags, tags -> tags.length == 0)
                        .writable(tags(MAX_TAGS, MAX_TAG)),
                detail("data_credits", MAX_CREDITS, "Persons to be named with the data.",
                        d -> d.dataCredits, (d, text) -> d.dataCredits = text),
                detail("data_captured_by", MAX_NAME, "Who captured the data.",
                        d -> d.dataCapturedBy, (d, name) -> d.dataCapturedBy = name),
                detail("institution_name", MAX_NAME, "The institution for which the data was captured.",
                        d -> d.institutionName, (d, name) -> d.institutionName = name),
                detail("location_name", MAX_NAME, "The name of the place.",
                        d -> d.locationName, (d, name) -> d.locationName = name),
                term("license", "license", MAX_LICENSE, LICENSE_RULE,
                        "The licence of the dataset where it is not that of the catalogue: an SPDX identifier, or other.",
                        d -> d.license, (d, name) -> d.license = name)
                        .inSchema("pattern", "^[0-9]*[A-Za-z][-A-Za-z0-9.+]*$"),
                term("citation", "sci:citation", MAX_CREDITS, optionalText(MAX_CREDITS), "How to cite the dataset.",
                        d -> d.citation, (d, text) -> d.citation = text),
                term("doi", "sci:doi", MAX_NAME,
                        optionalText(MAX_NAME, DOI, "Expected a DOI, such as 10.5281/zenodo.42."),
                        "The DOI of the dataset.",
                        d -> d.doi, (d, doi) -> d.doi = doi)
                        .inSchema("pattern", "^10\\.[0-9]{4,9}/[^\\s\"\\\\]+$"),
                field("rasters", JSON,
                        "Where the rasters lie that the service does not find at its own locations, by raster.")
                        .property("dataset:raster_locations").selected("d.rasters::text").optionalInItems().detail()
                        .display(Display.BY_RASTER)
                        .attributeOrNull(d -> d.rasters, Dataset::nameRasters, InputRule.NO_RASTERS::equals)
                        .writable(InputRule.rasters(RASTERS)),
                field("raster_headers", JSON, "What the rasters say of themselves, by raster.")
                        .selected("d.raster_headers::text").detail().display(Display.BY_RASTER)
                        .attributeOrNull(d -> d.rasterHeaders, (d, headers) -> d.rasterHeaders = headers,
                                InputRule.NO_RASTERS::equals)
                        .imported(InputRule.rasterHeaders(RASTERS)));
    }

    /** An optional text that listings do not show. */
    private static DatasetField<String> detail(String name, int maxLength, String description,
            Function<Dataset, String> getter, BiConsumer<Dataset, String> setter) {
        return term(name, "dataset:" + name, maxLength, optionalText(maxLength), description, getter, setter);
    }

    /** An optional text that listings do not show, with a property and a rule of its own. */
    private static DatasetField<String> term(String name, String property, int maxLength, InputRule<String> rule,
            String description, Function<Dataset, String> getter, BiConsumer<Dataset, String> setter) {
        return field(name, TEXT, description).property(property).optionalInItems().queriedAs(null).detail()
                .described("max_length", maxLength).attributeOrNull(getter, setter, String::isEmpty).writable(rule);
    }

    private final Map<String, DatasetField<?>> fields = new LinkedHashMap<>();
    /** Of the fields of a listing. */
    private final Set<String> names;
    private final FieldSelection all;
    private final FieldSelection listed;
    private final FieldSelection none;
    private final Set<String> sortable;

    @Inject
    public DatasetFields() {
        this(contract());
    }

    DatasetFields(List<DatasetField<?>> table) {
        table.forEach(field -> fields.put(field.name(), field));
        Set<String> listedNames = new LinkedHashSet<>(fields.keySet());
        listedNames.removeIf(name -> get(name).isDetail());
        names = Collections.unmodifiableSet(listedNames);
        all = select(fields.keySet());
        listed = select(names);
        none = select(Set.of());
        sortable = Stream.concat(Stream.of(RasterGsd.NAME), fields.values().stream()
                .filter(field -> field.sortColumn() != null).map(DatasetField::name))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The names of the fields of a listing, in the order of the contract. */
    public Set<String> names() {
        return names;
    }

    /** All fields: those of a listing, and the details behind them. */
    public FieldSelection all() {
        return all;
    }

    /** The fields of a listing, in the order of the contract. */
    public FieldSelection listed() {
        return listed;
    }

    public FieldSelection none() {
        return none;
    }

    /** The fields that the card of a dataset needs. */
    public FieldSelection onCards() {
        return select(fields.values().stream().filter(DatasetField::isOnCards).map(DatasetField::name).toList());
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

    /** The names of the fields that a listing can be sorted by, and {@link RasterGsd#NAME}. */
    public Set<String> sortable() {
        return sortable;
    }

    /** All fields, in the order of the contract. */
    public Collection<DatasetField<?>> table() {
        return Collections.unmodifiableCollection(fields.values());
    }

    public DatasetField<?> get(String name) {
        return fields.get(name);
    }

    /** The columns of an {@code order by}, each with the prefix. */
    public String orderBy(String prefix, Ordering ordering) {
        return ordering.keys().stream()
                .map(key -> (key.field().equals(RasterGsd.NAME)
                        ? RasterGsd.key(prefix, key.descending())
                        : prefix + get(key.field()).sortColumn()) + (key.descending() ? " desc" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The columns that an import writes. */
    public List<DatasetField.ImportColumn<?>> importColumns() {
        return fields.values().stream().<DatasetField.ImportColumn<?>>flatMap(field -> field.importColumns().stream())
                .toList();
    }

    /** The fields in the order in which a request's fields are read, which is the order of the errors in a response. */
    public List<DatasetField<?>> inReadOrder() {
        return fields.values().stream().<DatasetField<?>>map(field -> field)
                .sorted(Comparator.comparing(DatasetField::readOrder)).toList();
    }

    /** The descriptions of the fields in {@code OPTIONS}, as Django REST Framework's metadata. */
    public Map<String, Object> descriptions() {
        Map<String, Object> descriptions = new LinkedHashMap<>();
        fields.forEach((name, field) -> descriptions.put(name, field.options()));
        return descriptions;
    }
}
