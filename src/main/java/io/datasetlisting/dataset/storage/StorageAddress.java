package io.datasetlisting.dataset.storage;

import java.net.URI;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.storage.StorageConfig.Addressing;
import io.datasetlisting.dataset.storage.StorageConfig.SignedFor;

/**
 * The addresses of the bucket, in uploads, in links and in signatures.
 *
 * @param endpoint
 *            address of the storage for this service, without the bucket
 * @param signed
 *            address that the storage sees in the request of a client, without the bucket
 * @param pathStyle
 *            whether the bucket is part of the path, not of the host
 * @param linkPrefix
 *            the part of a link before the key
 */
record StorageAddress(URI endpoint, URI signed, String bucket, boolean pathStyle, String linkPrefix) {

    static StorageAddress of(StorageConfig config) {
        URI endpoint = config.endpoint().orElse(config.url());
        boolean pathStyle = config.addressing() == Addressing.PATH;
        boolean rewritten = config.signedFor() == SignedFor.ENDPOINT;
        String url = withoutSlash(config.url().toString());
        String linkPrefix = pathStyle
                ? url + '/' + config.bucket() + '/'
                // A proxy that replaces its host name by the endpoint's also adds the bucket to it.
                : (rewritten ? url : url.replaceFirst("://", "://" + config.bucket() + '.')) + '/';
        return new StorageAddress(endpoint, rewritten ? endpoint : config.url(), config.bucket(), pathStyle,
                linkPrefix);
    }

    /** The part of the path before the key, as the storage sees it. */
    String signedPathPrefix() {
        return withoutSlash(signed.getRawPath()) + (pathStyle ? '/' + bucket + '/' : "/");
    }

    /** The {@code Host} header as the storage sees it. Clients omit the default port. */
    String signedHost() {
        int port = signed.getPort();
        boolean hasPort = port >= 0 && port != ("https".equals(signed.getScheme()) ? 443 : 80);
        return (pathStyle ? "" : bucket + '.') + signed.getHost() + (hasPort ? ":" + port : "");
    }

    /**
     * The key of the object of a link: the path without the bucket. The link may come from another service.
     *
     * @return null if the link does not contain a valid key
     */
    String key(String link) {
        String address = link.split("[?#]", 2)[0];
        String path = address.startsWith(linkPrefix)
                ? address.substring(linkPrefix.length())
                : withoutBucket(address.replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", ""));
        String key = PercentEncoding.decodePath(path);
        return key != null && ObjectKey.isNormal(key) ? key : null;
    }

    private String withoutBucket(String path) {
        for (String prefix : new String[]{URI.create(linkPrefix).getRawPath(), '/' + bucket + '/'}) {
            if (prefix.length() > 1 && path.startsWith(prefix)) {
                return path.substring(prefix.length());
            }
        }
        return path.replaceFirst("^/", "");
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
