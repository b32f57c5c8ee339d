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

/**
 * The command {@code health}: checks whether the service in the same container is ready. The image has no shell for such a check.
 */
final class HealthCheck {

    /** The argument of the command line that runs this check. */
    static final String COMMAND = "health";

    private static final int TIMEOUT_MILLIS = 3000;
    private static final String REQUEST = "GET /q/health/ready HTTP/1.0\r\n\r\n";
    private static final String READY_STATUS = "HTTP/1.[01] 200 .*";

    private HealthCheck() {
    }

    /** Returns the exit code of the process: 0 if the service is ready, 1 if not. */
    static int run() {
        int port = Integer.parseInt(Optional.ofNullable(System.getProperty("quarkus.http.port"))
                .or(() -> Optional.ofNullable(System.getenv("QUARKUS_HTTP_PORT"))).orElse("8080"));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            OutputStream request = socket.getOutputStream();
            request.write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            request.flush();
            String status = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
            return status != null && status.matches(READY_STATUS) ? 0 : 1;
        } catch (IOException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }
}
