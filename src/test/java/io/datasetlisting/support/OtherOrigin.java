package io.datasetlisting.support;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;

import javax.imageio.ImageIO;

import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** A web server with the same page at two origins, of which one may call the service. It is also the tile server of the map. */
public class OtherOrigin implements QuarkusTestResourceLifecycleManager {

    public static final String SATELLITE = "Pictures: a plane";
    public static final String ATTRIBUTION = "<img src=x onerror=\"window.hacked = 1\"> & others";
    private static final String TILES = "/tiles/";

    private static HttpServer server;
    private static volatile boolean hasTiles = true;

    /** The allowed origin, without a trailing slash. */
    public static String allowed() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The origin that is not allowed. */
    public static String notAllowed() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /** Without tiles the server closes the connection of a request for a tile. */
    public static void setTiles(boolean available) {
        hasTiles = available;
    }

    @Override
    public Map<String, String> start() {
        try (ByteArrayOutputStream tile = new ByteArrayOutputStream();
                InputStream page = OtherOrigin.class.getResourceAsStream("/browser/page.html")) {
            byte[] html = page.readAllBytes();
            ImageIO.write(new BufferedImage(256, 256, BufferedImage.TYPE_INT_RGB), "png", tile);
            byte[] png = tile.toByteArray();
            server = HttpServer.create(new InetSocketAddress(0), 0);
            server.createContext("/", exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(200, html.length);
                exchange.getResponseBody().write(html);
                exchange.close();
            });
            server.createContext(TILES, exchange -> {
                if (hasTiles) {
                    exchange.getResponseHeaders().set("Content-Type", "image/png");
                    exchange.sendResponseHeaders(200, png.length);
                    exchange.getResponseBody().write(png);
                }
                exchange.close();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start();
        return Map.of("quarkus.http.cors.origins", allowed(), "dataset.page.tiles",
                allowed() + TILES + "{z}/{x}/{y}.png", "dataset.page.tiles-attribution", ATTRIBUTION,
                "dataset.page.contact", "mailto:imagery@example.org?subject={name}&body={id}%20{url}",
                "dataset.page.satellite", allowed() + TILES + "satellite/{z}/{x}/{y}.png",
                "dataset.page.satellite-attribution", SATELLITE);
    }

    @Override
    public void stop() {
        server.stop(0);
    }
}
