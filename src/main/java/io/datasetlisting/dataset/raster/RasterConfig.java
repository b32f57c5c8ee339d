package io.datasetlisting.dataset.raster;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.smallrye.config.ConfigMapping;

/**
 * Where the rasters of the datasets lie, and which server makes tiles of them: a template for each product. A template is the key
 * of an object in the bucket, or an {@code https} address. {@code {id}}, {@code {uav_uid}} and {@code {path}} in it stand for
 * values of the dataset. Owners may name other locations for their datasets, where the operator lets them.
 */
@ConfigMapping(prefix = "dataset.rasters")
public interface RasterConfig {

    /** Template of the orthomosaics. */
    Optional<String> ortho();

    /** Template of the surface models. */
    Optional<String> dsm();

    /** Template of the terrain models. */
    Optional<String> dtm();

    /** Template of the multispectral orthomosaics. */
    Optional<String> multispecOrtho();

    /**
     * Template of the folder in the bucket that belongs to a dataset, and in which its owner names objects. Without it owners
     * name no objects.
     */
    Optional<String> folder();

    /** Hosts whose {@code https} addresses owners may name, each with its port unless that is 443. */
    Optional<Set<String>> hosts();

    /**
     * Address of the tiles that a tile server makes of an orthomosaic, with {@code {z}}, {@code {x}} and {@code {y}}, and with
     * either {@code {href}} for the address of a public raster, or {@code {signed}} for a signed link.
     */
    Optional<String> viewer();

    /** The templates by the names of their products, without the products that have none. */
    static Map<String, String> templates(RasterConfig config) {
        return Stream
                .of(Map.entry("ortho", config.ortho()), Map.entry("dsm", config.dsm()), Map.entry("dtm", config.dtm()),
                        Map.entry("multispec_ortho", config.multispecOrtho()))
                .filter(each -> each.getValue().isPresent())
                .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().get()));
    }
}
