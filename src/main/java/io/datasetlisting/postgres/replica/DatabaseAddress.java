package io.datasetlisting.postgres.replica;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.postgresql.ssl.DefaultJavaSSLFactory;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;

/**
 * The address of a database, in which {@code sslmode} and {@code sslrootcert} mean what they mean for PostgreSQL's own programs.
 * The drivers differ: Vert.x verifies certificates for {@code require}, and knows no {@code sslrootcert}. JDBC verifies none for
 * {@code require}, and knows no certificates of the system.
 */
@RegisterForReflection(targets = DefaultJavaSSLFactory.class)
final class DatabaseAddress {

    private static final String MODE = "sslmode";
    private static final String ROOT = "sslrootcert";
    /** Instead of a file: the certificates that the machine trusts. */
    private static final String SYSTEM = "system";
    private static final String VERIFY_NAME = "HTTPS";
    private static final Pattern MODES = Pattern.compile("disable|allow|prefer|require|verify-ca|verify-full");
    private static final Set<SslMode> VERIFYING = Set.of(SslMode.VERIFY_CA, SslMode.VERIFY_FULL);

    private DatabaseAddress() {
    }

    /** Refuses an address by a message that names its key, and not the password that it may contain. */
    static PgConnectOptions parse(String key, String address) {
        String url = withoutPrefix(address);
        String mode = parameter(url, MODE);
        if (mode != null && !MODES.matcher(mode).matches()) {
            throw new ConfigurationException(key + ": the sslmode must be one of "
                    + MODES.pattern().replace("|", ", ") + ", not " + mode);
        }
        try {
            return PgConnectOptions.fromUri(url);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(key + " must be postgresql://host:port/database, with parameters like"
                    + " ?sslmode=require behind it");
        }
    }

    private static String withoutPrefix(String address) {
        return address.strip().replaceFirst("^vertx-reactive:", "");
    }

    /** Null if the address has no such parameter. */
    private static String parameter(String url, String name) {
        Matcher matcher = Pattern.compile("[?&]" + name + "=([^&]*)").matcher(url);
        return matcher.find() ? URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8) : null;
    }

    /**
     * The first of several addresses for JDBC.
     *
     * @param isModeElsewhere
     *            whether a key of the platform has the mode of the pools. Otherwise an address without a mode means no TLS, as it
     *            does for Vert.x. JDBC would prefer TLS.
     */
    static String jdbc(String addresses, boolean isModeElsewhere) {
        String url = "jdbc:" + withoutPrefix(addresses.split(",")[0]);
        String root = parameter(url, ROOT);
        if (SYSTEM.equals(root)) {
            return url.replaceFirst("sslmode=[^&]*&?", "").replaceFirst("sslrootcert=[^&]*",
                    "sslmode=verify-full&sslfactory=" + DefaultJavaSSLFactory.class.getName());
        }
        if (parameter(url, MODE) == null && !isModeElsewhere) {
            return url + (url.contains("?") ? '&' : '?') + MODE + "=disable";
        }
        return root(root) == null ? url : url.replaceFirst("sslmode=require", "sslmode=verify-ca");
    }

    /** The file of certificates of an address, or that of PostgreSQL's programs for this user, or null. */
    private static String root(String given) {
        Path ofUser = Path.of(System.getProperty("user.home"), ".postgresql", "root.crt");
        return given != null ? given : Files.isReadable(ofUser) ? ofUser.toString() : null;
    }

    /**
     * Gives options that Vert.x has read from the address of a key their meaning. Keys of the platform that say what to trust
     * stay.
     */
    static void applyTls(String key, String address, PgConnectOptions options) {
        String given = parameter(address, ROOT);
        SslMode mode = options.getSslMode();
        if (SYSTEM.equals(given)) {
            require(mode == SslMode.DISABLE || mode == SslMode.VERIFY_FULL,
                    key + ": sslrootcert=system needs sslmode=verify-full");
            // Vert.x refuses verify-full without certificates to trust. The algorithm makes it verify the name, too.
            options.setSslMode(SslMode.REQUIRE).setHostnameVerificationAlgorithm(VERIFY_NAME);
            return;
        }
        if (mode == SslMode.DISABLE || options.getTrustOptions() != null || options.isTrustAll()) {
            return;
        }
        String root = root(given);
        require(root != null || !VERIFYING.contains(mode),
                key + ": sslmode=verify-ca and verify-full need sslrootcert, a file of certificates or system");
        require(root == null || Files.isReadable(Path.of(root)),
                key + ": the file of sslrootcert cannot be read: " + root);
        if (root == null) {
            options.setTrustAll(true);
        } else {
            options.setTrustOptions(new PemTrustOptions().addCertPath(root));
        }
        if (mode == SslMode.VERIFY_FULL) {
            options.setHostnameVerificationAlgorithm(VERIFY_NAME);
        }
    }

    /** The address of a replica with the user, password and settings of the primary; those of TLS only if it has none. */
    static PgConnectOptions replica(String key, String url, PgConnectOptions primary) {
        PgConnectOptions address = parse(key, url);
        PgConnectOptions replica = DatabasePool.copy(primary).setHost(address.getHost()).setPort(address.getPort())
                .setDatabase(address.getDatabase());
        if (parameter(url, ROOT) != null || parameter(url, MODE) != null) {
            replica.setSslMode(address.getSslMode()).setTrustAll(false).setHostnameVerificationAlgorithm("")
                    .setTrustOptions(null);
            applyTls(key, url, replica);
        }
        return replica;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new ConfigurationException(message);
        }
    }
}
