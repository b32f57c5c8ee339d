package io.datasetlisting.web;

import java.util.List;

import io.datasetlisting.chart.BandChart;
import io.quarkus.qute.TemplateInstance;

/**
 * One dataset.
 *
 * @param metadata
 *            schema.org's description as JSON that may stand inside of a script element; null for a dataset that search engines
 *            must not show
 * @param item
 *            the STAC item of the dataset, at the address of the item; otherwise null
 */
record DatasetPage(HtmlPages.Layout page, Card card, boolean isDraft, DatasetAddresses addresses,
        List<FieldRow> fields,
        List<BandChart> charts, String metadata, JsonView item) implements TemplateInstance {
}
