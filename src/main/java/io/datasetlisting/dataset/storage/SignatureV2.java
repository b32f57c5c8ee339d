package io.datasetlisting.dataset.storage;

import java.util.Base64;

import javax.crypto.Mac;

import io.datasetlisting.base.Hmac;
import io.datasetlisting.base.PercentEncoding;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * Signs links with S3 signature version 2 in the query. The AWS SDK does not support this version. The signature is an HMAC-SHA1
 * of method, end and object.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html">Signing and authenticating
 *      REST requests</a>
 */
final class SignatureV2 implements LinkSignature {

    private final Mac mac;
    private final byte[] toSignBeforePath;
    private final String beforeSignature;
    private final String afterSignature;

    /**
     * A signature for links with the same end.
     *
     * @param expires
     *            end of the links, in Unix seconds
     * @param method
     *            by which the links are opened
     */
    SignatureV2(String bucket, AwsCredentialsIdentity credentials, long expires, String method) {
        String token = credentials instanceof AwsSessionCredentialsIdentity session ? session.sessionToken() : null;
        mac = Hmac.keyed("HmacSHA1", Hmac.bytes(credentials.secretAccessKey()));
        toSignBeforePath = Hmac.bytes(method + "\n\n\n" + expires + '\n'
                + (token == null ? "" : "x-amz-security-token:" + token + '\n') + '/' + bucket + '/');
        beforeSignature = "?AWSAccessKeyId=" + PercentEncoding.form(credentials.accessKeyId()) + "&Signature=";
        afterSignature = "&Expires=" + expires
                + (token == null ? "" : "&x-amz-security-token=" + PercentEncoding.form(token));
    }

    private SignatureV2(SignatureV2 other) {
        mac = Hmac.copy(other.mac);
        toSignBeforePath = other.toSignBeforePath;
        beforeSignature = other.beforeSignature;
        afterSignature = other.afterSignature;
    }

    @Override
    public void sign(StringBuilder link, byte[] path) {
        mac.update(toSignBeforePath);
        link.append(beforeSignature);
        for (byte b : Base64.getEncoder().encode(mac.doFinal(path))) {
            switch (b) {
                case '+' -> link.append("%2B");
                case '/' -> link.append("%2F");
                case '=' -> link.append("%3D");
                default -> link.append((char) b);
            }
        }
        link.append(afterSignature);
    }

    @Override
    public LinkSignature copy() {
        return new SignatureV2(this);
    }
}
