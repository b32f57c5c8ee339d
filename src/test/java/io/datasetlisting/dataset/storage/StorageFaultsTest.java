package io.datasetlisting.dataset.storage;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.suite.NightlySuite;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.datasetlisting.support.FaultsAndOrigins;
import io.datasetlisting.support.FaultyStorage;
import io.datasetlisting.support.FaultyStorage.Fault;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Tests uploads while the file storage fails. */
@QuarkusTest
@Tag(NightlySuite.TAG)
@TestProfile(FaultsAndOrigins.class)
class StorageFaultsTest {

    /** More of them would be late on a busy machine: the limit of an upload is four seconds. */
    private static final int UPLOADS = 20;
    private static final byte[] IMAGE = Images.of("image/jpeg", 400_000);

    @Inject
    Catalogue catalogue;

    @TestHTTPResource("/")
    URI service;

    S3Server s3;

    FaultyStorage storage;

    private Caller owner;
    private long id;

    @BeforeEach
    void createDataset() {
        storage.set(Fault.NONE);
        storage.comeBack();
        catalogue.replaceWith();
        owner = Caller.writer("Ada");
        id = owner.create("{\"coordinates\":[1,2]}");
        // The first request of the SDK loads classes, which may take longer than the timeout of an upload in this test.
        Patience.await("the state of the storage").until(() -> put().statusCode() == 200);
        s3.list(S3Resource.BUCKET).forEach(key -> s3.delete(S3Resource.BUCKET, key));
    }

    private Response put() {
        return owner.request().body(IMAGE).put(Listing.PATH + id + "/thumbnail/");
    }

    private String link() {
        return owner.get(Listing.PATH + id + "/").jsonPath().getString("thumbnail_image");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FROZEN         | The file storage did not take the thumbnail within 4000 ms.
            SILENT         | The file storage did not take the thumbnail within 4000 ms.
            FORBIDDEN      | The file storage refused the thumbnail with status 403.
            FAILING        | The file storage refused the thumbnail with status 500.
            HALF_AN_ANSWER | The file storage could not be reached, or broke off.
            HANGS_UP       | The file storage could not be reached, or broke off.
            """)
    void uploadsFailWithAClearErrorAndLeaveTheOldThumbnailAndNoConnection(Fault fault, String detail) {
        put().then().statusCode(200);
        String before = link();
        try (ErrorLog log = ErrorLog.open()) {
            storage.set(fault);
            cutIdleConnections();
            CompletableFuture<Response> first = CompletableFuture.supplyAsync(this::put);
            if (!detail.contains("4000 ms")) {
                // Beside others it might get a connection that the storage has just closed.
                first.join();
            }
            Set<String> requests = new HashSet<>();
            for (CompletableFuture<Response> upload : putMany()) {
                assertEquals(502, upload.join().statusCode());
                requests.add(upload.join().header("X-Request-Id"));
            }
            assertEquals("{\"detail\":\"" + detail + "\"}", first.join().asString());
            assertEquals(502, first.join().statusCode());
            assertEquals("application/json", first.join().contentType());
            requests.add(first.join().header("X-Request-Id"));
            assertEquals(UPLOADS + 1, requests.size());
            assertEquals(requests, Set.copyOf(log.requestsOfWarnings(ThumbnailStore.class)));
            assertEquals(before, link());
            storage.set(Fault.NONE);
            Patience.await("the state of the storage").until(() -> storage.open() == 0);
            put().then().statusCode(200);
            log.assertEmpty();
        }
    }

    /** The next upload opens a new connection, which has the fault. */
    private void cutIdleConnections() {
        storage.cut();
        Patience.await("the state of the storage").until(() -> storage.open() == 0);
    }

    @Test
    void aStorageThatIsDownIsReportedAndUsedAgainAsSoonAsItIsBack() {
        String before = link();
        storage.goDown();
        for (int i = 0; i < 3; i++) {
            put().then().statusCode(502).body("detail",
                    equalTo("The file storage could not be reached, or broke off."));
        }
        assertEquals(before, link());
        storage.comeBack();
        put().then().statusCode(200);
    }

    /** Uploads small images, because large ones would wait for each other. */
    private List<CompletableFuture<Response>> putMany() {
        byte[] image = Images.of("image/png", 5_000);
        return IntStream.range(0, UPLOADS).mapToObj(i -> CompletableFuture.supplyAsync(
                () -> owner.request().body(image).put(Listing.PATH + id + "/thumbnail/"),
                command -> new Thread(command).start())).toList();
    }

    @Test
    void hangingUploadsBlockNoThreadAndTheListingDoesNotCallTheStorage() {
        cutIdleConnections();
        storage.set(Fault.SILENT);
        List<CompletableFuture<Response>> uploads = putMany();
        Patience.await("the state of the storage").until(() -> storage.open() > 10);
        Patience.await("the state of the storage")
                .until(() -> threadsIn("datasetlisting.dataset.storage", "awssdk").isEmpty());
        assertTrue(storage.open() > 10, "the uploads have ended");
        storage.set(Fault.NONE);
        uploads.forEach(CompletableFuture::join);
        int before = storage.opened();
        for (int i = 0; i < 50; i++) {
            assertEquals(List.of(id), Listing.PageOfDatasets.of(owner.get(Listing.PATH)).ids());
        }
        assertEquals(before, storage.opened());
    }

    /** The threads with a frame in these packages, including waiting threads. */
    private static List<String> threadsIn(String... packages) {
        return Thread.getAllStackTraces().entrySet().stream()
                // The test itself is in one of the packages.
                .filter(thread -> Arrays.stream(thread.getValue()).map(StackTraceElement::getClassName)
                        .filter(name -> !name.startsWith(StorageFaultsTest.class.getName()))
                        .anyMatch(name -> Arrays.stream(packages).anyMatch(name::contains)))
                .map(thread -> thread.getKey().getName() + ' ' + Arrays.toString(thread.getValue())).toList();
    }

    @Test
    void aClientThatSendsTooSlowlyGets408() throws IOException {
        String image = new String(IMAGE, StandardCharsets.ISO_8859_1);
        List<RawConnection> clients = new ArrayList<>();
        try {
            for (int sent : new int[]{0, 5, 50_000}) {
                clients.add(new RawConnection(service).write("PUT " + Listing.PATH + id
                        + "/thumbnail/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token " + owner.key()
                        + "\r\nContent-Length: 400000\r\n\r\n" + image.substring(0, sent)));
            }
            for (RawConnection client : clients) {
                RawConnection.Answer answer = client.read();
                assertEquals(408, answer.status());
                assertEquals("{\"detail\":\"The body did not arrive within 4000 ms.\"}", answer.body());
            }
        } finally {
            for (RawConnection client : clients) {
                client.close();
            }
        }
        // The server stores an incomplete object under another name.
        assertEquals(List.of(), s3.list(S3Resource.BUCKET).stream().filter(key -> key.endsWith(".jpg")).toList());
    }

    @Test
    void aRasterThatDoesNotArriveIsAFailureOfTheStorage() {
        long dataset = owner.create("{\"coordinates\":[1,2],\"rasters\":{\"ortho\":\"a.tif\"}}");
        storage.set(Fault.FROZEN);
        cutIdleConnections();
        owner.request().post(Listing.PATH + dataset + "/raster/ortho").then().statusCode(502);
    }

    @Test
    void aRasterThatBreaksOffIsAFailureAtOnce() {
        long dataset = owner.create("{\"coordinates\":[1,2],\"rasters\":{\"ortho\":\"a.tif\"}}");
        storage.set(Fault.HALF_AN_ANSWER);
        cutIdleConnections();
        long start = System.nanoTime();
        owner.request().post(Listing.PATH + dataset + "/raster/ortho").then().statusCode(502).body("detail",
                containsString("broke off"));
        assertTrue(System.nanoTime() - start < 5_000_000_000L, "it was noticed at the limit of the reads");
    }

    /** Also one that leaves before the service reads the raster. */
    @Test
    void aClientThatLeavesKeepsNoPlaceOfTheReadsOfRasters() throws IOException {
        long dataset = owner.create("{\"coordinates\":[1,2],\"rasters\":{\"ortho\":\"a.tif\"}}");
        String request = "POST " + Listing.PATH + dataset + "/raster/ortho HTTP/1.1\r\nHost: a\r\nAuthorization: Token "
                + owner.key() + "\r\nContent-Length: 0\r\n\r\n";
        storage.set(Fault.FROZEN);
        cutIdleConnections();
        for (int i = 0; i < 200; i++) {
            try (Socket client = new Socket(service.getHost(), service.getPort())) {
                client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                LockSupport.parkNanos(i * 100_000L);
            }
        }
        storage.set(Fault.NONE);
        long left = System.nanoTime();
        Patience.await("a place").until(() -> owner.request().post(Listing.PATH + dataset + "/raster/ortho")
                .statusCode() == 400);
        assertTrue(System.nanoTime() - left < 3_000_000_000L, "the places were taken until the limit of the reads");
    }
}
