package io.datasetlisting;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks the service beside it whether it is ready: what a container's image, which has no shell, can call. */
final class HealthCheck {

    /** The first word of the command line that asks for it. */
    static final String NAME = "health";

    private static final int PATIENCE_MILLIS = 3000;
    private static final String REQUEST = "GET /q/health/ready HTTP/1.0\r\n\r\n";
    private static final String READY = "HTTP/1.[01] 200 .*";

    private HealthCheck() {
    }

    /** 0 if it is ready, 1 if not: what the process exits with. */
    static int run() {
        int port = Integer.parseInt(Optional.ofNullable(System.getProperty("quarkus.http.port"))
                .or(() -> Optional.ofNullable(System.getenv("QUARKUS_HTTP_PORT"))).orElse("8080"));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream request = socket.getOutputStream();
            request.write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            request.flush();
            String status = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
            return status != null && status.matches(READY) ? 0 : 1;
        } catch (IOException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }
}
