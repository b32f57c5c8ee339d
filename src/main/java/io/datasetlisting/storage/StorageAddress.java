package io.datasetlisting.storage;

import java.net.URI;

import io.datasetlisting.http.PercentEncoding;
import io.datasetlisting.storage.StorageConfig.Addressing;
import io.datasetlisting.storage.StorageConfig.SignedFor;

/**
 * Where the objects of the bucket are found.
 *
 * @param endpoint
 *            where this service calls the storage, without the bucket
 * @param signed
 *            what the storage sees of a client's address, without the bucket
 * @param linkPrefix
 *            what stands before the key in a link
 */
record StorageAddress(URI endpoint, URI signed, String bucket, boolean pathStyle, String linkPrefix) {

    static StorageAddress of(StorageConfig config) {
        URI endpoint = config.endpoint().orElse(config.url());
        boolean pathStyle = config.addressing() == Addressing.PATH;
        boolean rewritten = config.signedFor() == SignedFor.ENDPOINT;
        String url = withoutSlash(config.url().toString());
        String linkPrefix = pathStyle
                ? url + '/' + config.bucket() + '/'
                // A proxy that puts the endpoint's name in the place of its own puts the bucket's there, too.
                : (rewritten ? url : url.replaceFirst("://", "://" + config.bucket() + '.')) + '/';
        return new StorageAddress(endpoint, rewritten ? endpoint : config.url(), config.bucket(), pathStyle,
                linkPrefix);
    }

    /** The object's path as the storage sees it, from the first slash to the key. */
    String signedPathPrefix() {
        return withoutSlash(signed.getRawPath()) + (pathStyle ? '/' + bucket + '/' : "/");
    }

    /** The {@code Host} header as the storage sees it: clients leave out a port that goes without saying. */
    String signedHost() {
        int port = signed.getPort();
        boolean named = port >= 0 && port != ("https".equals(signed.getScheme()) ? 443 : 80);
        return (pathStyle ? "" : bucket + '.') + signed.getHost() + (named ? ":" + port : "");
    }

    /**
     * The key of the object that a link leads to, whoever made it: its path, without the bucket.
     *
     * @return null when there is no object at its end
     */
    String key(String link) {
        String address = link.split("[?#]", 2)[0];
        String path = address.startsWith(linkPrefix)
                ? address.substring(linkPrefix.length())
                : withoutBucket(address.replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", ""));
        String key = PercentEncoding.decodePath(path);
        return key == null || key.isEmpty() || key.indexOf('\0') >= 0 ? null : key;
    }

    private String withoutBucket(String path) {
        for (String prefix : new String[]{URI.create(linkPrefix).getRawPath(), '/' + bucket + '/'}) {
            if (prefix.length() > 1 && path.startsWith(prefix)) {
                return path.substring(prefix.length());
            }
        }
        return path.replaceFirst("^/+", "");
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
