package io.datasetlisting.http.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;

/** Tests that the decoder reads a request in the same way however the network splits the request into segments. */
class StrictRequestDecoderTest {

    private static final String FIRST = "GET /first HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String LAST = "GET /last HTTP/1.1\r\nHost: a\r\n\r\n";

    /** What the decoder passes on: the address of a request, "refused", or the text of a body. */
    private static List<String> decode(String... segments) {
        EmbeddedChannel channel = channel(segments);
        // Reads directly after the last byte, because no request may wait for more bytes.
        List<String> decoded = read(channel);
        channel.finish();
        assertEquals(List.of(), read(channel));
        return decoded;
    }

    private static EmbeddedChannel channel(String... segments) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline()
                .addLast(DecoderInstaller.DECODER,
                        new StrictRequestDecoder(new HttpServerOptions(), new UpgradeHeaders(false)))
                .addLast(DecoderInstaller.ENCODER, new HttpResponseEncoder());
        for (String segment : segments) {
            channel.writeInbound(Unpooled.copiedBuffer(segment, StandardCharsets.ISO_8859_1));
        }
        return channel;
    }

    private static List<String> read(EmbeddedChannel channel) {
        List<String> decoded = new ArrayList<>();
        StringBuilder body = new StringBuilder();
        for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
            if (message instanceof HttpRequest request) {
                decoded.add(body + (request.decoderResult().isSuccess() ? request.uri() : "refused"));
                body.setLength(0);
            } else if (message instanceof HttpContent content) {
                assertTrue(content.decoderResult().isSuccess());
                body.append(content.content().toString(StandardCharsets.ISO_8859_1));
            }
            ReferenceCountUtil.release(message);
        }
        assertTrue(body.isEmpty(), "a body after the last request: " + body);
        return decoded;
    }

    /** Decodes the bytes as a whole, split into two at each position, and one by one. */
    private static void assertDecoded(List<String> expected, String bytes) {
        assertEquals(expected, decode(bytes));
        for (int i = 1; i < bytes.length(); i++) {
            assertEquals(expected, decode(bytes.substring(0, i), bytes.substring(i)), "split at " + i);
        }
        assertEquals(expected, decode(bytes.split("")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-A: b\r\n c", "X-A: b\r\n\tc", "X-A: b\r\n ", "X-A:\r\n b\r\nX-C: d", " X-A: b",
            "Transfer-Encoding:\r\n chunked", "Host: b", "hOST: a", "Host:", "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "transfer-encoding: gzip, chunked",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding:", "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked\r\nContent-Length: 0", "content-length: 5\r\ntransfer-encoding: chunked",
            "Content-Length: 0\r\nTransfer-Encoding: xchunked", "Content-Length: 0\r\nContent-Length: 0", "no colon",
            "X-A : b", "X-A: b\nX-C: d", "X-A: b\rX-C: d"})
    void anAmbiguousHeadIsRefusedAndNothingAfterItIsRead(String header) {
        assertDecoded(List.of("/first", "refused"),
                FIRST + "POST /refused HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\n0\r\n\r\n" + LAST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5"})
    void aRequestOfHttp10HasNoTransferCoding(String header) {
        assertDecoded(List.of("refused"), "POST / HTTP/1.0\r\n" + header + "\r\n\r\n0\r\n\r\n" + LAST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-A: b", "X-A: b c\r\nX-C:\td", "X-A:", "Transfer-Encoding: Chunked\r\nX-A: b",
            "TRANSFER-ENCODING: \t chunked \t", "X-Host: b\r\nX-Transfer-Encoding: gzip"})
    void anOrdinaryHeadIsRead(String header) {
        String body = header.contains("hunked") ? "3\r\na\n \r\n0\r\nX-Trailer: b\r\n\r\n" : "";
        String text = body.isEmpty() ? "" : "a\n ";
        assertDecoded(List.of("/first", "/between", text + "/last"),
                FIRST + "POST /between HTTP/1.1\r\nHost: a\r\n" + header + "\r\n\r\n" + body + "\r\n" + LAST);
    }

    @ParameterizedTest
    @ValueSource(strings = {" \n\t ", "\r\n x: y\r\n z", "a\r\n"})
    void aBodyMayLookLikeFoldedLines(String body) {
        assertDecoded(List.of("/with", body + "/last"),
                "POST /with HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body + LAST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2;a\r\nab\r\n", "2;a=b\r\nab\r\n", "2;a=\"\r\n\r\n\"\r\nab\r\n", " 2\r\nab\r\n",
            "2 \r\nab\r\n",
            "2 ;x\r\nab\r\n", "\t2\r\nab\r\n", "+2\r\nab\r\n", "0x2\r\nab\r\n", "x\r\n", "\r\n", "-1\r\n", "2\nab\r\n",
            "100000002\r\nab\r\n", "000000002\r\nab\r\n", "ffffffff\r\n", "2\r\nabc\r\n", "2\r\nab\n",
            "1\r\na\r\n2;x\r\nab\r\n",
            "1\r\na\r\n0;x\r\n", "0 \r\n", "0\r\nno colon\r\n"})
    void aMalformedChunkEndsTheBodyWithoutItsLastPart(String chunks) {
        String bytes = FIRST + "POST /second HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
                + "0\r\n\r\n" + LAST;
        assertRefusedAtChunk(bytes);
        for (int i = 1; i < bytes.length(); i++) {
            assertRefusedAtChunk(bytes.substring(0, i), bytes.substring(i));
        }
        assertRefusedAtChunk(bytes.split(""));
    }

    private static void assertRefusedAtChunk(String... segments) {
        EmbeddedChannel channel = channel(segments);
        List<String> addresses = new ArrayList<>();
        int ends = 0;
        for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
            if (message instanceof HttpRequest request) {
                addresses.add(request.uri());
            }
            ends += message instanceof LastHttpContent ? 1 : 0;
            ReferenceCountUtil.release(message);
        }
        channel.finishAndReleaseAll();
        assertEquals(List.of("/first", "/second"), addresses);
        assertEquals(1, ends);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2\r\nab\r\n0\r\n\r\n", "1\r\na\r\n01\r\nb\r\n000\r\n\r\n",
            "00000002\r\nab\r\n0\r\nX-A: b;c\r\n\r\n"})
    void anOrdinaryChunkIsRead(String chunks) {
        assertDecoded(List.of("/with", "ab/with", "ab/last"),
                ("POST /with HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks).repeat(2) + LAST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AAMAAABkAAQAAP__", "AAMAAABk"})
    void anUpgradeToHttp2IsRemovedUnlessItIsAllowed(String settings) {
        HttpRequest request = upgrade("h2c", "Upgrade, HTTP2-Settings", settings);
        new UpgradeHeaders(true).check(request);
        assertEquals("h2c", request.headers().get("Upgrade"));
        new UpgradeHeaders(false).check(request);
        assertFalse(request.headers().contains("Upgrade"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', value = {"h2c, Upgrade, AAMAAABk", "h2c, HTTP2-Settings, AAMAAABk",
            "h2c, \"Upgrade, HTTP2-Settings\",", "h2c, \"Upgrade, HTTP2-Settings\", *", "websocket, Upgrade,",
            "h2c, \"Upgrade, HTTP2-Settings\", AAMA", "h2c, \"Upgrade, HTTP2-Settings\", AAX_____",
            "\"h2c, x\", \"Upgrade, HTTP2-Settings\", AAMAAABk"})
    void anUpgradeThatIsMalformedIsRemoved(String protocol, String connection, String settings) {
        HttpRequest request = upgrade(protocol, connection, settings);
        new UpgradeHeaders(true).check(request);
        assertFalse(request.headers().contains("Upgrade"));
    }

    @Test
    void anUpgradeWithTwoSettingsIsRemoved() {
        HttpRequest request = upgrade("h2c", "Upgrade, HTTP2-Settings", "AAMAAABk");
        request.headers().add("HTTP2-Settings", "AAMAAABk");
        new UpgradeHeaders(true).check(request);
        assertFalse(request.headers().contains("Upgrade"));
    }

    private static HttpRequest upgrade(String protocol, String connection, String settings) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Upgrade", protocol).set("Connection", connection);
        if (settings != null) {
            request.headers().set("HTTP2-Settings", settings);
        }
        return request;
    }
}
