package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.stream.Stream;

/**
 * A PostgreSQL server that takes the role {@code datasets} only with TLS and a password. Its certificate is new, and names
 * {@code localhost} but not its address.
 */
public final class TlsPostgres implements AutoCloseable {

    private static final String STORE_PASSWORD = "not a secret";
    private static final String RULES = """
            local all all trust
            host all postgres all trust
            hostssl all datasets all scram-sha-256""";

    private final PostgresServer server = new PostgresServer();
    private final Path folder;

    /**
     * @param folder
     *            for the certificates, without a file
     */
    public TlsPostgres(Path folder) throws IOException, InterruptedException, GeneralSecurityException, SQLException {
        this.folder = folder;
        KeyStore right = authority("right");
        authority("wrong");
        Files.writeString(folder.resolve("both.pem"),
                Files.readString(file("wrong")) + Files.readString(file("right")));
        write("server.crt", pem("CERTIFICATE", right.getCertificate("server").getEncoded()));
        write("server.key", pem("PRIVATE KEY", right.getKey("server", STORE_PASSWORD.toCharArray()).getEncoded()));
        write("pg_hba.conf", RULES);
        server.execute("create role datasets login");
        server.execute("alter schema public owner to datasets");
        server.execute("alter system set ssl to on");
        server.execute("select pg_reload_conf()");
        Patience.await("TLS").ignoreExceptions().until(() -> "on".equals(value("show ssl")));
    }

    private KeyStore authority(String name) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve(name + ".p12");
        keytool(store, "-alias", "ca", "-dname", "CN=" + name, "-ext", "bc:c=ca:true");
        keytool(store, "-alias", "server", "-dname", "CN=server", "-signer", "ca", "-ext", "san=dns:localhost");
        KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
        Files.writeString(file(name), pem("CERTIFICATE", keys.getCertificate("ca").getEncoded()));
        return keys;
    }

    private void keytool(Path store, String... arguments) throws IOException, InterruptedException {
        Program keytool = new Program(Path.of(System.getProperty("java.home"), "bin", "keytool"), folder);
        String[] command = {"-genkeypair", "-keyalg", "EC", "-validity", "2", "-keystore", store.toString(),
                "-storepass",
                STORE_PASSWORD};
        keytool.run(Stream.of(command, arguments).flatMap(Stream::of)
                .toArray(String[]::new));
    }

    private static String pem(String type, byte[] bytes) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder(64, new byte[]{'\n'}).encodeToString(bytes)
                + "\n-----END " + type + "-----\n";
    }

    /** Writes a file of the server's folder, which only its user may read. */
    private void write(String name, String text) throws SQLException {
        server.execute(
                "copy (select unnest(string_to_array('" + text + "', E'\\n'))) to program 'umask 077; cat > " + name
                        + "'");
    }

    /** A file of authorities: {@code right} has signed the certificate, {@code wrong} has not, {@code both} are these two. */
    public Path file(String authority) {
        return folder.resolve(authority + ".pem");
    }

    public int port() {
        return server.port();
    }

    public void setPassword(String password) throws SQLException {
        server.execute("alter role datasets password '" + password + "'");
    }

    public void execute(String sql) throws SQLException {
        server.execute(sql);
    }

    /** The first value of a query, as superuser. */
    public String value(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
