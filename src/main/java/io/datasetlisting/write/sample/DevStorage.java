package io.datasetlisting.write.sample;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.jboss.logging.Logger;

import io.datasetlisting.dataset.storage.StorageConfig;
import io.datasetlisting.postgres.replica.Reads;
import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * The file storage of dev mode: an S3 server with generated images for the links of up to 10,000 datasets. The package does
 * not contain it.
 */
@Singleton
@IfBuildProfile("dev")
class DevStorage {

    private static final Logger LOG = Logger.getLogger(DevStorage.class);

    private static final Set<String> LOCAL_HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int MAX_IMAGES = 10_000;
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(10);
    /** In milliseconds. The stop does not wait for connections that browsers keep open, because a reload would fail then. */
    private static final long STOP_TIMEOUT = 0;

    private final StorageConfig config;
    private final Reads reads;

    private Path folder;
    private BlobStore store;
    private S3Proxy server;
    private Thread painter;
    private volatile boolean stopping;

    DevStorage(StorageConfig config, Reads reads) {
        this.config = config;
        this.reads = reads;
    }

    /** Runs after {@link SampleData} has filled the catalogue. */
    void onStart(@Observes @Priority(Interceptor.Priority.APPLICATION + 1) StartupEvent event) throws Exception {
        URI url = config.url();
        if (!"http".equals(url.getScheme()) || !LOCAL_HOSTS.contains(url.getHost()) || url.getPort() < 0) {
            return;
        }
        if (isListening(url)) {
            LOG.infof("Another process listens on %s, so the file storage of dev mode does not start", url);
            return;
        }
        folder = Files.createTempDirectory("dataset-listing-storage");
        // The store keeps the content type of an object in the attributes of its file.
        store = Files.getFileStore(folder).supportsFileAttributeView(UserDefinedFileAttributeView.class)
                ? new FilesystemNio2BlobStore(folder.toString())
                : new TransientNio2BlobStore();
        store.createContainer(config.bucket());
        S3Proxy.Builder builder = S3Proxy.builder().blobStore(store).stopTimeout(STOP_TIMEOUT)
                .endpoint(URI.create("http://" + url.getHost() + ":" + url.getPort()));
        config.accessKeyId().ifPresent(id -> builder.awsAuthentication(AuthenticationType.AWS_V2_OR_V4, id,
                config.secretAccessKey().orElseThrow()));
        server = builder.build();
        painter = new Thread(this::paint, "thumbnail painter");
        painter.setDaemon(true);
        try {
            server.start();
        } catch (Exception e) {
            LOG.warnf("Dev mode has no thumbnails, because its file storage cannot listen on %s: %s", url,
                    e.getMessage());
            stop();
            return;
        }
        painter.start();
    }

    void onStop(@Observes ShutdownEvent event) throws Exception {
        if (server != null) {
            stop();
        }
    }

    private void stop() throws Exception {
        stopping = true;
        painter.join();
        try {
            server.stop();
        } finally {
            server = null;
            store.close();
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    /**
     * Connects instead of binding: on some systems two processes can bind the same port if only one of them names its address.
     */
    private static boolean isListening(URI url) {
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void paint() {
        String placeholder = config.placeholderKey();
        put(placeholder, ThumbnailPainter.placeholder(ThumbnailPainter.format(placeholder)));
        int images = 0;
        for (StoredThumbnail thumbnail : StoredThumbnail.first(reads, MAX_IMAGES).await().atMost(QUERY_TIMEOUT)) {
            if (stopping) {
                return;
            }
            put(thumbnail.key(), ThumbnailPainter.landscape(thumbnail.datasetId(), thumbnail.category(),
                    ThumbnailPainter.format(thumbnail.key())));
            images++;
        }
        LOG.infof("The file storage of dev mode has thumbnails of %d datasets at %s", images, config.url());
    }

    private void put(String key, byte[] image) {
        try {
            store.putBlob(PutObjectRequest.builder().bucket(config.bucket()).key(key)
                    .contentType("image/" + ThumbnailPainter.format(key)).contentLength((long) image.length).build(),
                    new ByteArrayInputStream(image));
        } catch (RuntimeException e) {
            // Some keys are not valid names of files.
            LOG.debugf(e, "No image for %s", key);
        }
    }
}
