package io.datasetlisting.dataset;

import java.time.Instant;
import java.util.UUID;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;

import io.datasetlisting.storage.ThumbnailLinks;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A dataset on the wire, in the field order of the contract. What nobody asked for is null, or empty.
 *
 * @param user
 *            {@code <username> <user_id>}
 * @param thumbnailImage
 *            a signed link that ends
 * @param capturedDate
 *            UTC, to the second
 * @param gcpsFile
 *            always null
 * @param bandStats
 *            JSON text
 * @param bbox
 *            empty, or {@code [lat_a, lon_a, lat_b, lon_b]} in degrees
 * @param coordinates
 *            {@code [latitude, longitude]} in degrees; empty for a draft
 */
// Written by the resource itself, where the native build does not see it.
@RegisterForReflection
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DatasetView(Long id, UUID uavUid, String user, Long workspace, String datasetName, String[] category,
        String thumbnailImage, Instant capturedDate, Boolean isPrivate, Boolean isShareable, String[] availableRasters,
        Boolean isDeleted, Object gcpsFile, @JsonSerialize(using = CompactJson.class) String bandStats, double[] bbox,
        double[] coordinates,
        Boolean cantOrthomosaic, Boolean isDemProcessing, Double cumulativeAdjustment, String latestAdjustmentStatus,
        String latestAdjustmentId) {

    static DatasetView of(Dataset d, ThumbnailLinks.Signer signer) {
        return new DatasetView(d.id, d.uavUid, d.ownerName + ' ' + d.ownerId, d.workspace, d.datasetName, d.category,
                signer.link(d.thumbnailKey), d.capturedDate, d.isPrivate, d.isShareable, d.availableRasters,
                d.isDeleted, null, d.bandStats, d.bbox, d.coordinates == null ? new double[0] : d.coordinates,
                d.cantOrthomosaic, d.isDemProcessing, d.cumulativeAdjustment, d.latestAdjustmentStatus,
                d.latestAdjustmentId);
    }
}
