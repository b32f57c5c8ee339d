package io.datasetlisting.base;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;

/**
 * The one place of temporary files of all kinds. It is off without a folder, and all files together have a limit of bytes. A file
 * loses its name when it is created, so that a process that is killed leaves none; what a system without this leaves is removed
 * at the start and at the end.
 */
// Created at start, so that it empties the folder, and so that the gauge exists before the first file.
@Startup
@Singleton
public class Spool {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(Spool.class));
    private static final String KEY = "dataset.bulk.spool";
    private static final String SIZE_KEY = "dataset.bulk.spool-size";
    /** An eighth. */
    private static final int LEFT_BY_EXPORTS = 8;
    private static final String PREFIX = "dataset-listing-";
    private static final String SUFFIX = ".spool";

    /** Null while it is off. */
    private final Path folder;
    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final Set<SpoolFile> files = ConcurrentHashMap.newKeySet();

    Spool(SpoolConfig config, MeterRegistry meters) {
        folder = config.spool().map(Path::of).orElse(null);
        limit = config.spoolSize().asLongValue();
        meters.gauge("dataset.spool.bytes", bytes);
        removeFiles();
    }

    /**
     * Checks that temporary files have a place.
     *
     * @throws ApiException
     *             503 that names the key
     */
    public void requireFolder() {
        if (folder == null) {
            throw ApiException.unable("This needs a temporary file, and the service has no folder for it: " + KEY
                    + " is not set.");
        }
    }

    /**
     * An empty file, which its user closes. Only for a thread that may wait.
     *
     * @throws ApiException
     *             503 without a folder, and for a folder that takes no file
     */
    public SpoolFile create() {
        return create(new Object(), limit);
    }

    /**
     * An empty file for an export. Exports leave a part of the bytes to imports: clients that read slowly would otherwise hold
     * all.
     *
     * @param export
     *            several files may have the same
     */
    public SpoolFile createFor(Object export) {
        return create(export, limit - limit / LEFT_BY_EXPORTS);
    }

    private SpoolFile create(Object user, long share) {
        requireFolder();
        try {
            // Only the owner reads it.
            Path path = Files.createTempFile(folder, PREFIX, SUFFIX);
            SpoolFile file = new SpoolFile(this, user, share, FileChannel.open(path, StandardOpenOption.READ,
                    StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
            files.add(file);
            return file;
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** 503 for a folder that takes no bytes: a full disk for example. */
    static ApiException unusable(IOException failure) {
        LOG.warn("unusable", KEY + " cannot be used: " + failure);
        return new ApiException(503, "Temporary files cannot be written, try again later.");
    }

    /**
     * Takes bytes of the limit.
     *
     * @throws ApiException
     *             503 that names the key, if fewer are left
     */
    void take(SpoolFile file, long count) {
        if (bytes.addAndGet(count) > file.share()) {
            bytes.addAndGet(-count);
            long own = files.stream().filter(each -> each.user() == file.user()).mapToLong(SpoolFile::size).sum();
            String kind = file.share() < limit ? "exports" : "requests";
            throw own + count > file.share()
                    ? ApiException.unable("The temporary files of this request take more than " + kind + " can have of "
                            + SIZE_KEY + " (" + file.share() + " bytes).")
                    : new ApiException(503,
                            "The temporary files of all " + kind + " would take more than they can have of "
                                    + SIZE_KEY + " (" + file.share() + " bytes), try again later.");
        }
    }

    void giveBack(SpoolFile file, long count) {
        if (files.remove(file)) {
            bytes.addAndGet(-count);
        }
    }

    @PreDestroy
    void end() {
        for (SpoolFile file : files) {
            file.close();
        }
        removeFiles();
    }

    /** Other files in the folder stay. */
    private void removeFiles() {
        // StartupChecks refuses a folder that does not exist.
        if (folder != null && Files.isDirectory(folder)) {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, PREFIX + '*' + SUFFIX)) {
                for (Path file : left) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                unusable(e);
            }
        }
    }
}
