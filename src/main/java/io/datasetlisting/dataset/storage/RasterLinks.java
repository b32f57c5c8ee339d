package io.datasetlisting.dataset.storage;

import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import io.datasetlisting.base.PercentEncoding;

/** Makes the links to rasters: signed links to objects in the bucket, or public addresses, as the templates say. */
@Singleton
public class RasterLinks {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(id|uav_uid|path)}");
    private static final Pattern TEMPLATE = Pattern.compile("[!-~&&[^<>\"'\\\\]]+");
    private static final Pattern ORIGIN = Pattern.compile("https://[-A-Za-z0-9.]+(:\\d+)?/.*");

    private final Map<String, String> templates;
    private final StorageConfig storage;
    private final ThumbnailLinks links;

    public RasterLinks(RasterConfig config, StorageConfig storage, ThumbnailLinks links) {
        templates = RasterConfig.templates(config);
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

    private static boolean isAddress(String template) {
        return template.startsWith("https://");
    }

    /** Whether links to rasters of this product can be made. */
    public boolean has(String product) {
        return templates.containsKey(product);
    }

    /** A number that differs if the templates differ, for tags of documents that name rasters. */
    public int version() {
        return templates.hashCode();
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
