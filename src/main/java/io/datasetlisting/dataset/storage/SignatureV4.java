package io.datasetlisting.dataset.storage;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import javax.crypto.Mac;

import io.datasetlisting.base.Hmac;
import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.base.Sha256;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner.AuthLocation;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * Signs links with AWS signature version 4 in the query. The AWS SDK signs one link of each link window, and one for each
 * signer of links for HEAD. The links of a window differ only in their path and signature, so this class reuses the query and
 * computes the signatures at a fraction of the cost (ADR 8).
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html">Authenticating requests:
 *      using query parameters</a>
 */
final class SignatureV4 implements LinkSignature {

    private static final String SIGNATURE = "X-Amz-Signature";
    private static final HexFormat HEX = HexFormat.of();

    private final MessageDigest sha256;
    private final Mac mac;
    private final byte[] requestBeforePath;
    private final byte[] requestAfterPath;
    /** The text to sign, without the hash of the request at its end. */
    private final byte[] toSign;
    private final String query;

    SignatureV4(StorageAddress address, String region, AwsCredentialsIdentity credentials, Instant start,
            Duration lifetime, String method) {
        Map<String, String> parameters = parameters(address, region, credentials, start, lifetime);
        query = parameters.entrySet().stream().map(p -> p.getKey() + '=' + PercentEncoding.form(p.getValue()))
                .collect(Collectors.joining("&"));
        requestBeforePath = Hmac.bytes(method + '\n' + address.signedPathPrefix());
        requestAfterPath = Hmac.bytes('\n' + query + "\nhost:" + address.signedHost() + "\n\nhost\nUNSIGNED-PAYLOAD");
        String time = parameters.get("X-Amz-Date");
        String[] scope = parameters.get("X-Amz-Credential").split("/", 2);
        toSign = Hmac.bytes("AWS4-HMAC-SHA256\n" + time + '\n' + scope[1] + '\n');
        byte[] key = Hmac.bytes("AWS4" + credentials.secretAccessKey());
        for (String part : scope[1].split("/")) {
            key = Hmac.keyed("HmacSHA256", key).doFinal(Hmac.bytes(part));
        }
        mac = Hmac.keyed("HmacSHA256", key);
        sha256 = Sha256.digest();
    }

    private SignatureV4(SignatureV4 other) {
        sha256 = Sha256.digest();
        mac = Hmac.copy(other.mac);
        requestBeforePath = other.requestBeforePath;
        requestAfterPath = other.requestAfterPath;
        toSign = other.toSign;
        query = other.query;
    }

    /** The query parameters of a link that the SDK signs, sorted by name, without the signature. */
    private static Map<String, String> parameters(StorageAddress address, String region,
            AwsCredentialsIdentity credentials, Instant start, Duration lifetime) {
        SdkHttpRequest anyObject = SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(address.signed()).build();
        Map<String, String> parameters = new TreeMap<>();
        AwsV4HttpSigner.create().sign(request -> request.identity(credentials).request(anyObject)
                .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4FamilyHttpSigner.AUTH_LOCATION, AuthLocation.QUERY_STRING)
                .putProperty(AwsV4FamilyHttpSigner.EXPIRATION_DURATION, lifetime)
                .putProperty(AwsV4FamilyHttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(start, ZoneOffset.UTC)))
                .request().forEachRawQueryParameter((name, values) -> parameters.put(name, values.get(0)));
        parameters.remove(SIGNATURE);
        return parameters;
    }

    @Override
    public void sign(StringBuilder link, byte[] path) {
        sha256.update(requestBeforePath);
        sha256.update(path);
        mac.update(toSign);
        byte[] signature = mac.doFinal(Hmac.bytes(HEX.formatHex(sha256.digest(requestAfterPath))));
        HEX.formatHex(link.append('?').append(query).append("&" + SIGNATURE + '='), signature);
    }

    @Override
    public LinkSignature copy() {
        return new SignatureV4(this);
    }
}
