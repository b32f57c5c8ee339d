package io.datasetlisting.web;

import java.util.List;

import io.quarkus.qute.TemplateInstance;

/**
 * One dataset.
 *
 * @param place
 *            the coordinates in words; empty for a draft
 * @param box
 *            west, south, east, north in degrees, separated by commas; empty for a draft
 * @param base
 *            of the map
 * @param thumbnail
 *            signed link
 * @param metadata
 *            schema.org's description as JSON that may stand inside of a script element; null for a dataset that search engines must
 *            not show
 * @param item
 *            the STAC item of the dataset, at the address of the item; otherwise null
 */
record DatasetPage(Layout page, String name, String place, String box, BaseMap base, boolean isPrivate, boolean isDraft,
        String thumbnail, DatasetAddresses addresses, List<FieldRow> fields, List<BandChart> charts,
        String metadata, JsonView item) implements TemplateInstance {
}
