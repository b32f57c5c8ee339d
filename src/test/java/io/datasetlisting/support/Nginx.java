package io.datasetlisting.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A running nginx with the settings of Debian's package, which leads to one port of this machine. */
public final class Nginx implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
    /** The temporary files are those that Debian's package has under /var/lib/nginx. */
    private static final String CONFIG = """
            daemon off;
            master_process off;
            pid %1$s/pid;
            error_log %1$s/error.log;
            events {
            }
            http {
                sendfile on;
                tcp_nopush on;
                access_log off;
                gzip on;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                server {
                    listen 127.0.0.1:%2$d;
                    location / {
                        proxy_pass http://127.0.0.1:%3$d;
                        %4$s
                    }
                }
            }
            """;

    private final int port = FreePort.find();
    private final Process process;

    /**
     * @param target
     *            the port of the service
     * @param settings
     *            of the location, beside {@code proxy_pass}
     */
    public Nginx(int target, String settings) throws IOException {
        Path folder = Files.createDirectories(Path.of("target/nginx-" + port).toAbsolutePath());
        Path config = Files.writeString(folder.resolve("nginx.conf"), CONFIG.formatted(folder, port, target, settings));
        process = new ProcessBuilder(PROGRAM.toString(), "-e", folder + "/error.log", "-c", config.toString())
                .inheritIO().start();
        Patience.await("nginx listens").ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    /** Skips the calling test if the machine has no nginx. */
    public static void require() {
        Requirement.require(Files.isExecutable(PROGRAM), "nginx (Debian's package nginx-light)");
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
