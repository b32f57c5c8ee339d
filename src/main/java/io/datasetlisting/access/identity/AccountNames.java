package io.datasetlisting.access.identity;

import java.util.HexFormat;
import java.util.List;

import io.datasetlisting.access.account.Username;
import io.datasetlisting.base.Sha256;

/** Chooses the name of an account that is made at the first request of a subject. */
final class AccountNames {

    private static final String WITHOUT_NAME = "user";
    /** In bytes of the hash. */
    private static final int MARK = 4;

    private AccountNames() {
    }

    /**
     * The names for an account, the preferred one first. The last one has a mark at its end: a hyphen, and the first eight digits
     * of the SHA-256 of issuer, space and subject. Another account keeps its name, whatever the token says.
     *
     * @param claim
     *            the name that the token has; null if it has none
     */
    static List<String> of(String claim, String issuer, String subject) {
        String name = claim == null ? "" : Username.normalize(claim);
        String mark = '-' + HexFormat.of().formatHex(Sha256.of(issuer + ' ' + subject), 0, MARK);
        return Username.refusal(name) == null
                ? List.of(name, shorten(name, Username.MAX_LENGTH - mark.length()) + mark)
                : List.of(WITHOUT_NAME + mark);
    }

    private static String shorten(String name, int length) {
        return name.substring(0, name.offsetByCodePoints(0, Math.min(length, name.codePointCount(0, name.length()))))
                .strip();
    }
}
