package io.datasetlisting.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Map;

import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** A web server with the same page at two origins, of which one may call the service. */
public class OtherOrigin implements QuarkusTestResourceLifecycleManager {

    private static HttpServer server;

    /** The allowed origin, without a trailing slash. */
    public static String allowed() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The origin that is not allowed. */
    public static String notAllowed() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @Override
    public Map<String, String> start() {
        try (InputStream page = OtherOrigin.class.getResourceAsStream("/browser/page.html")) {
            byte[] html = page.readAllBytes();
            server = HttpServer.create(new InetSocketAddress(0), 0);
            server.createContext("/", exchange -> {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(200, html.length);
                exchange.getResponseBody().write(html);
                exchange.close();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start();
        return Map.of("quarkus.http.cors.origins", allowed());
    }

    @Override
    public void stop() {
        server.stop(0);
    }
}
