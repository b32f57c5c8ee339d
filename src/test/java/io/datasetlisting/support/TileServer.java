package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * A tile server with the addresses of TiTiler. GDAL reads each tile from the raster at the address {@code url}, by ranges. The
 * raster has the grid of the tiles, and a band of its opacity.
 */
public final class TileServer implements QuarkusTestResourceLifecycleManager {

    private static final String PATH = "/cog/tiles/WebMercatorQuad/";
    private static final int THREADS = 4;
    private static final String PASSWORD = "password";
    /** Half of the width of the world in metres. */
    private static final double EDGE = 20_037_508.342789244;
    private static final List<String> ADDRESSES = new CopyOnWriteArrayList<>();

    private Path folder;
    private HttpsServer server;
    private ExecutorService threads;

    /** The addresses of the rasters that tiles were made of. */
    public static List<String> addresses() {
        return List.copyOf(ADDRESSES);
    }

    @Override
    public Map<String, String> start() {
        try {
            folder = Files.createTempDirectory("tiles");
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tls(folder)));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        threads = Executors.newFixedThreadPool(THREADS);
        server.setExecutor(threads);
        server.createContext(PATH, this::answer);
        server.start();
        return Map.of("dataset.rasters.viewer",
                "https://127.0.0.1:" + server.getAddress().getPort() + PATH + "{z}/{x}/{y}?url={signed}");
    }

    private static SSLContext tls(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path keys = folder.resolve("keys.p12");
        new Program(Path.of(System.getProperty("java.home"), "bin", "keytool"), folder).run("-genkeypair", "-keystore",
                keys.toString(), "-storepass", PASSWORD, "-keyalg", "EC", "-alias", "host", "-dname", "CN=localhost");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        return tls;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] tile = exchange.getRequestURI().getPath().substring(PATH.length()).split("/");
            String address = URLDecoder.decode(exchange.getRequestURI().getRawQuery().substring("url=".length()),
                    StandardCharsets.UTF_8);
            ADDRESSES.add(address);
            byte[] png = tile(Integer.parseInt(tile[0]), Integer.parseInt(tile[1]), Integer.parseInt(tile[2]), address);
            exchange.getResponseHeaders().set("Content-Type", "image/png");
            exchange.sendResponseHeaders(200, png.length);
            exchange.getResponseBody().write(png);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AssertionError e) {
            exchange.sendResponseHeaders(500, -1);
        }
    }

    /** What the tile has outside of the raster is transparent. */
    private byte[] tile(int zoom, int column, int row, String address) throws IOException, InterruptedException {
        double size = 2 * EDGE / (1 << zoom);
        double west = column * size - EDGE;
        double north = EDGE - row * size;
        Path files = Files.createTempDirectory(folder, "tile");
        Path png = files.resolve("tile.png");
        // The signature of a link is for GET.
        Program.ofGdal("gdal_translate", files).with("CPL_VSIL_CURL_USE_HEAD", "NO").with("GDAL_PAM_ENABLED", "NO")
                .run("-of", "PNG", "-outsize", "256", "256", "-projwin", Double.toString(west), Double.toString(north),
                        Double.toString(west + size), Double.toString(north - size), "/vsicurl/" + address,
                        png.toString());
        return Files.readAllBytes(png);
    }

    @Override
    public void stop() {
        server.stop(0);
        threads.shutdownNow();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
