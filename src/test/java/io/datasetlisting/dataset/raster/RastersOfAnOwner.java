package io.datasetlisting.dataset.raster;

import java.net.URI;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.common.http.TestHTTPResource;

/** An owner without datasets, and the storage of its rasters, in which each dataset has a folder. */
abstract class RastersOfAnOwner {

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @TestHTTPResource("/")
    URI service;

    S3Server s3;

    Caller owner;

    @BeforeEach
    void startWithNothing() {
        catalogue.replaceWith();
        // The storage uses the clock of the system.
        clock.setToNow();
        owner = Caller.writer("Ada");
    }

    static String path(long id) {
        return Listing.PATH + id + '/';
    }

    String uid(long id) {
        return owner.get(path(id)).jsonPath().getString("uav_uid");
    }

    /** The key of a file in the folder of a dataset. */
    String key(long id, String file) {
        return "thumbnails/" + id + '-' + uid(id) + '/' + file;
    }

    void store(long id, String file, byte[] content) {
        s3.put(S3Resource.BUCKET, key(id, file), content, "image/tiff");
    }
}
