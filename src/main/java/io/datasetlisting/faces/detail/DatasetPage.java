package io.datasetlisting.faces.detail;

import java.util.List;

import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.chart.BandChart;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.TemplateInstance;

/**
 * One dataset.
 *
 * @param hasPicture
 *            whether a thumbnail is stored
 * @param isWritable
 *            whether the caller may change the dataset
 * @param contact
 *            where readers ask about the dataset; null if the operator names no address
 * @param license
 *            without a label for {@code other}; null if it is not known
 * @param rasters
 *            the links to the rasters
 * @param tiles
 *            address of the tiles of the orthomosaic; null without tiles
 * @param where
 *            the nearest town; null if there is none, and for a draft
 * @param squareKilometres
 *            of the footprint; null without an area
 * @param pixelSize
 *            of the finest raster in words; null if none was read
 * @param metadata
 *            schema.org's description as JSON that may stand inside of a script element; null for a dataset that search engines
 *            must not show
 * @param item
 *            the STAC item of the dataset, at the address of the item; otherwise null
 */
record DatasetPage(HtmlPages.Layout page, Card card, boolean isDraft, boolean hasPicture,
        boolean isWritable, String contact, ProgramLinks.Link license, Citation citation,
        List<ProgramLinks.Link> rasters, String tiles, Where where, String squareKilometres, String pixelSize,
        DatasetAddresses addresses,
        FieldGroups fields,
        List<BandChart> charts, Around around,
        String metadata, JsonView item) implements TemplateInstance {

    /**
     * What lies around the dataset.
     *
     * @param list
     *            relative address of the list from which the reader comes; null without a list
     * @param query
     *            of the list, with a question mark; empty without a list
     * @param previous
     *            in the list, or null
     * @param next
     *            in the list, or null
     */
    record Around(String list, String query, Card previous, Card next, List<Card> nearby, List<Card> otherDays) {
    }
}
