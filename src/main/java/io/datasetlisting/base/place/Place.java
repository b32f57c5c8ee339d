package io.datasetlisting.base.place;

/**
 * A place of the gazetteer.
 *
 * @param region
 *            the state or province of a town, the archipelago or state of an island; empty for others
 * @param country
 *            of a town, an island or a part of a country; empty for others
 * @param latitude
 *            of a town; not a number for others, as the longitude
 * @param area
 *            a box that shows the place on a map
 */
public record Place(String name, String region, String country, double latitude, double longitude, long population,
        Area area) {
}
