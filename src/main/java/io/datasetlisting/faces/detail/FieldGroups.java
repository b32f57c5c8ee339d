package io.datasetlisting.faces.detail;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.http.Language;

/**
 * The fields of a dataset in the groups of its page. Each group but the technical one shows only fields that say something.
 *
 * @param terms
 *            the licence and the citation, if the owner names them
 * @param technical
 *            all fields of no other group
 */
record FieldGroups(List<FieldRow> what, List<FieldRow> place, List<FieldRow> processing, List<FieldRow> terms,
        List<FieldRow> technical) {

    private static final Set<String> WHAT = Set.of("user", "category", "available_rasters", "is_private",
            "is_shareable", "description", "tags", "data_credits", "data_captured_by", "institution_name");
    private static final Set<String> TERMS = Set.of("license", "citation", "doi");
    private static final Set<String> PLACE = Set.of("captured_date", "coordinates", "bbox", "location_name");
    private static final Set<String> PROCESSING = Set.of("cumulative_adjustment", "latest_adjustment_status",
            "rasters", "raster_headers");
    /** Fields that say something only if they are true. */
    private static final Set<String> EXCEPTIONS = Set.of("cant_orthomosaic", "is_dem_processing");

    static FieldGroups of(DatasetView dataset, Language language) {
        FieldGroups groups = new FieldGroups(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>(), new ArrayList<>());
        dataset.forEach((field, value) -> groups.add(FieldRow.of(field, value, language)));
        return groups;
    }

    /** The fields that say something to people. */
    Stream<FieldRow> shown() {
        return Stream.of(what, place, processing, terms).flatMap(List::stream);
    }

    private void add(FieldRow row) {
        List<FieldRow> group = group(row.name());
        boolean saysNothing = row.kind() == FieldRow.Kind.EMPTY
                || row.kind() == FieldRow.Kind.NO && EXCEPTIONS.contains(row.name());
        if (group == technical || !saysNothing) {
            group.add(row);
        }
    }

    private List<FieldRow> group(String name) {
        if (WHAT.contains(name)) {
            return what;
        }
        if (PLACE.contains(name)) {
            return place;
        }
        if (TERMS.contains(name)) {
            return terms;
        }
        return PROCESSING.contains(name) || EXCEPTIONS.contains(name) ? processing : technical;
    }
}
