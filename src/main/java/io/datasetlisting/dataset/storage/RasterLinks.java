package io.datasetlisting.dataset.storage;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.base.PercentEncoding;

/** Makes the links to rasters, and to their tiles: signed links to objects in the bucket, or public addresses. */
@Singleton
public class RasterLinks {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(id|uav_uid|path)}");
    private static final Pattern TEMPLATE = Pattern.compile("[!-~&&[^<>\"'\\\\]]+");
    /** The placeholders of tiles, each of which a template has once. */
    private static final List<String> TILE = List.of("{z}", "{x}", "{y}");
    private static final String HREF = "{href}";
    private static final String SIGNED = "{signed}";
    private static final Pattern ORIGIN = Pattern.compile("https://[-A-Za-z0-9.]+(:\\d+)?/.*");

    private final Map<String, String> templates;
    /** Null without a tile server. */
    private final String viewer;
    private final StorageConfig storage;
    private final ThumbnailLinks links;

    public RasterLinks(RasterConfig config, StorageConfig storage, ThumbnailLinks links) {
        templates = RasterConfig.templates(config);
        viewer = config.viewer().orElse(null);
        this.storage = storage;
        this.links = links;
    }

    /** Whether a text is a template: an {@code https} address, or the key of an object, with known placeholders alone. */
    public static boolean isTemplate(String text) {
        String filled = PLACEHOLDER.matcher(text).replaceAll("0");
        return TEMPLATE.matcher(text).matches() && filled.indexOf('{') < 0 && (isAddress(text)
                ? ORIGIN.matcher(text).matches()
                : !filled.contains("://") && ObjectKey.isNormal(filled));
    }

    /** Whether a text is a template of tiles: an {@code https} address with each placeholder of tiles, and one of a raster. */
    public static boolean isViewer(String text) {
        String rest = text;
        for (String each : TILE) {
            rest = rest.replaceFirst(Pattern.quote(each), "0");
        }
        rest = rest.replaceFirst("\\{(href|signed)}", "0");
        return TEMPLATE.matcher(text).matches() && ORIGIN.matcher(text).matches() && rest.indexOf('{') < 0
                && Stream.of(TILE, List.of(text.contains(HREF) ? HREF : SIGNED)).flatMap(List::stream)
                        .allMatch(text::contains);
    }

    private static boolean isAddress(String template) {
        return template.startsWith("https://");
    }

    /** Whether links to rasters of this product can be made. */
    public boolean has(String product) {
        return templates.containsKey(product);
    }

    /** A number that differs if the templates differ, for tags of documents that name rasters. */
    public int version() {
        return Objects.hash(templates, viewer);
    }

    /**
     * The link to a raster.
     *
     * @param product
     *            one of those that {@link #has} knows
     * @param thumbnailKey
     *            key of the dataset's thumbnail, or null
     * @param isHead
     *            whether the link is opened by HEAD
     *
     * @return an absolute URL; null if the key would not be valid
     */
    public String link(String product, long id, UUID uavUid, String thumbnailKey, boolean isHead) {
        String template = templates.get(product);
        boolean isAddress = isAddress(template);
        String folder = id + "-" + uavUid;
        String filled = fill(template, each -> switch (each) {
            case "id" -> Long.toString(id);
            case "uav_uid" -> uavUid.toString();
            default -> isAddress ? PercentEncoding.path(path(folder, thumbnailKey)) : path(folder, thumbnailKey);
        });
        if (isAddress) {
            return filled;
        }
        return ObjectKey.isNormal(filled) ? (isHead ? links.signerForHead() : links.signer()).link(filled) : null;
    }

    /**
     * The address of the tiles of a raster that everyone may see, in which the placeholders of tiles stay. It never expires.
     *
     * @param address
     *            of the raster, which does not expire
     *
     * @return null without a tile server that takes such addresses
     */
    public String tiles(String address) {
        return viewer == null || !viewer.contains(HREF) ? null : viewer.replace(HREF, PercentEncoding.form(address));
    }

    /**
     * The same with a signed link, for a caller that may see the raster.
     *
     * @param link
     *            null if the raster has no link
     *
     * @return null without a tile server that takes signed links
     */
    public String signedTiles(String link) {
        return link == null || viewer == null || !viewer.contains(SIGNED)
                ? null
                : viewer.replace(SIGNED, PercentEncoding.form(link));
    }

    private static String fill(String template, UnaryOperator<String> value) {
        return PLACEHOLDER.matcher(template)
                .replaceAll((MatchResult match) -> Matcher.quoteReplacement(value.apply(match.group(1))));
    }

    /** What stands before the folder of the dataset in the key of its thumbnail. */
    private String path(String folder, String thumbnailKey) {
        int end = thumbnailKey == null ? -1 : thumbnailKey.indexOf('/' + folder + '/');
        return end < 0 ? storage.prefix() : thumbnailKey.substring(0, end);
    }
}
