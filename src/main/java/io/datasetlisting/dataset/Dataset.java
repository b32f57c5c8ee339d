package io.datasetlisting.dataset;

import java.time.Instant;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

import org.hibernate.annotations.ColumnTransformer;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** A dataset (image collection) as it is stored. The constraints are in the schema. */
@Entity
public class Dataset extends PanacheEntityBase {

    @Id
    public long id;

    @Column(name = "uav_uid")
    public UUID uavUid;

    @Column(name = "owner_id")
    public long ownerId;

    @Column(name = "owner_name")
    public String ownerName;

    public long workspace;

    @Column(name = "dataset_name")
    public String datasetName;

    public String[] category;

    /** Key inside the bucket, null for the placeholder. */
    @Column(name = "thumbnail_key")
    public String thumbnailKey;

    @Column(name = "captured_date")
    public Instant capturedDate;

    @Column(name = "is_private")
    public boolean isPrivate;

    @Column(name = "is_shareable")
    public boolean isShareable;

    @Column(name = "available_rasters")
    public String[] availableRasters = {};

    @Column(name = "is_deleted")
    public boolean isDeleted;

    /** JSON text: the service passes it through and never looks inside. */
    @Column(name = "band_stats")
    @ColumnTransformer(read = "band_stats::text", write = "?::text::jsonb")
    public String bandStats;

    /** {@code [lat_a, lon_a, lat_b, lon_b]} in degrees, or empty. */
    public double[] bbox = {};

    /** {@code [latitude, longitude]} in degrees; null for a draft. */
    public double[] coordinates;

    @Column(name = "cant_orthomosaic")
    public boolean cantOrthomosaic;

    @Column(name = "is_dem_processing")
    public boolean isDemProcessing;

    @Column(name = "cumulative_adjustment")
    public double cumulativeAdjustment;

    @Column(name = "latest_adjustment_status")
    public String latestAdjustmentStatus = "";

    @Column(name = "latest_adjustment_id")
    public String latestAdjustmentId = "";
}
