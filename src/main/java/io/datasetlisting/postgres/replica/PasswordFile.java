package io.datasetlisting.postgres.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;

/**
 * The file that contains the password of the database. It is read for each new connection, so that the password may change while
 * the service runs.
 */
final class PasswordFile {

    private final Vertx vertx;
    private final Optional<String> file;

    PasswordFile(Vertx vertx, Optional<String> file) {
        this.vertx = vertx;
        this.file = file;
    }

    /** Empty if the file cannot be read, or if it is empty. */
    static Optional<String> read(String file) {
        try {
            return Optional.of(password(Files.readString(Path.of(file)))).filter(password -> !password.isEmpty());
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Editors and {@code echo} end a file with a line feed. */
    private static String password(String text) {
        return text.replaceFirst("\\R$", "");
    }

    /** Gives a new connection one of the servers in turn. */
    Supplier<Future<PgConnectOptions>> inTurn(List<PgConnectOptions> servers) {
        AtomicInteger next = new AtomicInteger();
        return () -> withPassword(servers.get(Math.floorMod(next.getAndIncrement(), servers.size())));
    }

    /** While the file cannot be read, the password is that of the start. */
    private Future<PgConnectOptions> withPassword(PgConnectOptions server) {
        return file.map(path -> vertx.fileSystem().readFile(path)
                .map(text -> DatabasePool.copy(server).setPassword(password(text.toString())))
                .otherwise(server)).orElseGet(() -> Future.succeededFuture(server));
    }
}
