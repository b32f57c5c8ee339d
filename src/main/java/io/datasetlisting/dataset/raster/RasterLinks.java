package io.datasetlisting.dataset.raster;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.storage.ObjectKey;
import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.input.StrictJson;

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
    /** Without a query, which may have a signature or another secret that all readers of the dataset would see. */
    private static final Pattern ADDRESS = Pattern
            .compile("https://([-A-Za-z0-9.]+(?::\\d{1,5})?)/([!-~&&[^?#<>\"'\\\\{}]]+)");
    private static final Pattern HOST = Pattern.compile("[-A-Za-z0-9.]+(:\\d{1,5})?");
    private static final int MAX_LOCATION = 500;

    private final Map<String, String> templates;
    /** Null if owners name no objects. */
    private final String folder;
    /** In lower case. */
    private final Set<String> hosts;
    /** Null without a tile server. */
    private final String viewer;
    private final StorageConfig storage;
    private final ThumbnailLinks links;

    public RasterLinks(RasterConfig config, StorageConfig storage, ThumbnailLinks links) {
        templates = RasterConfig.templates(config);
        folder = config.folder().orElse(null);
        hosts = config.hosts().orElse(Set.of()).stream().map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
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

    /** Whether a text is a template of folders: the key of an object that differs from dataset to dataset. */
    public static boolean isFolder(String text) {
        return isTemplate(text) && !isAddress(text) && (text.contains("{id}") || text.contains("{uav_uid}"));
    }

    /** Whether a text names a host, with or without a port. */
    public static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /**
     * Whether a text is a location: a key below the folder of the dataset, or an {@code https} address without a user and without
     * a query. No key leads out of the folder.
     */
    public static boolean isLocation(String text) {
        if (text.codePointCount(0, text.length()) > MAX_LOCATION || StrictJson.loneSurrogate(text) >= 0) {
            return false;
        }
        if (!isAddress(text)) {
            return !text.contains("://") && ObjectKey.isNormal(text);
        }
        Matcher address = ADDRESS.matcher(text);
        String path = address.matches() ? PercentEncoding.decodePath(address.group(2)) : null;
        return path != null && ObjectKey.isNormal(path);
    }

    static boolean isAddress(String template) {
        return template.startsWith("https://");
    }

    /** Whether some datasets may have links to rasters of this product. */
    public boolean mayHave(String product) {
        return templates.containsKey(product) || isNamedByOwners();
    }

    /** Whether owners may name locations. */
    public boolean isNamedByOwners() {
        return folder != null || !hosts.isEmpty();
    }

    /** Why owners may not name a location; null if they may. */
    public String refusal(String location) {
        if (!isAddress(location)) {
            return folder == null ? "This service takes no keys of objects." : null;
        }
        Matcher address = ADDRESS.matcher(location);
        return address.matches()
                && hosts.contains(address.group(1).toLowerCase(Locale.ROOT).replaceFirst(":443$", ""))
                        ? null
                        : "This service takes no addresses of this host.";
    }

    /** Whether the dataset has a raster of this product to which a link can be made. */
    public boolean has(RasterSource dataset, String product) {
        String location = dataset.named().get(product);
        return dataset.available().contains(product)
                && (location == null ? templates.containsKey(product) : refusal(location) == null);
    }

    /** A number that differs if the templates differ, for tags of documents that name rasters. */
    public int version() {
        return Objects.hash(templates, folder, hosts, viewer);
    }

    /**
     * The link to a raster. The location that the owner names wins over the template.
     *
     * @param isHead
     *            whether the link is opened by HEAD
     *
     * @return an absolute URL; null if the dataset has no such raster, or the key would not be valid
     */
    public String link(RasterSource dataset, String product, boolean isHead) {
        String location = location(dataset, product);
        if (location == null || isAddress(location)) {
            return location;
        }
        return ObjectKey.isNormal(location) ? (isHead ? links.signerForHead() : links.signer()).link(location) : null;
    }

    /** The key of the object, or the address; null if the dataset has no such raster. */
    public String location(RasterSource dataset, String product) {
        if (!has(dataset, product)) {
            return null;
        }
        String named = dataset.named().get(product);
        if (named == null) {
            return fill(templates.get(product), dataset);
        }
        return isAddress(named) ? named : fill(folder, dataset) + '/' + named;
    }

    private String fill(String template, RasterSource dataset) {
        String path = path(dataset.id() + "-" + dataset.uavUid(), dataset.thumbnailKey());
        return PLACEHOLDER.matcher(template).replaceAll(match -> Matcher.quoteReplacement(switch (match.group(1)) {
            case "id" -> Long.toString(dataset.id());
            case "uav_uid" -> dataset.uavUid().toString();
            default -> isAddress(template) ? PercentEncoding.path(path) : path;
        }));
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
     * The address of the tiles of a raster with its signed link, for a caller that may see the raster.
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

    /** What stands before the folder of the dataset in the key of its thumbnail. */
    private String path(String folder, String thumbnailKey) {
        int end = thumbnailKey == null ? -1 : thumbnailKey.indexOf('/' + folder + '/');
        return end < 0 ? storage.prefix() : thumbnailKey.substring(0, end);
    }
}
