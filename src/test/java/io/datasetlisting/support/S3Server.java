package io.datasetlisting.support;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;

import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;

import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/** An S3 server with objects in memory. Tests access the objects without the checks of the server. */
public final class S3Server implements AutoCloseable {

    private final TransientNio2BlobStore store = new TransientNio2BlobStore();
    private final String host;
    private final S3Proxy server;

    /**
     * A stored object.
     *
     * @param cacheControl
     *            null without the header
     */
    public record Stored(byte[] content, String contentType, String cacheControl) {
    }

    private S3Server(String host, String accessKeyId, String secretAccessKey, String virtualHost) {
        this.host = host;
        S3Proxy.Builder builder = S3Proxy.builder().blobStore(store).endpoint(URI.create("http://" + host + ":0"))
                // Does not wait for connections that a client keeps open.
                .stopTimeout(0)
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, accessKeyId, secretAccessKey);
        if (virtualHost != null) {
            builder.virtualHost(virtualHost);
        }
        server = builder.build();
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the S3 server does not start", e);
        }
    }

    /** Starts a server with the bucket in the path, and with this key pair. */
    public static S3Server start(String accessKeyId, String secretAccessKey) {
        return new S3Server("127.0.0.1", accessKeyId, secretAccessKey, null);
    }

    /** Starts a server with the bucket in the host name: {@code http://bucket.localhost:port/key}. */
    public static S3Server startVirtualHosted(String accessKeyId, String secretAccessKey) {
        return new S3Server("localhost", accessKeyId, secretAccessKey, "localhost");
    }

    /** The URL, without a trailing slash and without a bucket. */
    public String url() {
        return "http://" + host + ":" + server.getPort();
    }

    /** Creates a bucket if it does not exist. */
    public void createBucket(String bucket) {
        if (!store.containerExists(bucket)) {
            store.createContainer(bucket);
        }
    }

    public void put(String bucket, String key, byte[] content, String contentType) {
        put(bucket, key, new Stored(content, contentType, null));
    }

    public void put(String bucket, String key, Stored object) {
        store.putBlob(PutObjectRequest.builder().bucket(bucket).key(key).contentType(object.contentType)
                .cacheControl(object.cacheControl).contentLength((long) object.content.length).build(),
                new ByteArrayInputStream(object.content));
    }

    public Stored get(String bucket, String key) throws IOException {
        try (ResponseInputStream<GetObjectResponse> object = store.getBlob(bucket, key)) {
            return new Stored(object.readAllBytes(), object.response().contentType(),
                    object.response().cacheControl());
        }
    }

    public boolean exists(String bucket, String key) {
        return store.blobExists(bucket, key);
    }

    /** The keys of a bucket, sorted. */
    public List<String> list(String bucket) {
        return store.list(ListObjectsV2Request.builder().bucket(bucket).maxKeys(Integer.MAX_VALUE).build()).contents()
                .stream().map(S3Object::key).sorted().toList();
    }

    public void delete(String bucket, String key) {
        store.removeBlob(bucket, key);
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the S3 server does not stop", e);
        }
        store.close();
    }
}
