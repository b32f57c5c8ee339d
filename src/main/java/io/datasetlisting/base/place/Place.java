package io.datasetlisting.base.place;

/**
 * A town or a country of the gazetteer.
 *
 * @param region
 *            the state or province of a town; empty for a country and for some towns
 * @param country
 *            of a town; empty for a country
 * @param area
 *            a box that shows the place on a map
 */
public record Place(String name, String region, String country, double latitude, double longitude, long population,
        Area area) {

    public boolean isCountry() {
        return country.isEmpty();
    }
}
