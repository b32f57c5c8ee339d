package io.datasetlisting.dataset;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.DynamicUpdate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.raster.RasterSource;
import io.datasetlisting.dataset.rule.BandStats;
import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.http.input.StrictJson;
import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** A dataset (image collection) as it is stored. The constraints are in the schema. */
@Entity
@DynamicUpdate
public class Dataset extends PanacheEntityBase {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public long id;

    /** Increases with each change. */
    @Version
    public long version;

    /** Time of the last change, which the database sets. */
    @Column(name = "updated_at", insertable = false, updatable = false)
    public Instant updated;

    /** Time of the creation, which the database sets; null if it is not known. */
    @Column(name = "created_at", insertable = false, updatable = false)
    public Instant created;

    @Column(name = "uav_uid")
    public UUID uavUid;

    @Column(name = "owner_id")
    public long ownerId;

    @Column(name = "owner_name")
    public String ownerName;

    public long workspace;

    @Column(name = "dataset_name")
    public String datasetName = "";

    public String[] category = {"Other"};

    /** The object's key in the bucket; null for the placeholder. */
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

    /** JSON text, see {@link BandStats}. */
    @Column(name = "band_stats")
    @ColumnTransformer(read = "band_stats::text", write = "?::text::jsonb")
    public String bandStats = BandStats.NONE;

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

    /** Null without one, as the other texts of the owner. */
    public String description;

    /** Each tag once; null without tags. */
    public String[] tags;

    @Column(name = "data_credits")
    public String dataCredits;

    @Column(name = "data_captured_by")
    public String dataCapturedBy;

    @Column(name = "institution_name")
    public String institutionName;

    @Column(name = "location_name")
    public String locationName;

    /** An SPDX identifier, or {@code other}; null for that of the workspace or the catalogue. */
    public String license;

    /** How to cite the dataset, as text. */
    public String citation;

    /** A DOI without an address before it, such as {@code 10.5281/zenodo.42}. */
    public String doi;

    /** JSON text: the locations of rasters that the owner names, by product; null without one. */
    @ColumnTransformer(read = "rasters::text", write = "?::text::jsonb")
    public String rasters;

    /** JSON text: what the rasters say of themselves, by product; null if none has been read. */
    @Column(name = "raster_headers")
    @ColumnTransformer(read = "raster_headers::text", write = "?::text::jsonb")
    public String rasterHeaders;

    public Owner owner() {
        return new Owner(ownerId, ownerName);
    }

    /** {@code <username> <user_id>} of the owner. */
    String user() {
        return ownerName + ' ' + ownerId;
    }

    /** Sets the owner to {@code <username> <user_id>}. */
    void assignTo(String user) {
        int space = user.lastIndexOf(' ');
        ownerName = user.substring(0, space);
        ownerId = Long.parseLong(user.substring(space + 1));
    }

    /**
     * Sets the products that the dataset has. A raster whose location the owner names is one of them. What is known of a raster
     * goes with it.
     */
    void haveRasters(String[] products) {
        List<String> all = new ArrayList<>(List.of(products));
        Set<String> named = rasterSource().named().keySet();
        for (String product : DatasetFields.RASTERS) {
            if (named.contains(product) && !all.contains(product)) {
                all.add(product);
            } else if (!all.contains(product)) {
                describeRaster(product, null);
            }
        }
        availableRasters = all.toArray(String[]::new);
    }

    /** Sets the locations that the owner names; null for none. What is known of a raster goes with its location. */
    void nameRasters(String json) {
        Map<String, String> before = rasterSource().named();
        rasters = json;
        Map<String, String> after = rasterSource().named();
        DatasetFields.RASTERS.stream().filter(product -> !Objects.equals(before.get(product), after.get(product)))
                .forEach(product -> describeRaster(product, null));
        haveRasters(availableRasters);
    }

    /** Sets what a raster says of itself; null for nothing. */
    public void describeRaster(String product, ObjectNode header) {
        if (header == null && rasterHeaders == null) {
            return;
        }
        ObjectNode headers = (ObjectNode) StrictJson
                .parse(rasterHeaders == null ? InputRule.NO_RASTERS : rasterHeaders);
        JsonNode before = header == null ? headers.remove(product) : headers.replace(product, header);
        if (header != before) {
            rasterHeaders = headers.isEmpty() ? null : headers.toString();
        }
    }

    /** The values that the links to the rasters are made from. */
    public RasterSource rasterSource() {
        return RasterSource.of(id, uavUid, thumbnailKey, availableRasters, rasters);
    }

    /**
     * Sets the bbox. Coordinates at the centre of the bbox, as those that were not given, move with it. Without a bbox the
     * dataset stays where it is: only empty coordinates make a draft of it.
     */
    void moveTo(double[] newBbox) {
        boolean isDerived = Arrays.equals(coordinates, centre(bbox));
        bbox = newBbox;
        if (isDerived && newBbox.length > 0) {
            coordinates = centre(newBbox);
        }
    }

    /**
     * Sets the coordinates.
     *
     * @param newCoordinates
     *            empty for the centre of the bbox
     */
    void locateAt(double[] newCoordinates) {
        coordinates = newCoordinates.length == 0 ? centre(bbox) : newCoordinates;
    }

    /** {@code [latitude, longitude]}, or null where the bbox is empty. */
    private static double[] centre(double[] bbox) {
        return bbox.length == 0 ? null : new double[]{(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2};
    }

    /** Whether all callers may read the dataset: it is neither private, deleted nor a draft. */
    public boolean isPublic() {
        return !isDeleted && !isPrivate && coordinates != null;
    }

    /**
     * Whether the caller may read the dataset at its own URL. All callers may read a public dataset. Only its owner
     * and admins may read a private dataset or a draft. No caller may read a deleted dataset.
     */
    public boolean isVisibleTo(Caller caller) {
        return isPublic() || !isDeleted && isWritableBy(caller);
    }

    /** Whether the caller is the owner or an admin. This method does not check that the token of the caller may write. */
    public boolean isWritableBy(Caller caller) {
        return caller.isAdmin() || caller.is(ownerId);
    }

    /**
     * Sets the time of capture. The whole second that the API shows leaves the fraction as it is, so that a client that reads a
     * dataset and writes it back changes nothing.
     */
    void setCaptured(Instant time) {
        if (capturedDate == null || !time.equals(capturedDate.truncatedTo(ChronoUnit.SECONDS))) {
            capturedDate = time;
        }
    }
}
