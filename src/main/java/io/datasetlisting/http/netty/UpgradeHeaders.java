package io.datasetlisting.http.netty;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Settings;

/**
 * Removes {@code Upgrade} from a request, so that Vert.x ignores it as a server may (RFC 9110, section 7.8). A proxy that passes
 * an upgrade to HTTP/2 on would let its client send requests that the proxy does not see. Vert.x never ends its answer to an
 * upgrade that is malformed, so this class also removes such an upgrade where upgrades are allowed.
 */
final class UpgradeHeaders {

    private static final int SETTING_LENGTH = 6;

    private final boolean allowed;

    /**
     * @param allowed
     *            whether a client may upgrade a connection to HTTP/2
     */
    UpgradeHeaders(boolean allowed) {
        this.allowed = allowed;
    }

    void check(HttpRequest request) {
        HttpHeaders headers = request.headers();
        if (headers.contains(HttpHeaderNames.UPGRADE) && !(allowed && isUpgradeToHttp2(request))) {
            headers.remove(HttpHeaderNames.UPGRADE);
        }
    }

    private static boolean isUpgradeToHttp2(HttpRequest request) {
        HttpHeaders headers = request.headers();
        List<String> connections = headers.getAll(HttpHeaderNames.CONNECTION);
        List<String> settings = headers.getAll(Http2CodecUtil.HTTP_UPGRADE_SETTINGS_HEADER);
        return request.protocolVersion().equals(HttpVersion.HTTP_1_1)
                && headers.getAll(HttpHeaderNames.UPGRADE)
                        .equals(List.of(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME.toString()))
                && connections.size() == 1
                && names(connections.get(0)).containsAll(List.of("upgrade", "http2-settings"))
                && settings.size() == 1 && areValid(settings.get(0));
    }

    private static List<String> names(String connection) {
        return List.of(connection.toLowerCase(Locale.ROOT).split(" *, *"));
    }

    /** Whether Vert.x can read the settings. */
    private static boolean areValid(String base64) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(base64);
            Http2Settings settings = new Http2Settings();
            for (int i = 0; i < bytes.length; i += SETTING_LENGTH) {
                ByteBuffer setting = ByteBuffer.wrap(bytes, i, SETTING_LENGTH);
                settings.put((char) setting.getShort(), Long.valueOf(Integer.toUnsignedLong(setting.getInt())));
            }
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }
}
