package io.datasetlisting.base.place;

/**
 * A place of the gazetteer.
 *
 * @param region
 *            the state or province of a town; empty for other places and for some towns
 * @param country
 *            of a town or a part of a country; empty for others
 * @param area
 *            a box that shows the place on a map
 */
public record Place(String name, String region, String country, double latitude, double longitude, long population,
        Area area) {
}
